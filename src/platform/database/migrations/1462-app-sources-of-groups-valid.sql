-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table app_sources validate constraint app_sources_group;
alter table app_sources validate constraint app_sources_one_place;
