-- outside a transaction
-- The list of administrators, by state.
create index concurrently if not exists acts_by_state on acts (state, id desc);
