-- outside a transaction
-- The communes that show a picture; the foreign key.
create index concurrently if not exists communes_by_blason on communes (blason) where blason is not null;

create index concurrently if not exists communes_by_photo on communes (photo) where photo is not null;
