-- Names of communes déléguées that kept the code of the present commune: commune_aliases has one row per code, and these
-- have no code of their own.
create table commune_former_names (
  commune_id uuid not null constraint commune_former_names_commune references communes on delete cascade,
  nom text not null,
  search_text text collate "C" generated always as (' ' || search_key(nom)) stored,
  -- A name leads to a commune once; the cascade above goes by it too.
  constraint commune_former_names_pkey primary key (commune_id, nom)
);
-- The search of communes: by the beginning of a word of a former name.
create index commune_former_names_search on commune_former_names using gin (search_text gin_trgm_ops);
-- Cached lists of communes show what is found by these names.
create trigger commune_former_names_told after insert or update or delete or truncate on commune_former_names
  for each statement execute function tell_change();
