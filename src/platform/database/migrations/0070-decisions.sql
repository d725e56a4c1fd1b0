-- Decisions of moderators, so that they can be undone, and the mails that tell authors of them.

create table decisions (
  id uuid constraint decisions_pkey primary key,
  -- Kind of all its records.
  kind text not null,
  action text not null,
  decided_by uuid not null constraint decisions_decided_by references users,
  decided_at timestamptz(3) not null default now(),
  undone_by uuid constraint decisions_undone_by references users,
  undone_at timestamptz(3),
  constraint decisions_kind check (kind in ('publication', 'claim')),
  -- Both or neither.
  constraint decisions_undone_whole check ((undone_by is null) = (undone_at is null))
);
-- A person's own decisions, newest first.
create index decisions_by_user on decisions (decided_by, id desc);
-- Retention.
create index decisions_by_age on decisions (decided_at);

create table decision_items (
  decision_id uuid not null constraint decision_items_decision references decisions on delete cascade,
  -- The record. Its table depends on the kind, so there is no foreign key.
  record_id uuid not null,
  -- Order of the decisions on one record: assigned while the record is locked.
  seq bigint generated always as identity,
  -- The record's version before and after the decision. An undo requires that it still has the latter.
  version_before integer not null,
  version integer not null,
  -- What the undo restores.
  before jsonb not null,
  undone_at timestamptz(3),
  constraint decision_items_pkey primary key (decision_id, record_id),
  constraint decision_items_versions check (version >= version_before)
);
-- The decisions on one record, newest first.
create index decision_items_by_record on decision_items (record_id, seq desc);

create table publication_mails (
  id uuid constraint publication_mails_pkey primary key,
  publication_id uuid not null constraint publication_mails_publication references publications on delete cascade,
  -- The decision that the author is told of; null: a correction.
  decision_id uuid,
  kind text not null,
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(),
  email_error text,
  email_tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint publication_mails_kind check (kind in ('rejected', 'corrected')),
  constraint publication_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- An undo drops the mails of its decision.
create index publication_mails_by_decision on publication_mails (decision_id) where decision_id is not null;
-- The foreign key.
create index publication_mails_by_publication on publication_mails (publication_id);
-- Mails that are not sent yet, and those whose result is unknown.
create index publication_mails_open on publication_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- Retention.
create index publication_mails_by_age on publication_mails (created_at);

-- The decision that the claimant's mail tells of: after an undo, the job of the former mail finds another one.
alter table claims add column decision_id uuid;
