-- outside a transaction
-- A place has one at most, also when two are chosen at once.
create unique index concurrently if not exists domains_primary on domains (coalesce(commune_id, group_id)) where is_primary;
