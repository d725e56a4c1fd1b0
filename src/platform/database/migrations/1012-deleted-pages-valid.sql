-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table deleted_records validate constraint deleted_records_kind;
