-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table support_threads validate constraint support_threads_about;
