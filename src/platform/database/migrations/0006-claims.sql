-- What people ask for who want to take over an acteur. It grants nothing before it is approved.
create table claims (
  id uuid constraint claims_pkey primary key,
  acteur_id uuid not null constraint claims_acteur references acteurs,
  -- Who asks, when signed in; of an approved one, who became owner by it.
  user_id uuid constraint claims_user references users,
  nom text,
  email text,
  telephone text,
  message text not null,
  status text not null default 'pending',
  reason text,
  decided_by uuid constraint claims_decided_by references users,
  -- When it was decided, or expired.
  ended_at timestamptz(3),
  -- What became of the mail that tells the claimant. Null: not decided, or no address is known.
  email_status text,
  email_status_at timestamptz(3),
  -- Nothing personal is left but the account.
  pseudonymised_at timestamptz(3),
  -- All that it is found by, in words without accents; telephone numbers also without their spaces.
  search tsvector generated always as (to_tsvector('pg_catalog.simple', search_key(
    coalesce(nom, '') || ' ' || coalesce(email, '') || ' ' || coalesce(telephone, '') || ' '
    || regexp_replace(coalesce(telephone, ''), '[^0-9]', '', 'g') || ' ' || message))) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
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
    or (ended_at is not null and num_nonnulls(nom, email, telephone, reason) = 0 and message = ''))
);

-- What becomes of the mail is no change of the claim.
create trigger claims_touch before update on claims for each row
  execute function touch_row('search', 'email_status', 'email_status_at');

-- One at a time: of two who claim an acteur at once, one is told of the other.
create unique index claims_one_pending on claims (acteur_id) where status = 'pending';
-- The back-office list, newest first, and by each of its filters; by status also the pending ones past their time.
create index claims_by_created on claims (created_at desc, id desc);
create index claims_by_status on claims (status, created_at desc, id desc);
create index claims_by_acteur on claims (acteur_id, created_at desc, id desc);
create index claims_search on claims using gin (search);
-- Retention: ended long ago and still personal.
create index claims_personal on claims (ended_at) where ended_at is not null and pseudonymised_at is null;
-- Mails of which nobody has noted the outcome.
create index claims_sending on claims (email_status_at) where email_status = 'sending';

-- The dashboard's figures: small indexes that hold just the rows to count, their few values packed together.
create index publications_live on publications (moderation_status) where deleted_at is null;
create index acteurs_live on acteurs (type) where deleted_at is null;
create index users_active on users (actif) where actif;
