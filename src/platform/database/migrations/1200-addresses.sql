-- The streets of a commune, from its file of addresses (Base Adresse Locale), replaced by each load of it.
create table streets (
  commune_id uuid not null constraint streets_commune references communes on delete cascade,
  -- What names of streets are compared by: `streetKey`.
  key text collate "C" not null,
  -- The INSEE code of the commune déléguée or arrondissement it lies in, where the file names one: there may be a street
  -- of the same name in another.
  deleguee text collate "C" not null default '',
  voie text not null,
  -- A place on it; unknown of a street without numbers that the file does not place.
  latitude double precision, longitude double precision,
  -- A load finds the street again; a lookup reads all streets of a commune.
  constraint streets_pkey primary key (commune_id, key, deleguee),
  constraint streets_voie_length check (char_length(voie) between 1 and 200),
  constraint streets_place check ((latitude is null) = (longitude is null))
);

-- The numbered addresses of these files.
create table addresses (
  commune_id uuid not null,
  -- The key of the format, by which a load finds the address again.
  cle_interop text collate "C" not null,
  street text collate "C" not null,
  deleguee text collate "C" not null default '',
  numero integer not null,
  suffixe text,
  complement text,
  latitude double precision not null, longitude double precision not null,
  constraint addresses_pkey primary key (commune_id, cle_interop),
  constraint addresses_street foreign key (commune_id, street, deleguee) references streets on delete cascade,
  constraint addresses_numero check (numero between 0 and 99998),
  constraint addresses_complement_length check (char_length(complement) between 1 and 200)
);
-- The numbers of a street, and the foreign key.
create index addresses_by_street on addresses (commune_id, street, deleguee, numero);
