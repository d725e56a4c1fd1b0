-- outside a transaction
-- The foreign key; the move back into the database.
create unique index concurrently if not exists media_variants_by_object on media_variants (object) where object is not null;
