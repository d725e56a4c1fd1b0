-- outside a transaction
-- The publications that show a picture.
create index concurrently if not exists publications_by_image on publications using gin (images) where images is not null;
