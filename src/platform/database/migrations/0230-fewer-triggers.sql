-- One trigger per kind of change of publications instead of three or four: each looked up the same rows, and locked the
-- same acteurs, again. What neither was nor is public has no rows in public lists, and is not looked up any more.

-- Groups of duplicates have a row from the second member on: of a hundred publications, 97 had a group of their own.
-- Counts the groups of these keys again. The lock makes concurrent changes of a group wait: neither would see the other.
create function count_duplicate_groups(keys text[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
begin
  if keys = '{}' then return; end if;
  -- The number of locks is limited: a change of a whole country takes one for all keys.
  if cardinality(keys) > 1000 then
    perform pg_advisory_xact_lock(20260230);
  else
    perform pg_advisory_xact_lock_shared(20260230);
    perform pg_advisory_xact_lock(20260230, hash) from (
      select distinct hashtext(key) as hash from unnest(keys) key order by hash) locks;
  end if;
  with counted as materialized (
    select duplicate_key, count(*)::integer as members from publications
    where duplicate_key = any(keys) and deleted_at is null group by duplicate_key having count(*) > 1),
  written as (
    insert into duplicate_groups as g (duplicate_key, members) select duplicate_key, members from counted
    on conflict (duplicate_key) do update set members = excluded.members where g.members <> excluded.members)
  delete from duplicate_groups
  where duplicate_key = any(keys) and duplicate_key not in (select duplicate_key from counted);
end
$$;

-- Keeps what depends on publications: groups of duplicates, totals of the back-office, public lists, the feed; and
-- notifies every instance. `seen`: those that were public or are, unless their acteur is hidden.
create function keep_publications() returns trigger language plpgsql
  -- Planning takes longer than the work.
  set plan_cache_mode = force_generic_plan as $$
declare
  seen uuid[];
  moved uuid[];
  acteur_ids uuid[];
  present_time timestamptz;
begin
  if tg_op = 'UPDATE' then
    perform count_duplicate_groups(array(
      select key from old_rows o full join new_rows n using (id)
      cross join lateral (values (o.duplicate_key, o.deleted_at), (n.duplicate_key, n.deleted_at)) state (key, deleted_at)
      where (o.duplicate_key, o.deleted_at is null) is distinct from (n.duplicate_key, n.deleted_at is null)
        and state.deleted_at is null and key is not null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then state.type_id end, state.moderation_status, state.valide, state.deleted,
      sum(state.n)
    from old_rows o full join new_rows n using (id)
    cross join lateral (
      select '00000000-0000-0000-0000-000000000000'::uuid as commune_id
      union all
      select pc.commune_id from publication_communes pc where pc.publication_id = id) place
    cross join lateral (values
      (1, n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is not null),
      (-1, o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is not null)
      ) state (n, acteur_id, type_id, moderation_status, valide, deleted)
    cross join lateral lists_of(place.commune_id, state.acteur_id)
    where (o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is null)
        is distinct from (n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is null)
      and state.valide is not null
    group by 1, 2, 3, 4, 5, 6 having sum(state.n) <> 0;
    select array_agg(id), array_agg(o.acteur_id) || array_agg(n.acteur_id),
      coalesce(array_agg(id) filter (where
        (o.valide, o.moderation_status, o.deleted_at, o.publie_le, o.acteur_id, o.type_id, o.en_avant,
          o.featured_until, o.epingle, o.date_debut, o.date_fin)
        is distinct from (n.valide, n.moderation_status, n.deleted_at, n.publie_le, n.acteur_id, n.type_id, n.en_avant,
          n.featured_until, n.epingle, n.date_debut, n.date_fin)), '{}')
    into seen, acteur_ids, moved
    from old_rows o full join new_rows n using (id)
    where o.version is distinct from n.version
      and ((o.valide and o.deleted_at is null and o.publie_le is not null)
        or (n.valide and n.deleted_at is null and n.publie_le is not null));
  elsif tg_op = 'INSERT' then
    perform count_duplicate_groups(array(select duplicate_key from new_rows where deleted_at is null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
    from new_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from new_rows where valide and deleted_at is null and publie_le is not null;
  else
    perform count_duplicate_groups(array(select duplicate_key from old_rows where deleted_at is null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, -count(*)
    from old_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from old_rows where valide and deleted_at is null and publie_le is not null;
  end if;
  if seen is null then return null; end if;

  -- A concurrent change that hides one of these acteurs waits, or has been waited for.
  perform from acteurs where id = any(acteur_ids) order by id for share;
  if moved <> '{}' then
    perform list_again(moved);
  end if;
  if tg_op = 'UPDATE' then
    present_time := begin_publication_changes();
    insert into publication_changes (publication_id, at, communes_before, communes_after)
    select publication_id, present_time, communes, communes from (
      select publication_id,
        array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
      from publication_listings where publie_le <= present_time and publication_id = any(seen)
      group by publication_id) visible
    on conflict on constraint publication_changes_once
      do update set at = excluded.at, communes_after = excluded.communes_after
      -- The lists noted it in this transaction, under a lock that is still held.
      where publication_changes.communes_after is distinct from excluded.communes_after;
  end if;
  perform notify_publications(seen, acteur_ids);
  return null;
end
$$;

-- Keeps the same for publications that join or leave communes. Those that join in the statement that writes them have
-- their rows, and are notified of, already. Those that leave are always notified of: the statement may have hidden them.
create or replace function keep_commune_lists() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed uuid[] := array(select distinct publication_id from rows);
  others uuid[];
begin
  perform from publications where id = any(changed) order by id for no key update;
  insert into publication_counts (list, key, moderation_status, valide, deleted, n)
  select 'commune', rows.commune_id, p.moderation_status, p.valide, p.deleted_at is not null, step * count(*)
  from rows join publications p on p.id = rows.publication_id
  group by 2, 3, 4, 5;
  select array_agg(rows.publication_id), array_agg(rows.commune_id) || array_agg(p.acteur_id) into changed, others
  from rows left join publications p on p.id = rows.publication_id
  where tg_op = 'DELETE' or (p.valide and p.deleted_at is null and p.publie_le is not null and not exists (
    select from publication_listings l
    where l.publication_id = rows.publication_id and l.commune_id = rows.commune_id));
  if changed is not null then
    perform relist_publications(changed);
    perform notify_publications(changed, others);
  end if;
  return null;
end
$$;

create or replace function rebuild_publication_lists() returns void language plpgsql as $$
begin
  truncate publication_listings, listing_counts, publication_counts, duplicate_groups;
  insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
    date_debut, date_fin)
  select * from listed_publications;
  insert into listing_counts (list, key, type_id, n)
  select list, key, case when list <> 'acteur' then type_id end, count(*)
  from publication_listings l cross join lateral lists_of(l.commune_id, l.acteur_id)
  group by 1, 2, 3;
  insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
  select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
  from publications p
  cross join lateral (
    select * from lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    union all
    select 'commune', pc.commune_id from publication_communes pc where pc.publication_id = p.id) lists
  group by 1, 2, 3, 4, 5, 6;
  insert into duplicate_groups (duplicate_key, members)
  select duplicate_key, count(*) from publications where deleted_at is null group by 1 having count(*) > 1;
end
$$;

-- Types of an acteur's list are not counted apart: no list asks for them.
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
  select list, key, case when list <> 'acteur' then type_id end, sum(n) from (
    select *, 1 as n from coming union all select *, -1 from leaving) changes
  cross join lateral lists_of(commune_id, acteur_id)
  group by 1, 2, 3 having sum(n) <> 0;

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

create or replace function empty_publication_lists() returns trigger language plpgsql as $$
begin
  perform rebuild_publication_lists();
  perform pg_notify('parvis_changes', tag) from unnest(array['publications', 'publications*']) tag;
  return null;
end
$$;

drop trigger publications_count_inserted on publications;
drop trigger publications_count_updated on publications;
drop trigger publications_list_inserted on publications;
drop trigger publications_list_updated on publications;
drop trigger publications_list_deleted on publications;
drop trigger publications_note_edits on publications;
drop trigger publications_told on publications;
drop trigger publications_told_inserted on publications;
drop trigger publications_told_updated on publications;
drop trigger publications_told_deleted on publications;
drop trigger publication_communes_told_inserted on publication_communes;
drop trigger publication_communes_told_deleted on publication_communes;
create trigger publications_inserted after insert on publications
  referencing new table as new_rows for each statement execute function keep_publications();
create trigger publications_updated after update on publications
  referencing old table as old_rows new table as new_rows for each statement execute function keep_publications();
create trigger publications_deleted after delete on publications
  referencing old table as old_rows for each statement execute function keep_publications();
drop function count_duplicates, recount_duplicates, keep_publication_lists, note_publication_edits, tell_publications,
  tell_publication_communes;

-- Leaves the groups that are shared. Nobody writes publications meanwhile: the new triggers lock them.
do $$
declare
  shared duplicate_groups[];
begin
  lock table duplicate_groups in access exclusive mode;
  shared := array(select g from duplicate_groups g where members > 1);
  truncate duplicate_groups;
  insert into duplicate_groups select one.* from unnest(shared) one;
end
$$;
