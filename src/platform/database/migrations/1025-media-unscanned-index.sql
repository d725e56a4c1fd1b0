-- outside a transaction
-- What waits for the antivirus, in the order of its ids.
create index concurrently if not exists media_unscanned on media (id) where unscanned_since is not null;
