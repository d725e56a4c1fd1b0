-- outside a transaction
-- Finds the keys of a commune when it is deleted, without reading all keys.
create index concurrently if not exists access_keys_by_commune on access_keys (commune_id) where commune_id is not null;
