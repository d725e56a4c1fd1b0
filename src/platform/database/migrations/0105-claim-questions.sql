-- Questions that colleagues ask a claimant by mail before they decide. The first one lets the expiry wait.

create table claim_questions (
  id uuid constraint claim_questions_pkey primary key,
  claim_id uuid not null constraint claim_questions_claim references claims on delete cascade,
  body text not null,
  asked_by uuid not null constraint claim_questions_asked_by references users,
  created_at timestamptz(3) not null default now(),
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(),
  email_error text,
  email_tries integer not null default 0,
  constraint claim_questions_body_length check (char_length(body) between 1 and 5000),
  constraint claim_questions_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The questions of a claim, oldest first; the foreign key.
create index claim_questions_by_claim on claim_questions (claim_id, created_at, id);
-- Mails that are not sent yet, and those whose result is unknown.
create index claim_questions_mails_open on claim_questions (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');

-- Counted on the claim, so that each question changes its version, and also once retention has deleted them.
alter table claims add column questions_count integer not null default 0;
-- When the first question was asked, and until when the expiry waits for its answer.
alter table claims add column asked_at timestamptz(3);
alter table claims add column waits_until timestamptz(3);

-- A claimant gets ten mails at most.
alter table claims add constraint claims_questions_count check (questions_count between 0 and 10) not valid;
-- The wait begins with the first question and takes 14 days at most.
alter table claims add constraint claims_waits_whole check (
  (questions_count = 0) = (asked_at is null) and (asked_at is null) = (waits_until is null)
  and (asked_at is null or waits_until - asked_at between interval '0' and interval '14 days')) not valid;
