-- The communes in which publications are shown: their own; of an acteur that a group names, without any of their own, all members.
create view publication_places as
  select publication_id, commune_id from publication_communes
  union all
  select p.id, m.commune_id
  from publications p join groups g on g.acteur_id = p.acteur_id join group_communes m on m.group_id = g.id
  where not exists (select from publication_communes pc where pc.publication_id = p.id);

create or replace view listed_publications as
  select listed.*
  from publications p
  left join acteurs a on a.id = p.acteur_id
  cross join lateral (
    select '00000000-0000-0000-0000-000000000000'::uuid as commune_id
    union all
    select pc.commune_id from publication_communes pc where pc.publication_id = p.id
    union all
    -- A commune may be a member of two groups that name one acteur.
    select distinct m.commune_id from groups g join group_communes m on m.group_id = g.id
    where g.acteur_id = p.acteur_id
      and not exists (select from publication_communes pc where pc.publication_id = p.id)) place
  cross join lateral listing_of(p, place.commune_id) listed
  where is_listed(p, a) and p.publie_le is not null;

create or replace view current_listings as
  select commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle, date_debut, date_fin
  from (
    -- Without a condition of its own, so that PostgreSQL walks it by its indexes.
    select l.*, false as is_computed from publication_listings l
    union all
    select listed.*, true from publications p join acteurs a on a.id = p.acteur_id
    cross join lateral listing_of(p, '00000000-0000-0000-0000-000000000000') listed
    where p.acteur_id = any(array(
      select r.acteur_id from listing_refreshes r join acteurs shown on shown.id = r.acteur_id
      where shown.active and shown.deleted_at is null)) and is_listed(p, a) and p.publie_le is not null
    union all
    select listed.*, true from publications p join acteurs a on a.id = p.acteur_id
    cross join lateral (
      select pc.commune_id from publication_communes pc where pc.publication_id = p.id
      union all
      select distinct m.commune_id from groups g join group_communes m on m.group_id = g.id
      where g.acteur_id = p.acteur_id
        and not exists (select from publication_communes pc where pc.publication_id = p.id)) place
    cross join lateral listing_of(p, place.commune_id) listed
    where p.acteur_id = any(array(
      select r.acteur_id from listing_refreshes r join acteurs shown on shown.id = r.acteur_id
      where shown.active and shown.deleted_at is null)) and is_listed(p, a) and p.publie_le is not null) parts
  where is_computed or acteur_id is null or acteur_id <> all(array(select acteur_id from listing_refreshes));

-- Triggers of the version before read it at once, before the start grants what is new.
do $$ declare reader text; begin
  for reader in
    select distinct grantee::regrole::text from pg_class cross join lateral aclexplode(relacl)
    where oid = 'publications'::regclass and privilege_type = 'SELECT' and grantee <> 0 loop
    execute format('grant select on publication_places to %s', reader);
  end loop;
end $$;

-- As before, and the members of groups.
create or replace function notify_publications(changed uuid[], others uuid[]) returns void language plpgsql as $$ declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_places where publication_id = any(changed)
    union select unnest(images) from publications where id = any(changed) and images is not null
    union select unnest(documents) from publications where id = any(changed) and documents is not null
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end $$;

-- As before. With the first commune of its own, a publication leaves the other members of the group; without the last, it joins them.
create or replace function maintain_commune_lists() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$ declare
  changed uuid[] := array(select distinct publication_id from rows);
  others uuid[];
begin
  perform from publications where id = any(changed) order by id for no key update;
  select array_agg(rows.publication_id), array_agg(rows.commune_id) || array_agg(p.acteur_id) into changed, others
  from rows left join publications p on p.id = rows.publication_id
  where tg_op = 'DELETE' or (p.valide and p.deleted_at is null and p.publie_le is not null and (
    exists (select from groups g where g.acteur_id = p.acteur_id) or not exists (
      select from publication_listings l
      where l.publication_id = rows.publication_id and l.commune_id = rows.commune_id)));
  if changed is not null then
    perform lock_and_refresh_publication_listings(changed);
    perform notify_publications(changed, others || array(
      select m.commune_id from publications p join groups g on g.acteur_id = p.acteur_id
      join group_communes m on m.group_id = g.id where p.id = any(changed) limit 51));
  end if;
  return null;
end $$;

-- As before, in smaller batches for the acteur of groups with many members.
create or replace function refresh_listings_of(acteur uuid, batch integer) returns boolean language plpgsql
  set plan_cache_mode = force_generic_plan as $$ declare
  position_at timestamptz;
  position_id uuid;
  ids uuid[];
begin
  -- Writes of its publications wait, or have been waited for, and so does another change of the acteur.
  perform from acteurs where id = acteur for no key update;
  select after_created_at, after_id into position_at, position_id from listing_refreshes where acteur_id = acteur for update;
  if not found then return false; end if;
  select least(batch, greatest(1, 20000 / greatest(1, count(*)))) into batch
  from groups g join group_communes m on m.group_id = g.id where g.acteur_id = acteur;
  with picked as materialized (
    select id, created_at from publications
    where acteur_id = acteur and (created_at, id) < (position_at, position_id)
    order by created_at desc, id desc limit batch)
  select array_agg(id), min(created_at), (array_agg(id order by created_at, id))[1]
  into ids, position_at, position_id from picked;
  if ids is not null then
    perform refresh_publication_listings(ids);
  end if;
  if coalesce(cardinality(ids), 0) < batch then
    delete from listing_refreshes where acteur_id = acteur;
    return false;
  end if;
  update listing_refreshes set after_created_at = position_at, after_id = position_id, done = done + batch
  where acteur_id = acteur;
  return true;
end $$;

-- Begins to refresh the lists of acteurs whose groups or members changed. The caller enqueues the jobs of what is left.
create function refresh_lists_of_acteurs(changed uuid[]) returns void language plpgsql as $$ declare acteur uuid; begin
  for acteur in select distinct id from unnest(changed) id where id is not null order by id loop
    -- A publication that is written meanwhile waits, or has been waited for.
    perform from acteurs where id = acteur for no key update;
    delete from listing_refreshes where acteur_id = acteur;
    insert into listing_refreshes (acteur_id, total)
    select acteur, count(*) from publications where acteur_id = acteur;
    perform refresh_listings_of(acteur, 500);
    perform pg_notify('parvis_changes', tag) from unnest(array['publications', 'publications*']) tag;
  end loop;
end $$;

create function refresh_lists_of_members() returns trigger language plpgsql as $$ begin
  perform refresh_lists_of_acteurs(array(
    select g.acteur_id from groups g where g.id in (select group_id from rows) and g.acteur_id is not null));
  return null;
end $$;
create trigger group_communes_inserted after insert on group_communes
  referencing new table as rows for each statement execute function refresh_lists_of_members();
create trigger group_communes_deleted after delete on group_communes
  referencing old table as rows for each statement execute function refresh_lists_of_members();

-- After a deletion its members are deleted already: triggers fire in the order of their names.
create function refresh_lists_of_group() returns trigger language plpgsql as $$ begin
  perform refresh_lists_of_acteurs(array[old.acteur_id, case tg_op when 'UPDATE' then new.acteur_id end]);
  return null;
end $$;
create trigger groups_acteur_changed after update on groups for each row
  when (old.acteur_id is distinct from new.acteur_id) execute function refresh_lists_of_group();
create trigger groups_with_acteur_deleted after delete on groups for each row
  when (old.acteur_id is not null) execute function refresh_lists_of_group();
