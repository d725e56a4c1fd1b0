-- When an acteur is hidden or shown, the stored lists follow in batches: the first within the change, the others by a job. Until
-- the row here is gone, current_listings computes what lists show of this acteur, so that the change is complete at once.
create table listing_refreshes (
  -- A new one with each change of the acteur: each has a job of its own.
  id uuid primary key default gen_random_uuid(),
  acteur_id uuid not null constraint listing_refreshes_acteur references acteurs on delete cascade,
  -- The position of the last publication that was refreshed: newest first, at the beginning before all of them.
  after_created_at timestamptz(3) not null default 'infinity',
  after_id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- How many publications the acteur had, and how many of them were refreshed.
  total integer not null, done integer not null default 0,
  created_at timestamptz(3) not null default now(),
  -- The last change of an acteur counts.
  constraint listing_refreshes_once unique (acteur_id)
);

-- The lists as they should be: the stored rows, and computed ones of acteurs whose rows are being refreshed.
create view current_listings as
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
    join publication_communes pc on pc.publication_id = p.id
    cross join lateral listing_of(p, pc.commune_id) listed
    where p.acteur_id = any(array(
      select r.acteur_id from listing_refreshes r join acteurs shown on shown.id = r.acteur_id
      where shown.active and shown.deleted_at is null)) and is_listed(p, a) and p.publie_le is not null) parts
  where is_computed or acteur_id is null or acteur_id <> all(array(select acteur_id from listing_refreshes));

-- Refreshes the stored lists of the next publications of an acteur. False when none is left.
create function refresh_listings_of(acteur uuid, batch integer) returns boolean language plpgsql
  set plan_cache_mode = force_generic_plan as $$ declare
  position_at timestamptz;
  position_id uuid;
  ids uuid[];
begin
  -- Writes of its publications wait, or have been waited for, and so does another change of the acteur.
  perform from acteurs where id = acteur for no key update;
  select after_created_at, after_id into position_at, position_id from listing_refreshes where acteur_id = acteur for update;
  if not found then return false; end if;
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

-- Whether an acteur is shown decides for all that it has written. The caller enqueues the job of what is left.
create or replace function refresh_listings_of_acteur() returns trigger language plpgsql as $$ begin
  delete from listing_refreshes where acteur_id = new.id;
  insert into listing_refreshes (acteur_id, total)
  select new.id, count(*) from publications where acteur_id = new.id;
  perform refresh_listings_of(new.id, 500);
  return null;
end $$;
