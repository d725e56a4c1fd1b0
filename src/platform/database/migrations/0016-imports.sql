-- Where publications are imported from.
create table import_sources (
  id uuid constraint import_sources_pkey primary key,
  nom text not null,
  type text not null,
  -- It may hold a key: the trail keeps only that it changed.
  url text not null,
  acteur_id uuid constraint import_sources_acteur references acteurs,
  commune_id uuid constraint import_sources_commune references communes,
  type_id uuid constraint import_sources_type_id references publication_types,
  moderation_status text not null default 'pending',
  actif boolean not null default true,
  skip_duplicates boolean not null default true,
  cron text,
  mapping jsonb,
  -- How many runs in a row have failed, and what switched it off.
  failures integer not null default 0,
  paused_reason text,
  -- When its cron is next due; null where it has none, or is switched off.
  next_run_at timestamptz(3),
  -- What the server said of the bytes that were last imported whole.
  etag text,
  last_modified text,
  -- Deleted, and its history not yet.
  deleted_at timestamptz(3),
  search_text text collate "C" generated always as (' ' || search_key(nom)) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint import_sources_type check (type in ('rss', 'ics', 'csv', 'json', 'openagenda')),
  constraint import_sources_status check (moderation_status in ('published', 'pending')),
  -- Tables and documents say nothing of what their fields mean.
  constraint import_sources_mapping check ((type in ('csv', 'json')) = (mapping is not null)),
  -- What is switched on is not paused, and only that is due.
  constraint import_sources_paused check (not actif or paused_reason is null),
  constraint import_sources_due check (next_run_at is null or (actif and cron is not null and deleted_at is null))
);
-- What a run notes for the next one is no change of the source.
create trigger import_sources_touch before update on import_sources for each row
  execute function touch_row('search_text', 'failures', 'next_run_at', 'etag', 'last_modified');
-- The back-office list, newest first (by id) or by name, by each of its filters, and by words of its name.
create index import_sources_live on import_sources (id) include (type, actif) where deleted_at is null;
create index import_sources_by_name on import_sources (search_text, id) where deleted_at is null;
create index import_sources_by_acteur on import_sources (acteur_id, id) where deleted_at is null;
create index import_sources_search on import_sources using gin (search_text gin_trgm_ops) where deleted_at is null;
-- What is due, the longest first; what is to be cleared away.
create index import_sources_due on import_sources (next_run_at) where next_run_at is not null;
create index import_sources_deleted on import_sources (id) where deleted_at is not null;
-- Foreign key checks when a commune goes.
create index import_sources_by_commune on import_sources (commune_id);

create table import_runs (
  id uuid constraint import_runs_pkey primary key,
  source_id uuid not null constraint import_runs_source references import_sources on delete cascade,
  dry_run boolean not null,
  status text not null default 'queued',
  -- How often it was begun: who has begun it last goes on, whoever else still thinks to.
  attempts integer not null default 0,
  -- When it last gave a sign of life.
  alive_at timestamptz(3) not null default now(),
  -- Asked for, until it begins.
  started_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  finished_at timestamptz(3),
  fetched integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  -- How many lines its log has, also those beyond what is kept.
  lines_total integer not null default 0,
  error text,
  constraint import_runs_status check (status in ('queued', 'running', 'succeeded', 'partial', 'failed')),
  constraint import_runs_finished check ((status in ('queued', 'running')) = (finished_at is null)),
  -- Each item counts once.
  constraint import_runs_counted check (fetched = created + updated + unchanged + duplicates + rejected)
);
-- One at a time for each source, dry runs too, over all instances.
create unique index import_runs_one_at_a_time on import_runs (source_id) where status in ('queued', 'running');
-- The history of a source, its last real run, and its runs of a day.
create index import_runs_by_source on import_runs (source_id, started_at desc, id desc) include (status, dry_run);
create index import_runs_last on import_runs (source_id, started_at desc, id desc) where not dry_run;
-- Retention; and those of dead processes, among the few that are not finished.
create index import_runs_finished on import_runs (finished_at) where finished_at is not null;
create index import_runs_alive on import_runs (alive_at) where status in ('queued', 'running');

-- The log of a run, the lines of one batch in one row: they come and go together.
create table import_log (
  run_id uuid not null constraint import_log_run references import_runs on delete cascade,
  -- Where its first line stands.
  first_line integer not null,
  lines jsonb not null,
  constraint import_log_pkey primary key (run_id, first_line)
);

-- Which publication an item of a source has become, and what the source last said of each of its fields, as digests: a
-- field that differs from that in the publication was edited by hand.
create table import_items (
  source_id uuid not null constraint import_items_source references import_sources on delete cascade,
  external_id text not null,
  publication_id uuid not null constraint import_items_publication references publications on delete cascade,
  said jsonb not null,
  -- The run that last changed it, and how: taken up again, it reports the same.
  run_id uuid not null,
  action text not null,
  reason text,
  constraint import_items_pkey primary key (source_id, external_id),
  constraint import_items_action check (action in ('created', 'updated', 'unchanged', 'duplicate')),
  -- One publication is one item's.
  constraint import_items_publication_key unique (publication_id)
);
