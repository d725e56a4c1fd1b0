-- Requests to take over an acteur. They grant nothing before approval.
create table claims (
  id uuid primary key, acteur_id uuid not null constraint claims_acteur references acteurs,
  -- The signed-in claimant; once approved, the new owner.
  user_id uuid constraint claims_user references users,
  nom text, email text, telephone text, message text not null, status text not null default 'pending', reason text,
  decided_by uuid constraint claims_decided_by references users,
  -- When it was decided, or expired.
  ended_at timestamptz(3),
  -- State of the mail about the decision. Null: not decided, or no address.
  email_status text, email_status_at timestamptz(3),
  -- When personal data was removed, except the account.
  pseudonymised_at timestamptz(3),
  -- Everything that finds it, without accents; telephone numbers also without spaces.
  search tsvector generated always as (to_tsvector('pg_catalog.simple', search_key(
    coalesce(nom, '') || ' ' || coalesce(email, '') || ' ' || coalesce(telephone, '') || ' '
    || regexp_replace(coalesce(telephone, ''), '[^0-9]', '', 'g') || ' ' || message))) stored,
  version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- What the mail server said to the last attempt, and its number.
  email_error text, email_tries integer not null default 0,
  -- The decision that the claimant's mail reports: after an undo, the job of the former mail finds another one.
  decision_id uuid,
  -- Counted here, so that each question changes the version, and stays known when retention deletes them.
  questions_count integer not null default 0,
  -- When the first question was asked, and until when the expiry waits for its answer.
  asked_at timestamptz(3),
  waits_until timestamptz(3),
  -- A former mail of the decision may have arrived: the decision cannot be undone any more.
  may_have_arrived boolean not null default false,
  -- A code that cannot be guessed, which a claimant quotes to support. Old claims have none.
  reference text,
  constraint claims_status check (status in ('pending', 'approved', 'rejected', 'expired')),
  constraint claims_ended check ((status = 'pending') = (ended_at is null)),
  constraint claims_decided check (decided_by is null or status in ('approved', 'rejected')),
  -- An approval makes somebody owner.
  constraint claims_approved_for_somebody check (status <> 'approved' or user_id is not null),
  constraint claims_message_length check (char_length(message) between 1 and 2000 or pseudonymised_at is not null),
  constraint claims_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  constraint claims_email_status_dated check ((email_status is null) = (email_status_at is null)),
  constraint claims_pseudonymised_whole check (
    pseudonymised_at is null
    or (ended_at is not null and num_nonnulls(nom, email, telephone, reason) = 0 and message = '')),
  -- A claimant gets ten mails at most.
  constraint claims_questions_count check (questions_count between 0 and 10),
  -- The wait begins with the first question and takes 14 days at most.
  constraint claims_waits_whole check (
    (questions_count = 0) = (asked_at is null) and (asked_at is null) = (waits_until is null)
    and (asked_at is null or waits_until - asked_at between interval '0' and interval '14 days'))
);
-- The back-office list, newest first, and by each of its filters; by status also the pending ones past their time.
create index claims_by_created on claims (created_at desc, id desc);
create index claims_by_acteur on claims (acteur_id, created_at desc, id desc);
create index claims_search on claims using gin (search);
-- Retention: ended long ago and still personal.
create index claims_personal on claims (ended_at) where ended_at is not null and pseudonymised_at is null;
-- By time of decision; undecided claims come last either way.
create index claims_by_decision on claims
  ((case when status in ('approved', 'rejected') then ended_at end) desc nulls last, id desc);
create index claims_by_decision_upwards on claims ((case when status in ('approved', 'rejected') then ended_at end), id);
-- The claims of a person.
create index claims_by_user on claims (user_id, created_at desc, id desc) where user_id is not null;
-- Mails to send, and those whose result is unknown.
create index claims_mails_open on claims (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The claims of an address, for the account to which it verifiably belongs, and for its erasure.
create index claims_by_email on claims (lower(email collate "C"), created_at desc, id desc) where email is not null;
-- At most one anonymous pending claim of an acteur, and one by a signed-in person beside it.
create unique index claims_one_pending_anonymous on claims (acteur_id) where status = 'pending' and user_id is null;
create unique index claims_one_pending_signed_in on claims (acteur_id) where status = 'pending' and user_id is not null;
-- By status and age, with what says how long the expiry waits: expired claims are counted in the index alone.
create index claims_by_status on claims (status, created_at, id) include (asked_at, waits_until);
-- The back-office list of mails: those of a status, newest first.
create index claims_mails_by_status on claims (email_status, email_status_at desc, id desc) where email_status is not null;
-- One claim for each reference, which the search finds.
create unique index claims_reference on claims (reference) where reference is not null;
create trigger claims_follow_merge before insert or update of acteur_id on claims for each row execute function follow_merge();
create trigger claims_may_have_arrived before update of email_status on claims for each row
  when (old.email_status = 'uncertain' and new.email_status <> 'uncertain') execute function mark_mail_may_have_arrived();
-- What becomes of a mail is no change of the claim.
create trigger claims_touch before update on claims for each row
  execute function touch_row('search', 'email_status', 'email_status_at', 'email_error', 'email_tries', 'may_have_arrived');

-- Questions to a claimant by mail before a decision. The first one makes the expiry wait.
create table claim_questions (
  id uuid primary key, claim_id uuid not null constraint claim_questions_claim references claims on delete cascade,
  body text not null, asked_by uuid not null constraint claim_questions_asked_by references users,
  created_at timestamptz(3) not null default now(), email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  constraint claim_questions_body_length check (char_length(body) between 1 and 5000),
  constraint claim_questions_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The questions of a claim, oldest first; the foreign key.
create index claim_questions_by_claim on claim_questions (claim_id, created_at, id);
-- Mails to send, and those whose result is unknown.
create index claim_questions_mails_open on claim_questions (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The back-office list of mails: those of a status, newest first.
create index claim_questions_by_status on claim_questions (email_status, email_status_at desc, id desc);
