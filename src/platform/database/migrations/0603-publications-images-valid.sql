-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table publications validate constraint publications_images;
