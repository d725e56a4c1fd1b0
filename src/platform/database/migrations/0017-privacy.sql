-- The trail is sealed in this order. It is that of the rows' making, as nearly as several at once can have one: ids are
-- made by instances whose clocks differ, and times may be the same.
create sequence audit_log_seq;
alter table audit_log add column seq bigint not null default nextval('audit_log_seq');
-- The trigger below gives the number; whoever adds a row says none.
alter table audit_log alter column seq set default 0;
alter sequence audit_log_seq owned by audit_log.seq;
-- Sealed and verified page by page.
create unique index audit_log_by_seq on audit_log (seq);

-- When a change was made, and its place in the trail, are PostgreSQL's to say. The transaction has its number before it
-- draws one for the row: once all transactions with smaller numbers have ended, no smaller row can come any more. With
-- the owner's rights, so that nobody else needs any on the sequence.
create or replace function stamp_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  new.at := clock_timestamp();
  perform pg_current_xact_id();
  new.seq := nextval('public.audit_log_seq');
  return new;
end
$$;

-- What the trail was at a moment, under a key that is kept outside the database. Each covers the rows after those of the
-- one before it, and names that one: what is changed, taken out or put in between no longer fits.
create table audit_seals (
  number bigint constraint audit_seals_pkey primary key,
  sealed_at timestamptz(3) not null,
  -- Tells keys apart, and nothing of them.
  key_id text not null,
  -- The rows with a larger seq than the first and none larger than the second.
  after_seq bigint not null,
  last_seq bigint not null,
  -- How many rows it covers together with those before it.
  total bigint not null,
  -- Of each of its rows in order: the id, and a keyed digest of all the row says. Sixteen bytes each.
  entries bytea not null,
  previous bytea not null,
  mac bytea not null,
  constraint audit_seals_form check (
    number > 0 and last_seq > after_seq and length(entries) > 0 and length(entries) % 32 = 0
    and length(previous) = 32 and length(mac) = 32)
);
create trigger audit_seals_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();

-- An account whose person was erased: a number that others refer to, and nothing of whose it was.
alter table users add column erased_at timestamptz(3);
alter table users drop constraint users_known;
alter table users add constraint users_known check (
  issuer is not null or email is not null or erased_at is not null);
-- Erased is erased whole, and stays so.
alter table users add constraint users_erased_whole check (
  erased_at is null or (num_nonnulls(issuer, subject, email, nom, last_seen_at) = 0 and not actif));

-- Tokens of before an erasure are refused, although nobody knows any more whose they were.
create table erased_identities (
  -- Of the issuer and its subject, under a key that is kept outside the database.
  digest text constraint erased_identities_pkey primary key,
  tokens_valid_from timestamptz(3) not null,
  erased_at timestamptz(3) not null default now()
);
-- They go when no token of before can be valid any more.
create index erased_identities_by_age on erased_identities (erased_at);

-- What the last run of each part of the retention did: the metrics of every instance tell it.
create table retention_runs (
  part text constraint retention_runs_pkey primary key,
  ran_at timestamptz(3) not null,
  rows integer not null
);
