-- The versions of title and text of publications that were changed since this migration.

create table publication_versions (
  id uuid constraint publication_versions_pkey primary key,
  publication_id uuid not null constraint publication_versions_publication references publications on delete cascade,
  title text not null,
  body text not null,
  -- Null: an import, or nobody knows any more.
  written_by uuid constraint publication_versions_written_by references users,
  written_at timestamptz(3) not null,
  how text not null,
  constraint publication_versions_how check (how in ('created', 'edited', 'corrected', 'imported'))
);
-- The history of one publication, newest first.
create index publication_versions_by_publication on publication_versions (publication_id, written_at desc, id desc);
-- Export and erasure of a person; the foreign key.
create index publication_versions_by_author on publication_versions (written_by, id) where written_by is not null;
-- Retention.
create index publication_versions_by_age on publication_versions (written_at);

-- What the author is told of a correction.
alter table publication_mails add column reason text;
