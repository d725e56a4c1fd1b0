-- outside a transaction
-- The publications that show a document.
create index concurrently if not exists publications_by_document on publications using gin (documents)
  where documents is not null;
