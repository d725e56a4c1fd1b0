-- How often each caller has called, one row per limit and caller, in the layout that rate-limiter-flexible writes
-- (columns by position). Unlogged: a count is worth no write-ahead log, and a crash of PostgreSQL only starts the
-- counts again. Rows are updated far more often than made: the free space keeps those updates off the indexes.
create unlogged table rate_limits (
  -- The limit's name, then a keyed hash of the caller: never an address.
  key text collate "C" constraint rate_limits_pkey primary key,
  points integer not null,
  -- Milliseconds since 1970, by the clock of the instance that opened the window.
  expire bigint not null,
  -- Whatever writes here, an address cannot be kept by mistake.
  constraint rate_limits_key_hashed check (key ~ '^[a-z]+:[A-Za-z0-9_-]{22}$')
) with (fillfactor = 50);

-- Deleting what has expired, the oldest first.
create index rate_limits_by_expiry on rate_limits (expire);
