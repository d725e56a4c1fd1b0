-- The trail of one record, or of one kind of records, newest first. One index for both could not give the order of a
-- kind alone, and says nothing of a record whose kind is not named.
drop index audit_log_by_entity;
create index audit_log_by_record on audit_log (entity_id, at desc, id desc);
create index audit_log_by_entity on audit_log (entity, at desc, id desc);
