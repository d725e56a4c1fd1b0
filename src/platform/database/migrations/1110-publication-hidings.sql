-- What a mairie hides in its commune of what a group publishes. It stays until the mairie shows it again, whatever becomes of the
-- group and its members.
create table publication_hidings (
  publication_id uuid not null constraint publication_hidings_publication references publications on delete cascade,
  commune_id uuid not null constraint publication_hidings_commune references communes on delete cascade,
  hidden_at timestamptz(3) not null default now(),
  -- Two colleagues at once hide it once.
  constraint publication_hidings_pkey primary key (publication_id, commune_id)
);
-- What a commune hides; the foreign key.
create index publication_hidings_by_commune on publication_hidings (commune_id, publication_id);

-- The communes whose lists show a publication, once it is public.
create view shown_places as
  select publication_id, commune_id from publication_places place
  where not exists (
    select from publication_hidings h
    where h.publication_id = place.publication_id and h.commune_id = place.commune_id);

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
  where is_listed(p, a) and p.publie_le is not null and not exists (
    select from publication_hidings h where h.publication_id = p.id and h.commune_id = place.commune_id);

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
      where shown.active and shown.deleted_at is null)) and is_listed(p, a) and p.publie_le is not null
      and not exists (
        select from publication_hidings h where h.publication_id = p.id and h.commune_id = place.commune_id)) parts
  where is_computed or acteur_id is null or acteur_id <> all(array(select acteur_id from listing_refreshes));

-- Refreshes the lists of publications that a commune hides or shows again. One that is deleted leaves its lists by itself.
create function refresh_lists_of_hidings() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$ declare
  changed uuid[] := array(select distinct rows.publication_id from rows join publications p on p.id = rows.publication_id);
begin
  if changed = '{}' then return null; end if;
  -- A concurrent write of one waits, or has been waited for.
  perform from publications where id = any(changed) order by id for no key update;
  perform lock_and_refresh_publication_listings(changed);
  perform notify_publications(changed, array(select distinct commune_id from rows limit 51));
  return null;
end $$;
create trigger publication_hidings_inserted after insert on publication_hidings
  referencing new table as rows for each statement execute function refresh_lists_of_hidings();
create trigger publication_hidings_deleted after delete on publication_hidings
  referencing old table as rows for each statement execute function refresh_lists_of_hidings();
