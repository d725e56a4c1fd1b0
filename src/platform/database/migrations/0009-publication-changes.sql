-- A feed of what the public sees, written with each change and read in the order of `at` up to a horizon.
create table publication_changes (
  id bigint generated always as identity primary key, publication_id uuid not null,
  -- When the change takes effect: in the future for a publication that is scheduled.
  at timestamptz not null,
  -- The communes in which the public saw it before, and sees it afterwards; null: it was, or is, not visible.
  communes_before uuid[], communes_after uuid[],
  is_scheduled boolean not null default false,
  -- Changes of one publication in one transaction are one row. A restored database counts from the start, hence the time.
  transaction_id xid8 not null default pg_current_xact_id(),
  began_at timestamptz not null default now(),
  constraint publication_changes_once unique (publication_id, transaction_id, began_at, is_scheduled),
  -- What is scheduled was not visible before.
  constraint publication_changes_scheduled_new check (not is_scheduled or communes_before is null)
);
-- The feed, and its retention.
create index publication_changes_by_time on publication_changes (at, id);
-- Rescheduling.
create index publication_changes_scheduled on publication_changes (publication_id) where is_scheduled;

-- Announces a write to the feed and returns its time. The lock says since when: readers see it in pg_locks.
create function begin_publication_changes() returns timestamptz language plpgsql as $$ begin
  -- The upper half of the key is ours, the lower half the second.
  perform pg_advisory_xact_lock_shared(
    (20260038::bigint << 32) + least(floor(extract(epoch from clock_timestamp())), 4294967295)::bigint);
  -- After the lock, so that a reader that did not see it has looked before this time.
  return clock_timestamp();
end $$;

-- Returns the time up to which the feed is complete on the primary. Rows must be read by a later statement.
create function publication_changes_horizon() returns timestamptz language plpgsql as $$ declare
  -- Before the locks are looked at.
  present timestamptz := clock_timestamp();
  oldest bigint;
begin
  select min(objid::bigint) into oldest from pg_locks
  where locktype = 'advisory' and classid = 20260038 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database());
  return least(present, to_timestamp(oldest));
end $$;
