-- A feed of what changes in what the public sees, for callers that keep a copy. Triggers write it in the transaction of
-- the change, whoever makes it. It is read in the order of `at`, up to a horizon below which nothing can be added.

create table publication_changes (
  id bigint generated always as identity constraint publication_changes_pkey primary key,
  publication_id uuid not null,
  -- When the change takes effect: in the future for a publication that is scheduled.
  at timestamptz not null,
  -- The communes in which the public saw it before, and sees it afterwards; null: it was, or is, not visible.
  communes_before uuid[],
  communes_after uuid[],
  is_scheduled boolean not null default false,
  -- The transaction, whose changes of one publication are one row. A restored database counts transactions from the
  -- beginning again, hence the time.
  transaction_id xid8 not null default pg_current_xact_id(),
  began_at timestamptz not null default now(),
  constraint publication_changes_once unique (publication_id, transaction_id, began_at, is_scheduled),
  -- A publication that is scheduled was not visible before.
  constraint publication_changes_scheduled_new check (not is_scheduled or communes_before is null)
);
-- The feed, and its retention.
create index publication_changes_by_time on publication_changes (at, id);
-- Rescheduling.
create index publication_changes_scheduled on publication_changes (publication_id) where is_scheduled;

-- Announces that this transaction writes to the feed, and returns the time of its change. The shared advisory lock holds
-- the current second until the transaction ends: readers see in pg_locks how far back running transactions may write.
create function begin_publication_changes() returns timestamptz language plpgsql as $$
begin
  -- The upper half of the key is ours, the lower half the second.
  perform pg_advisory_xact_lock_shared(
    (20260038::bigint << 32) + least(floor(extract(epoch from clock_timestamp())), 4294967295)::bigint);
  -- After the lock, so that a reader that did not see it has looked before this time.
  return clock_timestamp();
end
$$;

-- Returns the time up to which the feed is complete: no running or future transaction adds a row before it. Rows must be
-- read by a later statement. Only the primary server knows its locks.
create function publication_changes_horizon() returns timestamptz language plpgsql as $$
declare
  -- Before the locks are looked at.
  present timestamptz := clock_timestamp();
  oldest bigint;
begin
  select min(objid::bigint) into oldest from pg_locks
  where locktype = 'advisory' and classid = 20260038 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database());
  return least(present, to_timestamp(oldest));
end
$$;

-- As before, and notes in the feed what becomes visible, changes its communes, or disappears.
create or replace function list_again(changed uuid[]) returns void language plpgsql
  -- Planning takes ten times as long as the work.
  set plan_cache_mode = force_generic_plan as $$
declare
  present_time timestamptz := begin_publication_changes();
begin
  with due as materialized (select * from listed_publications where publication_id = any(changed)),
  present as materialized (select * from publication_listings where publication_id = any(changed)),
  coming as materialized (select * from due except select * from present),
  leaving as materialized (select * from present except select * from due),
  deleted as (
    delete from publication_listings l using leaving
    where l.publication_id = leaving.publication_id and l.commune_id = leaving.commune_id and not exists (
      select from coming
      where coming.publication_id = leaving.publication_id and coming.commune_id = leaving.commune_id)),
  written as (
    insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
      date_debut, date_fin)
    select * from coming
    on conflict (publication_id, commune_id) do update set publie_le = excluded.publie_le,
      acteur_id = excluded.acteur_id, type_id = excluded.type_id, featured_until = excluded.featured_until,
      epingle = excluded.epingle, date_debut = excluded.date_debut, date_fin = excluded.date_fin),
  -- The communes in which each was visible, and is now. The row of zeros, the whole country, is always among them.
  was as (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from present where publie_le <= present_time group by publication_id),
  becomes as (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from due where publie_le <= present_time group by publication_id),
  noted as (
    insert into publication_changes (publication_id, at, communes_before, communes_after)
    select publication_id, present_time, was.communes, becomes.communes
    from was full join becomes using (publication_id)
    where was.communes is distinct from becomes.communes
    on conflict on constraint publication_changes_once
      do update set at = excluded.at, communes_after = excluded.communes_after)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from (
    select *, 1 as n from coming union all select *, -1 from leaving) changes
  cross join lateral lists_of(commune_id, acteur_id)
  group by list, key, type_id having sum(n) <> 0;

  delete from publication_changes where is_scheduled and publication_id = any(changed) and at > present_time;
  insert into publication_changes (publication_id, at, communes_after, is_scheduled)
  select publication_id, publie_le,
    array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000'), true
  from publication_listings where publication_id = any(changed) and publie_le > present_time
  group by publication_id, publie_le
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after;
end
$$;

-- Notes in the feed that the content of a visible publication has changed. Runs before its lists are made again: if it
-- is no longer visible then, its row says so. The acteurs are locked first, as for the lists: an edit that runs beside
-- the deactivation of its acteur is noted before it, or finds the publication hidden.
create function note_publication_edits() returns trigger language plpgsql as $$
declare
  present_time timestamptz;
begin
  perform from acteurs where id = any(array(select acteur_id from new_rows)) order by id for share;
  present_time := begin_publication_changes();
  insert into publication_changes (publication_id, at, communes_before, communes_after)
  select publication_id, present_time, communes, communes from (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from publication_listings
    where publie_le <= present_time and publication_id = any(array(
      select n.id from old_rows o join new_rows n using (id) where o.version <> n.version))
    group by publication_id) visible
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after;
  return null;
end
$$;
create trigger publications_edits_noted after update on publications
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_publication_edits();

-- What is scheduled already.
insert into publication_changes (publication_id, at, communes_after, is_scheduled)
select publication_id, publie_le,
  array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000'), true
from publication_listings where publie_le > now() group by publication_id, publie_le;
