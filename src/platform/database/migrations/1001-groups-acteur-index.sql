-- outside a transaction
-- The groups of an acteur; the foreign key.
create index concurrently if not exists groups_by_acteur on groups (acteur_id) where acteur_id is not null;
