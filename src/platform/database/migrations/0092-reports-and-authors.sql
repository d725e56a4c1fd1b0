-- outside a transaction

-- The back-office's list of what one person wrote, newest first; the foreign key.
create index concurrently if not exists publications_by_author on publications (created_by, created_at desc, id desc)
  include (deleted_at) where created_by is not null;

-- Open reports, oldest first.
create index concurrently if not exists publication_reports_oldest on publication_reports (created_at, id)
  include (category, publication_id) where closed_at is null;

-- What an import source has published.
create index concurrently if not exists import_items_by_source on import_items (source_id, publication_id);
