-- Exports of everything stored about a person, made by a job. States: queued → running → ready → fetched, or failed.
-- A row lives for 24 hours after the export is ready, or after the request if it never is.

create table person_exports (
  id uuid constraint person_exports_pkey primary key,
  -- The person: accounts and addresses when the export was requested, and records of other accounts that are theirs.
  user_ids uuid[] not null,
  emails text[] not null,
  also uuid[] not null default '{}',
  requested_by uuid not null constraint person_exports_requested_by references users,
  status text not null default 'queued',
  -- Counts attempts of the job: only the latest one may write.
  attempt integer not null default 0,
  -- Kinds of data, and how many of them are written.
  sections integer not null,
  sections_done integer not null default 0,
  -- Size of the export as JSON.
  bytes bigint,
  error text,
  created_at timestamptz(3) not null default now(),
  ready_at timestamptz(3),
  fetched_at timestamptz(3),
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  constraint person_exports_status check (status in ('queued', 'running', 'ready', 'fetched', 'failed')),
  constraint person_exports_error check (error in ('too_large', 'failed')),
  constraint person_exports_failed check ((status = 'failed') = (error is not null)),
  constraint person_exports_progress check (sections_done between 0 and sections),
  -- One that is ready has a size and a time; one that was fetched says when.
  constraint person_exports_ready check (
    (status in ('ready', 'fetched')) = (ready_at is not null) and (ready_at is null) = (bytes is null)),
  constraint person_exports_fetched check ((status = 'fetched') = (fetched_at is not null))
);
-- The list, newest first.
create index person_exports_by_time on person_exports (created_at desc, id desc);
-- Those to delete.
create index person_exports_by_expiry on person_exports (expires_at);
-- Those whose job may be lost.
create index person_exports_open on person_exports (created_at) where status in ('queued', 'running');
-- The foreign key.
create index person_exports_by_requester on person_exports (requested_by);

-- The compressed content in pieces, so that neither side holds a whole export in memory.
create table person_export_chunks (
  export_id uuid not null constraint person_export_chunks_export references person_exports on delete cascade,
  number integer not null,
  content bytea not null,
  constraint person_export_chunks_pkey primary key (export_id, number)
);
-- Compressed already.
alter table person_export_chunks alter column content set storage external;
