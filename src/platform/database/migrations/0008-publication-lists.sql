-- What public lists show: a row for the whole country, and one for each commune of a listed publication, kept by triggers.
create table publication_listings (
  -- All zeros: the whole country.
  commune_id uuid not null,
  publication_id uuid not null,
  -- In the future: it is not shown yet.
  publie_le timestamptz(3) not null,
  acteur_id uuid, type_id uuid,
  -- Null: not featured; infinity: without an end.
  featured_until timestamptz(3),
  epingle boolean not null, date_debut date, date_fin date,
  -- The rows of a publication.
  constraint publication_listings_pkey primary key (publication_id, commune_id)
);
-- Each list, newest first; what was featured is passed over without reading the rows.
create index publication_listings_newest on publication_listings (commune_id, publie_le desc, publication_id desc)
  include (featured_until);
-- The featured ones of a list.
create index publication_listings_featured on publication_listings (commune_id) where featured_until is not null;
-- Those of one type.
create index publication_listings_by_type
  on publication_listings (type_id, publie_le desc, publication_id desc) include (featured_until)
  where commune_id = '00000000-0000-0000-0000-000000000000';
-- Those of an acteur, and those it has pinned.
create index publication_listings_by_acteur
  on publication_listings (acteur_id, publie_le desc, publication_id desc) include (epingle, featured_until)
  where commune_id = '00000000-0000-0000-0000-000000000000';
create index publication_listings_pinned on publication_listings (acteur_id)
  where commune_id = '00000000-0000-0000-0000-000000000000' and epingle;
-- The agenda by first day.
create index publication_listings_by_date on publication_listings (commune_id, date_debut, publication_id) include (publie_le);
-- The agenda: what is not over.
create index publication_listings_by_last_day on publication_listings (commune_id, coalesce(date_fin, date_debut))
  include (publication_id, publie_le, date_debut, date_fin, featured_until) where date_debut is not null;
-- The agenda from a day on: what began before it and is not over. What lasts more than a month is rare, and apart.
create index publication_listings_under_way on publication_listings (commune_id, (date_fin - date_debut > 31), date_fin)
  include (date_debut, publication_id, publie_le) where date_fin > date_debut;

-- Signed counts by list: of all, a commune or an acteur. A change adds rows and locks none; one insert in fifty adds them up.
create table listing_counts (
  list text not null, key uuid not null, type_id uuid, n integer not null,
  constraint listing_counts_list check (list in ('all', 'commune', 'acteur'))
);
-- The counts of one list.
create index listing_counts_by_list on listing_counts (list, key);

-- The same for the lists of the back-office, in each state. Only the whole is split by type.
create table publication_counts (
  list text not null, key uuid not null, type_id uuid, moderation_status text not null, valide boolean not null,
  deleted boolean not null, n integer not null,
  constraint publication_counts_list check (list in ('all', 'commune', 'acteur'))
);
-- The counts of one list.
create index publication_counts_by_list on publication_counts (list, key);

-- The rule of what the public sees of a publication and its acteur, once its publication time has come.
create function is_listed(p publications, a acteurs) returns boolean language sql stable parallel safe
  return p.valide and p.deleted_at is null and p.moderation_status in ('approved', 'published')
    and (p.acteur_id is null or (a.active and a.deleted_at is null));

-- The row of a list for a publication, and all rows that lists should have.
create function listing_of(p publications, commune_id uuid) returns setof publication_listings
  language sql stable parallel safe begin atomic
  select listing_of.commune_id, p.id, p.publie_le, p.acteur_id, p.type_id,
    case when p.en_avant then coalesce(p.featured_until, 'infinity') end, p.epingle, p.date_debut, p.date_fin;
end;

create view listed_publications as
  select listed.*
  from publications p
  left join acteurs a on a.id = p.acteur_id
  cross join lateral (
    select '00000000-0000-0000-0000-000000000000'::uuid as commune_id
    union all
    select pc.commune_id from publication_communes pc where pc.publication_id = p.id) place
  cross join lateral listing_of(p, place.commune_id) listed
  where is_listed(p, a) and p.publie_le is not null;

-- The lists that count a row. Those of an acteur are not split by type: no list needs that.
create function lists_of(commune_id uuid, acteur_id uuid) returns table (list text, key uuid)
  language sql immutable parallel safe begin atomic
  select 'all', commune_id where commune_id = '00000000-0000-0000-0000-000000000000'
  union all
  select 'acteur', acteur_id where commune_id = '00000000-0000-0000-0000-000000000000' and acteur_id is not null
  union all
  select 'commune', commune_id where commune_id <> '00000000-0000-0000-0000-000000000000';
end;

-- Writes what listed_publications says of these to lists, counts and feed. The caller has locked their acteurs.
create function refresh_publication_listings(changed uuid[]) returns void language plpgsql
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
end $$;

-- The same for callers that have not: a concurrent change that hides an acteur waits, or has been waited for.
create function lock_and_refresh_publication_listings(changed uuid[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$ begin
  perform from acteurs where id in (
    select acteur_id from publications where id = any(changed)
    union select acteur_id from publication_listings where publication_id = any(changed))
  order by id for share;
  perform refresh_publication_listings(changed);
end $$;

-- Notifies of publications that were or are public, their communes, and the acteurs and communes of before, by tags:
--   publications         a public publication changed, for lists of the whole country;
--   publications:<uuid>  the publication with this id, or one of this commune or acteur, changed;
--   publications*        more changed than are named, for every response with a tag publications:<uuid>.
create function notify_publications(changed uuid[], others uuid[]) returns void language plpgsql as $$ declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_communes where publication_id = any(changed)
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end $$;

-- Maintains what depends on publications, and notifies every instance. `seen`: those that were or are public.
create function maintain_publications() returns trigger language plpgsql
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
create trigger publications_inserted after insert on publications
  referencing new table as new_rows for each statement execute function maintain_publications();
create trigger publications_updated after update on publications
  referencing old table as old_rows new table as new_rows for each statement execute function maintain_publications();
create trigger publications_deleted after delete on publications
  referencing old table as old_rows for each statement execute function maintain_publications();

-- The same for publications that join or leave communes. Those that leave may be hidden already: they are always notified.
create function maintain_commune_lists() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$ declare
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
    perform lock_and_refresh_publication_listings(changed);
    perform notify_publications(changed, others);
  end if;
  return null;
end $$;
create trigger publication_communes_inserted after insert on publication_communes
  referencing new table as rows for each statement execute function maintain_commune_lists();
create trigger publication_communes_deleted after delete on publication_communes
  referencing old table as rows for each statement execute function maintain_commune_lists();

-- Whether an acteur is shown decides for all that it has written.
create function refresh_listings_of_acteur() returns trigger language plpgsql as $$ begin
  perform lock_and_refresh_publication_listings(array(select id from publications where acteur_id = new.id));
  return null;
end $$;
create trigger acteurs_refresh_listings after update on acteurs for each row
  when (new.active <> old.active or (new.deleted_at is null) <> (old.deleted_at is null)) execute function refresh_listings_of_acteur();

create function empty_publication_lists() returns trigger language plpgsql as $$ begin
  perform rebuild_publication_lists();
  perform pg_notify('parvis_changes', tag) from unnest(array['publications', 'publications*']) tag;
  return null;
end $$;
create trigger publications_emptied after truncate on publications
  for each statement execute function empty_publication_lists();

-- Adds up the counts of the lists that were just added to, unless another transaction does.
create function gather_listing_counts() returns trigger language plpgsql as $$ begin
  with held as materialized (
    select c.ctid from (select distinct list, key from added) lists join listing_counts c using (list, key)
    for update of c skip locked),
  gone as (delete from listing_counts where ctid = any(array(select ctid from held)) returning list, key, type_id, n)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from gone group by list, key, type_id having sum(n) <> 0;
  return null;
end $$;
create trigger listing_counts_gather after insert on listing_counts
  referencing new table as added for each statement when (random() < 0.02) execute function gather_listing_counts();

create function gather_publication_counts() returns trigger language plpgsql as $$ begin
  with held as materialized (
    select c.ctid from (select distinct list, key from added) lists join publication_counts c using (list, key)
    for update of c skip locked),
  gone as (
    delete from publication_counts where ctid = any(array(select ctid from held))
    returning list, key, type_id, moderation_status, valide, deleted, n)
  insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
  select list, key, type_id, moderation_status, valide, deleted, sum(n) from gone
  group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0;
  return null;
end $$;
create trigger publication_counts_gather after insert on publication_counts
  referencing new table as added for each statement when (random() < 0.02) execute function gather_publication_counts();

-- Rebuilds everything, after writes that bypassed the triggers.
create function rebuild_publication_lists() returns void language plpgsql as $$ begin
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
end $$;
