-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table alertes validate constraint alertes_communes;

alter table alertes validate constraint alertes_communes_named;
