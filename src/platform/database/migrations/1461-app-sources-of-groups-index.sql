-- outside a transaction
-- The foreign key.
create index concurrently if not exists app_sources_by_group on app_sources (group_id) where group_id is not null;
