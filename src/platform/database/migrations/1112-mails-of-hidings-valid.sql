-- outside a transaction
alter table publication_mails validate constraint publication_mails_kind;

alter table publication_mails validate constraint publication_mails_commune;

-- The foreign key.
create index concurrently if not exists publication_mails_by_commune on publication_mails (commune_id)
  where commune_id is not null;
