-- outside a transaction

-- Users who never signed in, whose old permissions lapse: also those of the own issuer.
create index concurrently if not exists users_never_seen
  on users (id) where last_seen_at is null and (issuer is null or issuer = 'parvis');

drop index concurrently if exists users_unbound;
