-- What public lists show stands where they look: a row for the whole country and one for each commune of a publication
-- that is listed. How many there are is added up as they come and go. Triggers keep both within the change's own
-- transaction, whoever makes it: the service, a load, a repair by hand.

-- The one rule of what anybody may see of a publication and its acteur, once it has a time and that has come. Rows of
-- lists are made by it, and single publications read by it.
create function is_listed(p publications, a acteurs) returns boolean
  language sql stable parallel safe
  return p.valide and p.deleted_at is null and p.moderation_status in ('approved', 'published')
    and (p.acteur_id is null or (a.active and a.deleted_at is null));

create table publication_listings (
  -- Nothing but zeros: the whole country.
  commune_id uuid not null,
  publication_id uuid not null,
  -- Maybe still to come: then it is not shown yet.
  publie_le timestamptz(3) not null,
  acteur_id uuid,
  type_id uuid,
  -- Null where it is not featured; infinity where that has no end.
  featured_until timestamptz(3),
  epingle boolean not null,
  date_debut date,
  date_fin date
);
-- Numbers to add up, by list: 'all', or of a 'commune' or an 'acteur', whose id is the key. A change adds rows and
-- touches none, so that no two wait for each other; now and then one that adds gathers what has come together.
create table listing_counts (
  list text not null,
  key uuid not null,
  type_id uuid,
  n integer not null,
  constraint listing_counts_list check (list in ('all', 'commune', 'acteur'))
);
-- The numbers of one list.
create index listing_counts_by_list on listing_counts (list, key);

-- The same of what the back-office lists, in each state. Types are told apart in the whole alone.
create table publication_counts (
  list text not null,
  key uuid not null,
  type_id uuid,
  moderation_status text not null,
  valide boolean not null,
  deleted boolean not null,
  n integer not null,
  constraint publication_counts_list check (list in ('all', 'commune', 'acteur'))
);
-- The numbers of one list.
create index publication_counts_by_list on publication_counts (list, key);

-- The row of a list, and all that lists should have.
create function listing_of(p publications, commune_id uuid) returns setof publication_listings
  language sql stable parallel safe
begin atomic
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

-- The lists that a row is counted in.
create function lists_of(commune_id uuid, acteur_id uuid) returns table (list text, key uuid)
  language sql immutable parallel safe
begin atomic
  select 'all', commune_id where commune_id = '00000000-0000-0000-0000-000000000000'
  union all
  select 'acteur', acteur_id where commune_id = '00000000-0000-0000-0000-000000000000' and acteur_id is not null
  union all
  select 'commune', commune_id where commune_id <> '00000000-0000-0000-0000-000000000000';
end;

-- Makes the rows of these publications what they should be, and adds the difference to the numbers. Their acteurs are held
-- first: who hides one meanwhile waits, and then finds these rows, or has been waited for.
create function relist_publications(changed uuid[]) returns void language plpgsql
  -- Planned once: that takes ten times as long as the work.
  set plan_cache_mode = force_generic_plan as $$
begin
  perform from acteurs where id in (
    select acteur_id from publications where id = any(changed)
    union select acteur_id from publication_listings where publication_id = any(changed))
  order by id for share;
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
      epingle = excluded.epingle, date_debut = excluded.date_debut, date_fin = excluded.date_fin)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from (
    select *, 1 as n from coming union all select *, -1 from leaving) changes
  cross join lateral lists_of(commune_id, acteur_id)
  group by list, key, type_id having sum(n) <> 0;
end
$$;

-- What changes in a publication changes its rows and numbers. (After an insert it has no commune yet.)
create function keep_publication_lists() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
    from new_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    perform relist_publications(array(select id from new_rows));
  elsif tg_op = 'UPDATE' then
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, sum(n)
    from (
      select id, acteur_id, type_id, moderation_status, valide, deleted_at, 1 as n from new_rows
      union all
      select id, acteur_id, type_id, moderation_status, valide, deleted_at, -1 from old_rows) changes
    cross join lateral (
      select * from lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
      union all
      select 'commune', pc.commune_id from publication_communes pc where pc.publication_id = changes.id) lists
    group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0;
    perform relist_publications(array(select id from new_rows));
  else
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, -count(*)
    from old_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    perform relist_publications(array(select id from old_rows));
  end if;
  return null;
end
$$;
create trigger publications_list_inserted after insert on publications
  referencing new table as new_rows for each statement execute function keep_publication_lists();
create trigger publications_list_updated after update on publications
  referencing old table as old_rows new table as new_rows for each statement execute function keep_publication_lists();
create trigger publications_list_deleted after delete on publications
  referencing old table as old_rows for each statement execute function keep_publication_lists();

-- So does what changes in its communes. It is held first, so that its state is not changed by somebody else meanwhile.
create function keep_commune_lists() returns trigger language plpgsql as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed uuid[] := array(select distinct publication_id from rows);
begin
  perform from publications where id = any(changed) order by id for no key update;
  insert into publication_counts (list, key, moderation_status, valide, deleted, n)
  select 'commune', rows.commune_id, p.moderation_status, p.valide, p.deleted_at is not null, step * count(*)
  from rows join publications p on p.id = rows.publication_id
  group by 2, 3, 4, 5;
  perform relist_publications(changed);
  return null;
end
$$;
create trigger publication_communes_inserted after insert on publication_communes
  referencing new table as rows for each statement execute function keep_commune_lists();
create trigger publication_communes_deleted after delete on publication_communes
  referencing old table as rows for each statement execute function keep_commune_lists();

-- A publication's communes go before it does: what they count for is told by its state.
create function leave_communes() returns trigger language plpgsql as $$
begin
  delete from publication_communes where publication_id = old.id;
  return old;
end
$$;
create trigger publications_leave_communes before delete on publications for each row execute function leave_communes();

-- Whether an acteur is shown decides for all that it has written.
create function relist_acteur() returns trigger language plpgsql as $$
begin
  perform relist_publications(array(select id from publications where acteur_id = new.id));
  return null;
end
$$;
create trigger acteurs_relist after update on acteurs for each row
  when (new.active <> old.active or (new.deleted_at is null) <> (old.deleted_at is null))
  execute function relist_acteur();

-- Numbers of the lists that were just added to, put together where nobody else is at it.
create function gather_listing_counts() returns trigger language plpgsql as $$
begin
  with held as materialized (
    select c.ctid from (select distinct list, key from added) lists join listing_counts c using (list, key)
    for update of c skip locked),
  gone as (delete from listing_counts where ctid = any(array(select ctid from held)) returning list, key, type_id, n)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from gone group by list, key, type_id having sum(n) <> 0;
  return null;
end
$$;
create trigger listing_counts_gather after insert on listing_counts
  referencing new table as added for each statement when (random() < 0.02) execute function gather_listing_counts();

create function gather_publication_counts() returns trigger language plpgsql as $$
begin
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
end
$$;
create trigger publication_counts_gather after insert on publication_counts
  referencing new table as added for each statement when (random() < 0.02) execute function gather_publication_counts();

-- All of it anew: for what has gone past the triggers, as a load into a replica does.
create function rebuild_publication_lists() returns void language plpgsql as $$
begin
  truncate publication_listings, listing_counts, publication_counts;
  insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
    date_debut, date_fin)
  select * from listed_publications;
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, count(*)
  from publication_listings l cross join lateral lists_of(l.commune_id, l.acteur_id)
  group by list, key, type_id;
  insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
  select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
  from publications p
  cross join lateral (
    select * from lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    union all
    select 'commune', pc.commune_id from publication_communes pc where pc.publication_id = p.id) lists
  group by 1, 2, 3, 4, 5, 6;
end
$$;
select rebuild_publication_lists();

-- Made once the rows are there. The rows of a publication:
alter table publication_listings
  add constraint publication_listings_pkey primary key (publication_id, commune_id);
-- Each list, newest first; with what is included, what was featured is passed over without a look at the rows.
create index publication_listings_newest on publication_listings (commune_id, publie_le desc, publication_id desc)
  include (featured_until);
-- The featured ones of a list.
create index publication_listings_featured on publication_listings (commune_id) where featured_until is not null;
-- Those of one type.
create index publication_listings_by_type
  on publication_listings (type_id, publie_le desc, publication_id desc) include (featured_until)
  where commune_id = '00000000-0000-0000-0000-000000000000';
-- An acteur's own, and those it has pinned.
create index publication_listings_by_acteur
  on publication_listings (acteur_id, publie_le desc, publication_id desc) include (epingle, featured_until)
  where commune_id = '00000000-0000-0000-0000-000000000000';
create index publication_listings_pinned on publication_listings (acteur_id)
  where commune_id = '00000000-0000-0000-0000-000000000000' and epingle;
-- The agenda: by first day, and those that are not over.
create index publication_listings_by_date on publication_listings (commune_id, date_debut, publication_id)
  include (publie_le);
create index publication_listings_by_last_day
  on publication_listings (commune_id, coalesce(date_fin, date_debut))
  include (publication_id, publie_le, date_debut, date_fin, featured_until) where date_debut is not null;

create function empty_publication_lists() returns trigger language plpgsql as $$
begin
  perform rebuild_publication_lists();
  return null;
end
$$;
create trigger publications_emptied after truncate on publications
  for each statement execute function empty_publication_lists();

-- Lists of the public do not look at publications any more, nor does the dashboard.
drop index publications_public, publications_featured, publications_public_by_acteur, publications_pinned,
  publications_public_by_type, publications_public_by_date, publications_public_by_last_day, publications_live;
-- The sorts of the back-office pass over what is deleted, and over the pages before, without a look at the rows.
drop index publications_by_created, publications_by_updated, publications_by_publie, publications_by_publie_upwards,
  publications_by_date, publications_by_date_upwards, publications_by_title;
create index publications_by_created on publications (created_at desc, id desc) include (deleted_at);
create index publications_by_updated on publications (updated_at desc, id desc) include (deleted_at);
create index publications_by_publie on publications (publie_le desc nulls last, id desc) include (deleted_at);
create index publications_by_publie_upwards on publications (publie_le, id) include (deleted_at);
create index publications_by_date on publications (date_debut desc nulls last, id desc) include (deleted_at);
create index publications_by_date_upwards on publications (date_debut, id) include (deleted_at);
create index publications_by_title on publications (sort_title, id) include (deleted_at);
-- How many are in groups is added up from the groups alone.
drop index duplicate_groups_shared;
create index duplicate_groups_shared on duplicate_groups (duplicate_key) include (members) where members > 1;
-- Words that wait to be sorted in are read whole by each search: few, so that one right after many changes is quick too.
alter index publications_search set (gin_pending_list_limit = 256);
