-- outside a transaction
-- The lists of communes of a region, by name.
create index concurrently if not exists communes_by_region on communes (region, sort_name, id);
