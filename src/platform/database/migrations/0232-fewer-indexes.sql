-- outside a transaction
-- Every group is shared now.
drop index concurrently if exists duplicate_groups_shared;

-- The members of a group of duplicates are few: they are looked up by the key, and sorted when read. A quarter of the size.
create index concurrently if not exists publications_of_duplicate_key on publications using hash (duplicate_key)
  where deleted_at is null;

drop index concurrently if exists publications_by_duplicate_key;

-- The publications of a commune. Without their ids the index has one entry for many of them: a sixth of the size.
create index concurrently if not exists publication_communes_of_commune on publication_communes (commune_id);

drop index concurrently if exists publication_communes_by_commune;

-- The few entries of a request. A quarter of the size.
create index concurrently if not exists audit_log_of_request on audit_log using hash (request_id)
  where request_id is not null;

drop index concurrently if exists audit_log_by_request;

-- The audit log by record and by entity. Entries of one millisecond are sorted by id when read: ids were a third of these
-- indexes. (Those by action and by user keep them: a search would walk the index by time instead.)
create index concurrently if not exists audit_log_of_record on audit_log (entity_id, at desc);

drop index concurrently if exists audit_log_by_record;

create index concurrently if not exists audit_log_of_entity on audit_log (entity, at desc);

drop index concurrently if exists audit_log_by_entity;
