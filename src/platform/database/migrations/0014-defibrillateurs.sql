-- Nearest first, by true distance: points on the globe, in metres. The straight line between two of them, through the
-- ground, orders them as the way over it does.
create extension if not exists cube with schema public;
create function globe_point(latitude double precision, longitude double precision) returns public.cube
  language sql immutable strict parallel safe
  return public.cube(array[
    6371008.8 * cos(radians(latitude)) * cos(radians(longitude)),
    6371008.8 * cos(radians(latitude)) * sin(radians(longitude)),
    6371008.8 * sin(radians(latitude))]);

-- Mirrors the national registry Géo'DAE, with what administrators say beside it.
create table defibrillateurs (
  id uuid constraint defibrillateurs_pkey primary key,
  -- The public identifier of the registry (c_gid).
  gid text not null,
  nom text,
  adresse text,
  code_postal text,
  commune_nom text,
  -- Of the present commune; null where nobody can tell.
  code_insee text,
  -- As the registry has it: what a commune's sync asks for.
  registre_code text,
  latitude double precision,
  longitude double precision,
  acces text,
  acces_libre boolean,
  etage text,
  acces_complement text,
  -- In the syntax of OpenStreetMap, or else in words; null where it says nothing.
  disponibilite text,
  disponibilite_complement text,
  etat_fonctionnement text,
  photo_url text,
  date_installation date,
  mis_a_jour_le timestamptz(3),
  -- Whether the registry itself would show it: validated, working, not mobile, not listed twice.
  retenu boolean not null,
  statut_admin_commune text not null default 'actif',
  note_commune text,
  statut_admin_france text not null default 'actif',
  note_france text,
  -- Since when the registry has it no more.
  absent_depuis timestamptz(3),
  visible boolean not null generated always as
    (retenu and absent_depuis is null and statut_admin_commune = 'actif' and statut_admin_france = 'actif') stored,
  -- Whose clock and public holidays its hours go by.
  departement text generated always as
    (left(coalesce(code_insee, code_postal),
      case when left(coalesce(code_insee, code_postal), 2) in ('97', '98') then 3 else 2 end)) stored,
  position cube generated always as (globe_point(latitude, longitude)) stored,
  sort_name text collate "C" not null generated always as (search_key(coalesce(nom, ''))) stored,
  sort_commune text collate "C" generated always as (search_key(commune_nom)) stored,
  search_text text collate "C" not null generated always as (
    ' ' || search_key(coalesce(nom, '') || ' ' || coalesce(adresse, '') || ' ' || coalesce(code_postal, '') || ' '
      || coalesce(commune_nom, ''))) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- One row per device of the registry: what both syncs find it by.
  constraint defibrillateurs_gid_key unique (gid),
  constraint defibrillateurs_statut_commune check (statut_admin_commune in ('actif', 'masque', 'a_verifier')),
  constraint defibrillateurs_statut_france check (statut_admin_france in ('actif', 'masque', 'a_verifier')),
  constraint defibrillateurs_coordinates check (
    (latitude is null) = (longitude is null)
    and latitude between -90 and 90 and longitude between -180 and 180)
);
create trigger defibrillateurs_touch before update on defibrillateurs for each row
  execute function touch_row('visible', 'departement', 'position', 'sort_name', 'sort_commune', 'search_text');

-- The public catalogue, by name; and nearest first.
create index defibrillateurs_public on defibrillateurs (sort_name, id) where visible;
create index defibrillateurs_nearest on defibrillateurs using gist (position) where visible;
-- The search: each word begins a word of the name, the address, the postal code or the commune.
create index defibrillateurs_search on defibrillateurs using gin (search_text gin_trgm_ops);
-- Those of a commune, by name; and those that its sync asks for.
create index defibrillateurs_by_commune on defibrillateurs (code_insee, sort_name, id);
create index defibrillateurs_by_registry_code on defibrillateurs (registre_code) where absent_depuis is null;
-- The back-office list, in each of its orders.
create index defibrillateurs_by_name on defibrillateurs (sort_name, id);
create index defibrillateurs_by_commune_name on defibrillateurs (sort_commune, sort_name, id);
create index defibrillateurs_by_date on defibrillateurs (mis_a_jour_le desc nulls last, id desc);
-- What somebody has to look at: few rows of many.
create index defibrillateurs_set_aside_by_communes on defibrillateurs (sort_name, id) where statut_admin_commune <> 'actif';
create index defibrillateurs_set_aside_by_france on defibrillateurs (sort_name, id) where statut_admin_france <> 'actif';
create index defibrillateurs_absent on defibrillateurs (sort_name, id) where absent_depuis is not null;
create index defibrillateurs_by_condition on defibrillateurs (etat_fonctionnement, sort_name, id)
  where etat_fonctionnement <> 'En fonctionnement';

-- Coordinates that stand for "somewhere": those that many rows of different addresses share, as the last national sync
-- found them. A commune's sync, which sees few rows, goes by them too.
create table defibrillateur_shared_points (
  latitude double precision not null,
  longitude double precision not null,
  constraint defibrillateur_shared_points_pkey primary key (latitude, longitude)
);

-- A sync, of one commune or of France: queued → running → succeeded or failed.
create type uuid_range as range (subtype = uuid);
create table defibrillateur_syncs (
  id uuid constraint defibrillateur_syncs_pkey primary key,
  -- Null: all of France.
  commune_id uuid constraint defibrillateur_syncs_commune references communes on delete cascade,
  source text not null,
  status text not null default 'queued',
  accept_fall boolean not null default false,
  error text,
  -- {read, received, created, updated, unchanged, absent, returned, refused: {reason: n}, cleaned: {reason: n}}
  counts jsonb,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint defibrillateur_syncs_source check (source in ('registre', 'fichier')),
  constraint defibrillateur_syncs_status check (status in ('queued', 'running', 'succeeded', 'failed')),
  constraint defibrillateur_syncs_error check ((status = 'failed') = (error is not null)),
  constraint defibrillateur_syncs_finished check ((status in ('succeeded', 'failed')) = (finished_at is not null)),
  -- One at a time: a commune is a range of one, France the range without bounds, which overlaps each.
  constraint defibrillateur_syncs_one_at_a_time exclude using gist (uuid_range(commune_id, commune_id, '[]') with &&)
    where (status in ('queued', 'running'))
);
-- What came of the latest, by target.
create index defibrillateur_syncs_by_target on defibrillateur_syncs (commune_id, id desc);

-- What a sync has received, until its transaction ends: nobody else ever sees a row of it.
create unlogged table defibrillateurs_received (
  sync_id uuid not null,
  id uuid not null,
  gid text not null,
  nom text,
  adresse text,
  code_postal text,
  commune_nom text,
  -- The name of the commune as names are compared, where its code is to be found by it.
  commune_key text,
  registre_code text,
  latitude double precision,
  longitude double precision,
  acces text,
  acces_libre boolean,
  etage text,
  acces_complement text,
  disponibilite text,
  disponibilite_complement text,
  etat_fonctionnement text,
  photo_url text,
  date_installation date,
  mis_a_jour_le timestamptz(3),
  retenu boolean not null
);
