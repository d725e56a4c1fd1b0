-- outside a transaction
-- The list of import sources, newest first: ids are made by instances whose clocks may differ.
create index concurrently if not exists import_sources_by_time on import_sources (created_at, id) include (type, actif)
where deleted_at is null;
