-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table publication_reports validate constraint publication_reports_category;
