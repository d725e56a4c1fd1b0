-- Keys of the digests in erased_identities, the first in use. No new secret or URL may restore an erased account.
create table identity_keys (
  id smallint primary key, key bytea not null, created_at timestamptz(3) not null default now(),
  constraint identity_keys_form check (id > 0 and length(key) = 32)
);

-- Tokens from before an erasure are refused, although nobody knows whose they were.
create table erased_identities (
  -- Of issuer and subject, under a key of identity_keys.
  digest text primary key,
  tokens_valid_from timestamptz(3) not null, erased_at timestamptz(3) not null default now()
);
-- Deleted when no earlier token can be valid any more.
create index erased_identities_by_age on erased_identities (erased_at);

-- The result of the last run of each part of the retention, for metrics.
create table retention_runs (
  part text primary key, ran_at timestamptz(3) not null, rows integer not null
);

-- Exports of everything about a person: queued → running → ready → fetched, or failed. Deleted after 24 hours.
create table person_exports (
  id uuid primary key,
  -- The person: accounts and addresses at the time of the request, and their records of other accounts.
  user_ids uuid[] not null,
  emails text[] not null, also uuid[] not null default '{}',
  requested_by uuid not null constraint person_exports_requested_by references users,
  status text not null default 'queued',
  -- Attempts of the job: only the latest one may write.
  attempt integer not null default 0,
  -- Kinds of data, and how many are written.
  sections integer not null,
  sections_done integer not null default 0,
  -- Size of the export as JSON.
  bytes bigint,
  error text, created_at timestamptz(3) not null default now(), ready_at timestamptz(3), fetched_at timestamptz(3),
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  constraint person_exports_status check (status in ('queued', 'running', 'ready', 'fetched', 'failed')),
  constraint person_exports_error check (error in ('too_large', 'failed')),
  constraint person_exports_failed check ((status = 'failed') = (error is not null)),
  constraint person_exports_progress check (sections_done between 0 and sections),
  -- A ready export has a size and a time; a fetched one says when.
  constraint person_exports_ready check (
    (status in ('ready', 'fetched')) = (ready_at is not null) and (ready_at is null) = (bytes is null)),
  constraint person_exports_fetched check ((status = 'fetched') = (fetched_at is not null))
);
-- The list, newest first.
create index person_exports_by_time on person_exports (created_at desc, id desc);
-- Exports to delete; those whose job may be lost; the foreign key.
create index person_exports_by_expiry on person_exports (expires_at);
create index person_exports_open on person_exports (created_at) where status in ('queued', 'running');
create index person_exports_by_requester on person_exports (requested_by);

-- The compressed content in pieces, so that neither side holds a whole export in memory.
create table person_export_chunks (
  export_id uuid not null constraint person_export_chunks_export references person_exports on delete cascade,
  number integer not null, content bytea not null,
  constraint person_export_chunks_pkey primary key (export_id, number)
);
-- Compressed already.
alter table person_export_chunks alter column content set storage external;

-- One-time addresses of CSV files, since browsers cannot send `Accept: text/csv`. Valid for a minute: a crash may empty it.
create unlogged table export_links (
  id uuid primary key,
  -- SHA-256 of the last part of the address, which works for its user only.
  token_hash bytea not null constraint export_links_token unique,
  user_id uuid not null constraint export_links_user references users on delete cascade,
  -- Path of the list below /admin/, and its filters as in a URL.
  list text not null,
  query text not null, language text not null, created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint export_links_digest check (length(token_hash) = 32),
  constraint export_links_language check (language in ('fr', 'en')),
  constraint export_links_lengths check (char_length(list) between 1 and 200 and char_length(query) <= 2000)
);
-- The foreign key, and erasure of a person.
create index export_links_by_user on export_links (user_id);
-- Expired rows are deleted every hour.
create index export_links_by_expiry on export_links (expires_at);
