-- All that finds a commune. Each word has a space before it: a trigram index answers '% par%', "a word that begins with par".
create function commune_search_text(nom text, codes_postaux text[]) returns text language sql immutable strict parallel safe
  return ' ' || search_key(nom) || ' ' || array_to_string(codes_postaux, ' ');

create table communes (
  id uuid primary key, slug text not null, nom text not null, code_insee text not null,
  codes_postaux text[] not null default '{}', departement text not null, region text not null, population integer,
  latitude double precision, longitude double precision, mairie_actor_id uuid,
  -- For the foreign key communes_mairie.
  mairie_actor_type text generated always as (case when mairie_actor_id is not null then 'mairie' end) stored,
  sort_name text collate "C" generated always as (search_key(nom)) stored,
  search_text text collate "C" generated always as (commune_search_text(nom, codes_postaux)) stored,
  version integer not null default 1, created_at timestamptz(3) not null default now(),
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
-- Which commune names an acteur: every municipal route asks.
create index communes_by_mairie on communes (mairie_actor_id) where mairie_actor_id is not null;
-- The beginning of an INSEE code.
create index communes_by_code on communes (code_insee text_pattern_ops);
-- The back-office list by population, which not every commune has, and with or without a mairie.
create index communes_by_population on communes (population desc nulls last, id desc);
create index communes_by_population_upwards on communes (population, id);
create index communes_with_mairie on communes (sort_name, id) where mairie_actor_id is not null;
create index communes_without_mairie on communes (sort_name, id) where mairie_actor_id is null;
-- Synchronising: communes in the order in which they changed.
create index communes_by_updated on communes (updated_at, id);
-- The lists of communes of a region, by name.
create index communes_by_region on communes (region, sort_name, id);
-- The list of a département by INSEE code, without a walk through all codes before it.
create index communes_by_departement_code on communes (departement, code_insee);
create trigger communes_touch before update on communes for each row
  execute function touch_row('sort_name', 'search_text', 'mairie_actor_type');
create trigger communes_notify after insert or update or delete or truncate on communes
  for each statement execute function notify_change();

-- Codes that lead to a present commune: arrondissements, communes déléguées and associées.
create table commune_aliases (
  code_insee text primary key,
  commune_id uuid not null constraint commune_aliases_commune references communes on delete cascade, nom text not null,
  type text not null,
  -- A commune is found by the names and codes of those that it was made of.
  search_text text collate "C" generated always as (' ' || search_key(nom) || ' ' || lower(code_insee)) stored,
  constraint commune_aliases_type check (type in ('arrondissement', 'deleguee', 'associee'))
);
-- A commune's aliases, and the cascade above.
create index commune_aliases_by_commune on commune_aliases (commune_id);
create index commune_aliases_search on commune_aliases using gin (search_text gin_trgm_ops);
create trigger commune_aliases_notify after insert or update or delete or truncate on commune_aliases
  for each statement execute function notify_change();

-- Names of communes déléguées that kept the code of the present commune: commune_aliases has one row per code.
create table commune_former_names (
  commune_id uuid not null constraint commune_former_names_commune references communes on delete cascade,
  nom text not null, search_text text collate "C" generated always as (' ' || search_key(nom)) stored,
  -- A name leads to a commune once; the cascade uses it too.
  constraint commune_former_names_pkey primary key (commune_id, nom)
);
-- The search of communes: by the beginning of a word of a former name.
create index commune_former_names_search on commune_former_names using gin (search_text gin_trgm_ops);
create trigger commune_former_names_notify after insert or update or delete or truncate on commune_former_names
  for each statement execute function notify_change();

-- Elected officials. There is no birth date, on purpose.
create table elus (
  id uuid primary key, commune_id uuid not null constraint elus_commune references communes on delete cascade,
  nom text not null, prenom text not null, fonction text not null, ordre integer not null, photo_url text,
  mandat_debut date
);
create index elus_by_commune on elus (commune_id, ordre, id);
create trigger elus_notify after insert or update or delete or truncate on elus
  for each statement execute function notify_change();

-- A waste collection: weekdays every n weeks from an anchor date, or explicit dates; plus exceptions.
create table collectes (
  id uuid primary key, commune_id uuid not null constraint collectes_commune references communes on delete cascade,
  position integer not null, type_dechet text not null, libelle text not null, secteur text, mode text not null,
  jours text[] not null default '{}', toutes_les_semaines integer not null default 1, a_partir_du date,
  dates date[] not null default '{}',
  -- [{date, reportee_au}]: that day's round is moved, or dropped when reportee_au is null.
  exceptions jsonb not null default '[]',
  consignes text,
  constraint collectes_mode check (mode in ('porte_a_porte', 'apport_volontaire')),
  constraint collectes_jours check (jours <@ array['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']),
  constraint collectes_every_weeks check (toutes_les_semaines between 1 and 52),
  -- "Every second week" needs a week to count from.
  constraint collectes_anchor check (toutes_les_semaines = 1 or jours = '{}' or a_partir_du is not null),
  constraint collectes_exceptions check (jsonb_typeof(exceptions) = 'array')
);
create index collectes_by_commune on collectes (commune_id, position, id);
create trigger collectes_notify after insert or update or delete or truncate on collectes
  for each statement execute function notify_change();

-- Practical information of a commune, in its own words.
create table commune_infos (
  id uuid primary key, commune_id uuid not null constraint commune_infos_commune references communes on delete cascade,
  cle text not null, libelle text not null, valeur text not null, position integer not null,
  constraint commune_infos_cle_form check (cle ~ '^[a-z0-9_]{1,50}$')
);
create index commune_infos_by_commune on commune_infos (commune_id, position, id);
create trigger commune_infos_notify after insert or update or delete or truncate on commune_infos
  for each statement execute function notify_change();
