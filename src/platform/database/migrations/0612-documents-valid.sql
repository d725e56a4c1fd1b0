-- outside a transaction
-- Reads the tables without a lock that others wait for.
alter table publications validate constraint publications_documents;

alter table media validate constraint media_document_named;
