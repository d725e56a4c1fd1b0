-- outside a transaction
-- The élus that show a picture; the foreign key.
create index concurrently if not exists elus_by_photo on elus (photo) where photo is not null;
