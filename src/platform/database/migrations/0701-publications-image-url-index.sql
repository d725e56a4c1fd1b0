-- outside a transaction
-- The publications that want the picture of an address, and the way through those of the version before.
create index concurrently if not exists publications_wanting_image on publications (md5(image_url), id)
  where image_url is not null and images is null;
