-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table webhooks validate constraint webhooks_types;
