-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table acteurs validate constraint acteurs_siret;
