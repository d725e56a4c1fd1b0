-- outside a transaction
-- Finds the keys of an acteur when it is merged, without reading all keys.
create index concurrently if not exists access_keys_by_acteur on access_keys (acteur_id) where acteur_id is not null;
