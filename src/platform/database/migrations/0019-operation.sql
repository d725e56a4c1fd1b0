-- Applications that call the API: a filter of content, not a security boundary.
create table app_sources (
  code text primary key, label text not null,
  -- Null: everything public; otherwise the publications of these communes.
  commune_ids uuid[],
  active boolean not null default true, created_at timestamptz(3) not null default now(),
  version integer not null default 1, updated_at timestamptz(3) not null default now(),
  constraint app_sources_code_form check (code ~ '^[a-z0-9][a-z0-9_-]{0,49}$')
);
create trigger app_sources_notify after insert or update or delete or truncate on app_sources
  for each statement execute function notify_change();
create trigger app_sources_touch before update on app_sources for each row execute function touch_row();
insert into app_sources (code, label) values
  ('public', 'Application publique'), ('mairie', 'Mairie'), ('backoffice', 'Back-office'), ('site', 'Site public');

-- Seed data that is loaded once in the life of a database (communes, demo content).
create table first_loads (
  name text primary key, loaded_at timestamptz(3) not null default now()
);

-- Requests by limit and caller, in the layout of rate-limiter-flexible (columns by position). Free space: updated far more often.
create unlogged table rate_limits (
  -- The limit's name, then a keyed hash of the caller: never an address.
  key text collate "C" primary key,
  points integer not null,
  -- Milliseconds since 1970, by the clock of the instance that opened the window.
  expire bigint not null,
  -- No address can be stored by mistake.
  constraint rate_limits_key_hashed check (key ~ '^[a-z]+:[A-Za-z0-9_-]{22}$')
) with (fillfactor = 50);
-- Deleting expired rows, oldest first.
create index rate_limits_by_expiry on rate_limits (expire);

-- Responses to requests with an Idempotency-Key, for a day: a retry gets the same response and changes nothing.
create table idempotent_responses (
  -- A keyed digest of the caller, the route and the key.
  key text collate "C" primary key,
  -- Another body under the same key is refused.
  body_digest text not null,
  -- json, not jsonb: a retry gets the fields in the same order.
  response json not null,
  -- For export and erasure of a person.
  user_id uuid,
  created_at timestamptz(3) not null default now()
);
-- Deleted after a day.
create index idempotent_responses_by_age on idempotent_responses (created_at);

-- Counts of each past day (Europe/Paris) for the series of the dashboard, made once by a job.
create table daily_counts (
  day date not null,
  -- Name of the count, as a module gives it.
  key text not null,
  n integer not null,
  constraint daily_counts_pkey primary key (day, key), constraint daily_counts_n check (n >= 0)
);

-- When `npm run backup` last succeeded, for the system page: one row.
create table last_backup (
  one boolean not null default true primary key constraint last_backup_one check (one),
  made_at timestamptz(3) not null, bytes bigint not null
);

-- Identifies the history of the WAL; a new id when it changed, as after a failover: a replica compares it.
create table wal_timeline (
  id uuid not null default gen_random_uuid(), system_identifier bigint not null, timeline text not null,
  -- One row.
  is_only boolean not null default true primary key,
  constraint wal_timeline_is_only check (is_only)
);
