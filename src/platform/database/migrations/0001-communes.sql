-- Words compare without accents, case or ligatures. The dictionary is named, so that the result cannot change
-- with the search path: that is what lets these functions be immutable, hence usable in generated columns.
create extension if not exists unaccent with schema public;
create extension if not exists pg_trgm with schema public;

create function search_key(value text) returns text
  language sql immutable strict parallel safe
  return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, value)), '[^a-z0-9]+', ' ', 'g'));

-- One text holds all that a commune is found by; each word in it has a space before, so that '% par%' means
-- "a word that begins with par", and a trigram index answers it.
create function commune_search_text(nom text, codes_postaux text[]) returns text
  language sql immutable strict parallel safe
  return ' ' || search_key(nom) || ' ' || array_to_string(codes_postaux, ' ');

-- Each change of a row counts: If-Match compares this number. Before a write PostgreSQL has not yet computed the
-- generated columns: the trigger names them, to leave them out of the comparison.
create function touch_row() returns trigger language plpgsql as $$
declare
  ignored text[] := coalesce(tg_argv, '{}');
begin
  if to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end
$$;

-- Applications that call the API: a filter of content, not a security boundary.
create table app_sources (
  code text constraint app_sources_pkey primary key,
  label text not null,
  -- Null: everything public; otherwise only the publications of these communes.
  commune_ids uuid[],
  active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint app_sources_code_form check (code ~ '^[a-z0-9][a-z0-9_-]{0,49}$')
);

insert into app_sources (code, label) values
  ('public', 'Public application'),
  ('mairie', 'Municipal office'),
  ('backoffice', 'Back-office');

create table communes (
  id uuid constraint communes_pkey primary key,
  slug text not null,
  nom text not null,
  code_insee text not null,
  codes_postaux text[] not null default '{}',
  departement text not null,
  region text not null,
  population integer,
  latitude double precision,
  longitude double precision,
  mairie_actor_id uuid,
  -- Only there for the foreign key below.
  mairie_actor_type text generated always as (case when mairie_actor_id is not null then 'mairie' end) stored,
  sort_name text collate "C" generated always as (search_key(nom)) stored,
  search_text text collate "C" generated always as (commune_search_text(nom, codes_postaux)) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The public address of a commune names one commune.
  constraint communes_slug_key unique (slug),
  -- One row per commune of the national register.
  constraint communes_code_insee_key unique (code_insee),
  constraint communes_code_insee_form check (code_insee ~ '^[0-9][0-9AB][0-9]{3}$'),
  constraint communes_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  constraint communes_coordinates check (
    (latitude is null) = (longitude is null)
    and latitude between -90 and 90 and longitude between -180 and 180),
  constraint communes_population_positive check (population >= 0)
);

-- The public list: by name, also within a département.
create index communes_by_name on communes (sort_name, id);
create index communes_by_departement on communes (departement, sort_name, id);
-- The public search: the beginning of a word of the name, or of a postal code.
create index communes_search on communes using gin (search_text gin_trgm_ops);

create trigger communes_touch before update on communes for each row
  execute function touch_row('sort_name', 'search_text', 'mairie_actor_type');

-- Codes that lead to a present commune: arrondissements, communes déléguées and associées.
create table commune_aliases (
  code_insee text constraint commune_aliases_pkey primary key,
  commune_id uuid not null constraint commune_aliases_commune references communes on delete cascade,
  nom text not null,
  type text not null,
  constraint commune_aliases_type check (type in ('arrondissement', 'deleguee', 'associee'))
);
-- A commune's aliases, and the cascade above.
create index commune_aliases_by_commune on commune_aliases (commune_id);

create table acteurs (
  id uuid constraint acteurs_pkey primary key,
  slug text not null,
  nom text not null,
  type text not null,
  commune_id uuid constraint acteurs_commune references communes,
  description text,
  adresse text,
  telephone text,
  email text,
  site_web text,
  valide boolean not null default false,
  badge text,
  active boolean not null default true,
  can_publish boolean not null default false,
  deleted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint acteurs_slug_key unique (slug),
  constraint acteurs_type check (type in ('association', 'commerce', 'mairie', 'ecole', 'service', 'autre')),
  constraint acteurs_badge_length check (char_length(badge) <= 50),
  -- Target of the commune's foreign key to its mairie, which fixes the type too.
  constraint acteurs_id_type_key unique (id, type)
);
-- The acteurs of a commune.
create index acteurs_by_commune on acteurs (commune_id);

create trigger acteurs_touch before update on acteurs for each row execute function touch_row();

-- Only an acteur of type mairie can be named, and while it is named its type stays.
alter table communes add constraint communes_mairie
  foreign key (mairie_actor_id, mairie_actor_type) references acteurs (id, type);
-- "Which commune names this acteur", asked by every municipal route.
create index communes_by_mairie on communes (mairie_actor_id) where mairie_actor_id is not null;

-- Elected officials. There is no column for a birth date, on purpose.
create table elus (
  id uuid constraint elus_pkey primary key,
  commune_id uuid not null constraint elus_commune references communes on delete cascade,
  nom text not null,
  prenom text not null,
  fonction text not null,
  ordre integer not null,
  photo_url text,
  mandat_debut date
);
create index elus_by_commune on elus (commune_id, ordre, id);

-- A waste collection: weekdays every n weeks from an anchor date, or explicit dates; plus exceptions.
create table collectes (
  id uuid constraint collectes_pkey primary key,
  commune_id uuid not null constraint collectes_commune references communes on delete cascade,
  position integer not null,
  type_dechet text not null,
  libelle text not null,
  secteur text,
  mode text not null,
  jours text[] not null default '{}',
  toutes_les_semaines integer not null default 1,
  a_partir_du date,
  dates date[] not null default '{}',
  -- [{date, reportee_au}]: that day's round is moved, or dropped when reportee_au is null.
  exceptions jsonb not null default '[]',
  consignes text,
  constraint collectes_mode check (mode in ('porte_a_porte', 'apport_volontaire')),
  constraint collectes_jours check (
    jours <@ array['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']),
  constraint collectes_every_weeks check (toutes_les_semaines between 1 and 52),
  -- "Every second week" means nothing without a week to count from.
  constraint collectes_anchor check (toutes_les_semaines = 1 or jours = '{}' or a_partir_du is not null),
  constraint collectes_exceptions check (jsonb_typeof(exceptions) = 'array')
);
create index collectes_by_commune on collectes (commune_id, position, id);

-- Practical information of a commune, in its own words.
create table commune_infos (
  id uuid constraint commune_infos_pkey primary key,
  commune_id uuid not null constraint commune_infos_commune references communes on delete cascade,
  cle text not null,
  libelle text not null,
  valeur text not null,
  position integer not null,
  constraint commune_infos_cle_form check (cle ~ '^[a-z0-9_]{1,50}$')
);
create index commune_infos_by_commune on commune_infos (commune_id, position, id);

-- What is loaded once in the life of a database (the communes, the demo content).
create table first_loads (
  name text constraint first_loads_pkey primary key,
  loaded_at timestamptz(3) not null default now()
);
