-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table elus validate constraint elus_photo;
