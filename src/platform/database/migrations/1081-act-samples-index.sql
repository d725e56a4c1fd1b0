-- outside a transaction
-- The samples of a time.
create index concurrently if not exists act_seals_samples on act_seals (sealed_at) where act_id is null;
