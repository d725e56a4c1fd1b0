-- Groups of communes: intercommunalities, syndicates and others.
create table groups (
  id uuid primary key, slug text not null, nom text not null, kind text not null,
  -- Its number in the national register of organisations, by which a load finds it again.
  siren text,
  sort_name text collate "C" generated always as (search_key(nom)) stored,
  search_text text collate "C" generated always as (' ' || search_key(nom) || ' ' || coalesce(siren, '')) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  -- The public address of a group names one group.
  constraint groups_slug_key unique (slug),
  -- An organisation is one group.
  constraint groups_siren_key unique (siren),
  constraint groups_kind check (kind in ('epci', 'syndicat', 'autre')),
  constraint groups_nom_length check (char_length(nom) between 1 and 200),
  constraint groups_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 200),
  constraint groups_siren_form check (siren ~ '^[0-9]{9}$')
);
-- The lists: by name, also of one kind, and newest first.
create index groups_by_name on groups (sort_name, id);
create index groups_by_kind on groups (kind, sort_name, id);
create index groups_by_created on groups (created_at, id);
-- The search: the beginning of a word of the name, or of the SIREN.
create index groups_search on groups using gin (search_text gin_trgm_ops);
create trigger groups_touch before update on groups for each row execute function touch_row('sort_name', 'search_text');
create trigger groups_notify after insert or update or delete or truncate on groups
  for each statement execute function notify_change();

-- The members of a group. A commune may belong to several groups.
create table group_communes (
  group_id uuid not null constraint group_communes_group references groups on delete cascade,
  commune_id uuid not null constraint group_communes_commune references communes on delete cascade,
  -- A commune belongs to a group once.
  constraint group_communes_pkey primary key (group_id, commune_id)
);
-- The groups of a commune, and the cascade above.
create index group_communes_by_commune on group_communes (commune_id, group_id);
create trigger group_communes_notify after insert or update or delete or truncate on group_communes
  for each statement execute function notify_change();

-- Former slugs, as of communes: an address that somebody has kept leads to the present one.
create table group_former_slugs (
  slug text constraint group_former_slugs_pkey primary key,
  id uuid not null constraint group_former_slugs_group references groups on delete cascade
);
-- The foreign key.
create index group_former_slugs_by_group on group_former_slugs (id);
create trigger groups_former_slug after update of slug on groups
  for each row when (old.slug <> new.slug) execute function remember_former_slug('group_former_slugs');
