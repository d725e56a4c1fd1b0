-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table communes validate constraint communes_blason;

alter table communes validate constraint communes_photo;
