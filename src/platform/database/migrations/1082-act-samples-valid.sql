-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table act_seals validate constraint act_seals_of;
