create extension if not exists cube with schema public;

-- Nearest first, by true distance: points on the globe in metres. Straight lines order them as ways over the ground do.
create function globe_point(latitude double precision, longitude double precision) returns public.cube
  language sql immutable strict parallel safe
  return public.cube(array[
    6371008.8 * cos(radians(latitude)) * cos(radians(longitude)),
    6371008.8 * cos(radians(latitude)) * sin(radians(longitude)),
    6371008.8 * sin(radians(latitude))]);

-- Mirrors the national registry Géo'DAE, with notes of administrators.
create table defibrillateurs (
  id uuid primary key,
  -- The public identifier of the registry (c_gid).
  gid text not null,
  nom text, adresse text, code_postal text, commune_nom text,
  -- Of the present commune; null where nobody can tell.
  code_insee text,
  -- The code in the registry, by which a commune's sync requests it.
  registre_code text,
  latitude double precision, longitude double precision, acces text, acces_libre boolean, etage text,
  acces_complement text,
  -- In the syntax of OpenStreetMap, or else in words; null: unknown.
  disponibilite text,
  disponibilite_complement text, etat_fonctionnement text, photo_url text, date_installation date,
  mis_a_jour_le timestamptz(3),
  -- Whether the registry itself would show it: validated, working, not mobile, not listed twice.
  retenu boolean not null,
  statut_admin_commune text not null default 'actif', note_commune text,
  statut_admin_france text not null default 'actif', note_france text,
  -- Since when the registry does not have it.
  absent_depuis timestamptz(3),
  visible boolean not null generated always as
    (retenu and absent_depuis is null and statut_admin_commune = 'actif' and statut_admin_france = 'actif') stored,
  -- Whose time zone and public holidays its hours follow.
  departement text generated always as
    (left(coalesce(code_insee, code_postal),
      case when left(coalesce(code_insee, code_postal), 2) in ('97', '98') then 3 else 2 end)) stored,
  position cube generated always as (globe_point(latitude, longitude)) stored,
  sort_name text collate "C" not null generated always as (search_key(coalesce(nom, ''))) stored,
  sort_commune text collate "C" generated always as (search_key(commune_nom)) stored,
  search_text text collate "C" not null generated always as (
    ' ' || search_key(coalesce(nom, '') || ' ' || coalesce(adresse, '') || ' ' || coalesce(code_postal, '') || ' '
      || coalesce(commune_nom, ''))) stored,
  version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- One row per device of the registry, by which syncs find it.
  constraint defibrillateurs_gid_key unique (gid),
  constraint defibrillateurs_statut_commune check (statut_admin_commune in ('actif', 'masque', 'a_verifier')),
  constraint defibrillateurs_statut_france check (statut_admin_france in ('actif', 'masque', 'a_verifier')),
  constraint defibrillateurs_coordinates check (
    (latitude is null) = (longitude is null)
    and latitude between -90 and 90 and longitude between -180 and 180)
);
-- The public catalogue, by name; and nearest first.
create index defibrillateurs_public on defibrillateurs (sort_name, id) where visible;
create index defibrillateurs_nearest on defibrillateurs using gist (position) where visible;
-- The search: each word begins a word of the name, the address, the postal code or the commune.
create index defibrillateurs_search on defibrillateurs using gin (search_text gin_trgm_ops);
-- Those of a commune, by name; and those that its sync asks for.
create index defibrillateurs_by_commune on defibrillateurs (code_insee, sort_name, id);
create index defibrillateurs_by_registry_code on defibrillateurs (registre_code) where absent_depuis is null;
-- The back-office list by each of its sorts.
create index defibrillateurs_by_name on defibrillateurs (sort_name, id);
create index defibrillateurs_by_commune_name on defibrillateurs (sort_commune, sort_name, id);
create index defibrillateurs_by_date on defibrillateurs (mis_a_jour_le desc nulls last, id desc);
-- What needs attention: few rows of many.
create index defibrillateurs_set_aside_by_communes on defibrillateurs (sort_name, id) where statut_admin_commune <> 'actif';
create index defibrillateurs_set_aside_by_france on defibrillateurs (sort_name, id) where statut_admin_france <> 'actif';
create index defibrillateurs_absent on defibrillateurs (sort_name, id) where absent_depuis is not null;
create index defibrillateurs_by_condition on defibrillateurs (etat_fonctionnement, sort_name, id)
  where etat_fonctionnement <> 'En fonctionnement';
-- By commune, downwards: those without one come last. By date, upwards: those without one come last.
create index defibrillateurs_by_commune_name_downwards
  on defibrillateurs (sort_commune desc nulls last, sort_name desc, id desc);
create index defibrillateurs_by_date_upwards on defibrillateurs (mis_a_jour_le, id);
-- The map, close up: devices of a box with the filters of the list, from the index alone.
create index defibrillateurs_map
  on defibrillateurs (longitude, latitude) include (statut_admin_france, etat_fonctionnement, absent_depuis)
  where longitude is not null;
create trigger defibrillateurs_touch before update on defibrillateurs for each row
  execute function touch_row('visible', 'departement', 'position', 'sort_name', 'sort_commune', 'search_text');
create trigger defibrillateurs_notify after insert or update or delete or truncate on defibrillateurs
  for each statement execute function notify_change();

-- Coordinates that many rows of different addresses share, so that they say nothing: found by the last national sync.
create table defibrillateur_shared_points (
  latitude double precision not null, longitude double precision not null,
  constraint defibrillateur_shared_points_pkey primary key (latitude, longitude)
);

create type uuid_range as range (subtype = uuid);

-- A sync, of one commune or of France: queued → running → succeeded or failed.
create table defibrillateur_syncs (
  id uuid primary key,
  -- Null: all of France.
  commune_id uuid constraint defibrillateur_syncs_commune references communes on delete cascade,
  source text not null, status text not null default 'queued', accept_fall boolean not null default false, error text,
  -- {read, received, created, updated, unchanged, absent, returned, refused: {reason: n}, cleaned: {reason: n}}
  counts jsonb,
  created_at timestamptz(3) not null default now(), started_at timestamptz(3), finished_at timestamptz(3),
  -- Why it failed: {code, received?, present?, missing?, examples?}. `error` says the same in English.
  failure jsonb,
  constraint defibrillateur_syncs_source check (source in ('registre', 'fichier')),
  constraint defibrillateur_syncs_status check (status in ('queued', 'running', 'succeeded', 'failed')),
  constraint defibrillateur_syncs_error check ((status = 'failed') = (error is not null)),
  constraint defibrillateur_syncs_finished check ((status in ('succeeded', 'failed')) = (finished_at is not null)),
  -- One at a time: a commune is a range of one, France the range without bounds, which overlaps each.
  constraint defibrillateur_syncs_one_at_a_time exclude using gist (uuid_range(commune_id, commune_id, '[]') with &&)
    where (status in ('queued', 'running'))
);
-- The latest by target.
create index defibrillateur_syncs_by_target on defibrillateur_syncs (commune_id, id desc);
-- Queued or running syncs, which live events compare once a second: at most a few.
create index defibrillateur_syncs_open on defibrillateur_syncs (id) where status in ('queued', 'running');
create trigger defibrillateur_syncs_notify after insert or update or delete or truncate on defibrillateur_syncs
  for each statement execute function notify_change();

-- Rows received by a sync until its transaction ends: no other transaction sees one.
create unlogged table defibrillateurs_received (
  sync_id uuid not null, id uuid not null, gid text not null, nom text, adresse text, code_postal text,
  commune_nom text,
  -- search_key of the name of the commune, for rows without a code.
  commune_key text, registre_code text, latitude double precision, longitude double precision, acces text,
  acces_libre boolean, etage text, acces_complement text, disponibilite text, disponibilite_complement text,
  etat_fonctionnement text, photo_url text, date_installation date, mis_a_jour_le timestamptz(3),
  retenu boolean not null
);

-- Progress of a running sync, apart from it: its row is locked while its transaction lasts.
create table defibrillateur_sync_progress (
  sync_id uuid primary key constraint defibrillateur_sync_progress_sync references defibrillateur_syncs on delete cascade,
  -- Rows of the registry read so far.
  read integer not null,
  constraint defibrillateur_sync_progress_read check (read >= 0)
);

-- Counts of devices by cell of a grid: a map of all France reads some thousand cells. Level 12; coarser cells are sums. A place is
-- in the cell floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096): about square at the latitude of France.
create table defibrillateur_map_cells (
  x integer not null, y integer not null,
  -- The filters of the national list.
  statut_admin_france text not null,
  -- Empty where the registry says nothing.
  etat_fonctionnement text not null,
  is_absent boolean not null,
  -- May be 0: cells are never deleted. No check of n >= 0: an upsert checks its proposed row, whose n may be negative.
  n integer not null,
  -- Sums in millionths of a degree: unlike sums of floats, they do not drift.
  longitudes bigint not null, latitudes bigint not null,
  constraint defibrillateur_map_cells_pkey primary key (x, y, statut_admin_france, etat_fonctionnement, is_absent)
) with (fillfactor = 70);

-- Adds the devices of a statement to their cells, or subtracts them, in the order of the key: no deadlocks.
create function count_on_map() returns trigger language plpgsql as $$ declare step integer := case tg_op when 'INSERT' then 1 else -1 end; begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, step * count(*),
    step * sum(round(longitude * 1000000)::bigint), step * sum(round(latitude * 1000000)::bigint)
  from devices where longitude is not null
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end $$;
create trigger defibrillateurs_map_inserted after insert on defibrillateurs
  referencing new table as devices for each statement execute function count_on_map();
create trigger defibrillateurs_map_deleted after delete on defibrillateurs
  referencing old table as devices for each statement execute function count_on_map();

-- The same for changed devices: writes only the cells whose sums change.
create function recount_on_map() returns trigger language plpgsql as $$ begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, sum(step),
    sum(step * round(longitude * 1000000)::bigint), sum(step * round(latitude * 1000000)::bigint)
  from (
    select -1 as step, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from old_rows
    union all
    select 1, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from new_rows
  ) as changes where longitude is not null
  group by 1, 2, 3, 4, 5
  having sum(step) <> 0 or sum(step * round(longitude * 1000000)::bigint) <> 0
    or sum(step * round(latitude * 1000000)::bigint) <> 0
  order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end $$;
create trigger defibrillateurs_map_updated after update on defibrillateurs
  referencing old table as old_rows new table as new_rows for each statement execute function recount_on_map();
