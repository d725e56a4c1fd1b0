-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table domains validate constraint domains_primary_proven;
