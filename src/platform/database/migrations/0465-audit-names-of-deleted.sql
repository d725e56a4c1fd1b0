-- outside a transaction
-- The name that the entry of a deletion holds: the record has none any more. Deletions are few among the entries.
create index concurrently if not exists audit_log_of_deleted on audit_log using gin (
  (' ' || search_key(coalesce(before ->> 'titre', before ->> 'nom', before ->> 'name', before ->> 'libelle',
    before ->> 'label', ''))) gin_trgm_ops) where action like '%.delete';

-- Alerts by a word of their title, for the search of the audit log.
create index concurrently if not exists alertes_named on alertes using gin ((' ' || search_key(titre)) gin_trgm_ops);
