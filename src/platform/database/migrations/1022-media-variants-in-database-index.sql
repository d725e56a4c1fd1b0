-- outside a transaction
-- What is to be moved to the store.
create index concurrently if not exists media_variants_in_database on media_variants (sha256, width, format)
  where object is null;
