-- outside a transaction
-- Reads and changes of one secteur.
create unique index concurrently if not exists secteurs_id_key on secteurs (id);
