-- outside a transaction
-- The entries about an acteur, newest first. Most entries are about none.
create index concurrently if not exists audit_log_by_acteur on audit_log (acteur_id, at desc, id desc)
  where acteur_id is not null;
