-- outside a transaction
-- The lists of the back-office, newest first by default. Ids sort by time too, but are made earlier than rows, so that of two
-- rows of one moment the later may have the smaller id.
create index concurrently if not exists users_by_created on users (created_at, id);

create index concurrently if not exists acteurs_by_created on acteurs (created_at, id);

create index concurrently if not exists subscriptions_by_created on subscriptions (created_at, id);
