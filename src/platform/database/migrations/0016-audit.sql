-- Entries are sealed in the order of this sequence: ids come from instances whose clocks differ, and times may be equal.
create sequence audit_log_seq;

-- Who did what, when, from where. Append-only: the service's role has no other right, and triggers refuse the owner too.
create table audit_log (
  id uuid primary key,
  -- When the change was made, not when its transaction began: the entries of a record are in order.
  at timestamptz(3) not null default clock_timestamp(),
  -- No foreign key: the log outlives users. Null: a command, a job, or somebody not signed in.
  user_id uuid,
  action text not null, entity text not null, entity_id text not null, before jsonb, after jsonb, app_source text,
  request_id text,
  -- From audit_log_seq, by the trigger audit_log_time.
  seq bigint not null default 0
);
-- The list, newest first, and by each of its filters.
create index audit_log_by_time on audit_log (at desc, id desc);
create index audit_log_by_user on audit_log (user_id, at desc, id desc);
create index audit_log_by_action on audit_log (action, at desc, id desc);
-- Seals and verifications go page by page.
create unique index audit_log_by_seq on audit_log (seq);
-- The few entries of a request: a hash has a quarter of the size.
create index audit_log_of_request on audit_log using hash (request_id) where request_id is not null;
-- By record and by entity. Entries of one millisecond are sorted when read: ids were a third of these indexes.
create index audit_log_of_record on audit_log (entity_id, at desc);
create index audit_log_of_entity on audit_log (entity, at desc);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
alter sequence audit_log_seq owned by audit_log.seq;

-- Seals under a key outside the database. Each covers the entries after the previous one, and names that.
create table audit_seals (
  number bigint primary key, sealed_at timestamptz(3) not null,
  -- Distinguishes keys, and reveals nothing of them.
  key_id text not null,
  -- Covers after_seq < seq <= last_seq.
  after_seq bigint not null, last_seq bigint not null,
  -- Entries covered by this and all earlier seals.
  total bigint not null,
  -- Of each entry in order, 16 bytes of its id and 16 of a keyed digest of the whole row.
  entries bytea not null,
  previous bytea not null, mac bytea not null,
  constraint audit_seals_form check (
    number > 0 and last_seq > after_seq and length(entries) > 0 and length(entries) % 32 = 0
    and length(previous) = 32 and length(mac) = 32)
);
-- The first and last seal of each key, however many seals there are.
create index audit_seals_by_key on audit_seals (key_id, number);
create trigger audit_seals_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();

-- Seals that failed their check, each reported once. The chain continues from the last good one.
create table audit_seal_faults (
  number bigint primary key, found_at timestamptz(3) not null default now(), reason text not null,
  constraint audit_seal_faults_reason check (reason in ('altered', 'unknown_key'))
);
create trigger audit_seal_faults_append_only before update or delete or truncate on audit_seal_faults
  for each statement execute function refuse_change();

-- Complete verifications by `npm run audit -- verify`: the back-office shows the last.
create table audit_verifications (
  id bigint generated always as identity primary key, at timestamptz(3) not null default clock_timestamp(),
  seals bigint not null, rows bigint not null, faults bigint not null,
  constraint audit_verifications_counts check (seals >= 0 and rows >= 0 and faults >= 0)
);
create trigger audit_verifications_append_only before update or delete or truncate on audit_verifications
  for each statement execute function refuse_change();

-- The database gives an entry its time and position. The transaction takes its number first: once all with smaller numbers have
-- ended, no smaller row can come. Security definer, so that nobody else needs rights on the sequence.
create function stamp_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$ begin
  new.at := clock_timestamp();
  perform pg_current_xact_id();
  new.seq := nextval('public.audit_log_seq');
  return new;
end $$;
create trigger audit_log_time before insert on audit_log for each row execute function stamp_audit();

-- A seal ends the chain within the log: the service's role, which may insert seals, cannot take the last possible number.
create function check_seal() returns trigger language plpgsql as $$ begin
  if new.number <> coalesce((select max(number) from public.audit_seals where number <> new.number), 0) + 1 then
    raise exception 'a seal takes the next number' using errcode = 'check_violation';
  end if;
  if new.last_seq > coalesce((select max(seq) from public.audit_log), 0) then
    raise exception 'a seal ends within the audit log' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger audit_seals_placed after insert on audit_seals for each row execute function check_seal();
