-- outside a transaction
-- The dashboard: the publications that are not deleted, and those of them in a state.
drop index concurrently if exists publications_live;

create index concurrently publications_live on publications (moderation_status) where deleted_at is null;
