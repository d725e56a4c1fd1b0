-- Lists count their rows when they are read. Before this, each change of a publication wrote signed counts for every list.
create or replace function refresh_publication_listings(changed uuid[]) returns void language plpgsql
  -- Planning takes ten times as long as the work.
  set plan_cache_mode = force_generic_plan as $$ declare present_time timestamptz := begin_publication_changes(); begin
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
    from due where publie_le <= present_time group by publication_id)
  insert into publication_changes (publication_id, at, communes_before, communes_after)
  select publication_id, present_time, was.communes, becomes.communes
  from was full join becomes using (publication_id)
  where was.communes is distinct from becomes.communes
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after;

  delete from publication_changes where is_scheduled and publication_id = any(changed) and at > present_time;
  insert into publication_changes (publication_id, at, communes_after, is_scheduled)
  select publication_id, publie_le,
    array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000'), true
  from publication_listings where publication_id = any(changed) and publie_le > present_time
  group by publication_id, publie_le
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after;
end $$;

create or replace function maintain_publications() returns trigger language plpgsql
  -- Planning takes longer than the work.
  set plan_cache_mode = force_generic_plan as $$ declare
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
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from new_rows where valide and deleted_at is null and publie_le is not null;
  else
    perform count_duplicate_groups(array(select duplicate_key from old_rows where deleted_at is null));
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from old_rows where valide and deleted_at is null and publie_le is not null;
  end if;
  if seen is null then return null; end if;

  -- A concurrent change that hides one of these acteurs waits, or has been waited for.
  perform from acteurs where id = any(acteur_ids) order by id for share;
  if moved <> '{}' then
    perform refresh_publication_listings(moved);
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
end $$;

create or replace function maintain_commune_lists() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$ declare
  changed uuid[] := array(select distinct publication_id from rows);
  others uuid[];
begin
  perform from publications where id = any(changed) order by id for no key update;
  select array_agg(rows.publication_id), array_agg(rows.commune_id) || array_agg(p.acteur_id) into changed, others
  from rows left join publications p on p.id = rows.publication_id
  where tg_op = 'DELETE' or (p.valide and p.deleted_at is null and p.publie_le is not null and not exists (
    select from publication_listings l
    where l.publication_id = rows.publication_id and l.commune_id = rows.commune_id));
  if changed is not null then
    perform lock_and_refresh_publication_listings(changed);
    perform notify_publications(changed, others);
  end if;
  return null;
end $$;

-- Rebuilds the public lists and the groups of duplicates, after writes that bypassed the triggers.
create or replace function rebuild_publication_lists() returns void language plpgsql as $$ begin
  truncate publication_listings, duplicate_groups;
  insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
    date_debut, date_fin)
  select * from listed_publications;
  insert into duplicate_groups (duplicate_key, members)
  select duplicate_key, count(*) from publications where deleted_at is null group by 1 having count(*) > 1;
end $$;

-- Instances of the version before read the counts until they are replaced: from views, which count rows.
drop table listing_counts, publication_counts;
drop function gather_listing_counts, gather_publication_counts, lists_of;

create view listing_counts as
  select 'all' as list, commune_id as key, type_id, 1 as n from publication_listings
  where commune_id = '00000000-0000-0000-0000-000000000000'
  union all
  select 'commune', commune_id, type_id, 1 from publication_listings
  where commune_id <> '00000000-0000-0000-0000-000000000000'
  union all
  select 'acteur', acteur_id, null, 1 from publication_listings
  where commune_id = '00000000-0000-0000-0000-000000000000' and acteur_id is not null;

create view publication_counts as
  select 'all' as list, '00000000-0000-0000-0000-000000000000'::uuid as key, type_id, moderation_status, valide,
    deleted_at is not null as deleted, 1 as n from publications
  union all
  select 'commune', pc.commune_id, null, moderation_status, valide, deleted_at is not null, 1
  from publications p join publication_communes pc on pc.publication_id = p.id
  union all
  select 'acteur', acteur_id, null, moderation_status, valide, deleted_at is not null, 1
  from publications where acteur_id is not null;

-- These instances go on reading at once, before the start grants what is new.
do $$ declare reader text; begin
  for reader in
    select distinct grantee::regrole::text from pg_class cross join lateral aclexplode(relacl)
    where oid = 'publications'::regclass and privilege_type = 'SELECT' and grantee <> 0 loop
    execute format('grant select on listing_counts, publication_counts to %s', reader);
  end loop;
end $$;
