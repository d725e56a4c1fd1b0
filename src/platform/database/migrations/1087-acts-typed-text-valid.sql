-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table acts validate constraint acts_typed_text;
