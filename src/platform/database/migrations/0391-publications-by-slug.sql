-- outside a transaction

-- The public site finds a publication by its slug.
create index concurrently if not exists publications_slug on publications (slug);
