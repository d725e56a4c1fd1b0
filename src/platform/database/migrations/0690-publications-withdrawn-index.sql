-- outside a transaction
-- Publications that members deleted and can restore.
create index concurrently if not exists publications_withdrawn on publications (acteur_id) where withdrawn_at = deleted_at;
