-- outside a transaction

-- The list of a département by INSEE code: without it, the index of codes was walked from Ain to the département.
create index concurrently if not exists communes_by_departement_code on communes (departement, code_insee);
