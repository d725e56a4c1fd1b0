-- outside a transaction
-- As claims_by_status_and_age, with what says how long the expiry waits: claims that have expired, whether or not the job
-- has run, are counted in the index alone.
create index concurrently if not exists claims_by_status on claims (status, created_at, id) include (asked_at, waits_until);

drop index concurrently if exists claims_by_status_and_age;
