-- Where publications are imported from.
create table import_sources (
  id uuid primary key, nom text not null, type text not null,
  -- It may hold a key: the audit log stores only that it changed.
  url text not null,
  acteur_id uuid constraint import_sources_acteur references acteurs,
  commune_id uuid constraint import_sources_commune references communes,
  type_id uuid constraint import_sources_type_id references publication_types,
  moderation_status text not null default 'pending', actif boolean not null default true,
  skip_duplicates boolean not null default true, cron text, mapping jsonb,
  -- Failed runs in a row, and what switched it off.
  failures integer not null default 0,
  paused_reason text,
  -- When its cron is next due; null without one, or when switched off.
  next_run_at timestamptz(3),
  -- Validators of the response that was last imported completely.
  etag text, last_modified text,
  -- Deleted; its history is not yet.
  deleted_at timestamptz(3),
  search_text text collate "C" generated always as (' ' || search_key(nom)) stored, version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  constraint import_sources_type check (type in ('rss', 'ics', 'csv', 'json', 'openagenda')),
  constraint import_sources_status check (moderation_status in ('published', 'pending')),
  -- Tables and documents do not say what their fields mean.
  constraint import_sources_mapping check ((type in ('csv', 'json')) = (mapping is not null)),
  -- A source that is on is not paused, and only such a one is due.
  constraint import_sources_paused check (not actif or paused_reason is null),
  constraint import_sources_due check (next_run_at is null or (actif and cron is not null and deleted_at is null))
);
-- The back-office list by its sorts and filters, and by words of its name.
create index import_sources_live on import_sources (id) include (type, actif) where deleted_at is null;
create index import_sources_by_name on import_sources (search_text, id) where deleted_at is null;
create index import_sources_by_acteur on import_sources (acteur_id, id) where deleted_at is null;
create index import_sources_search on import_sources using gin (search_text gin_trgm_ops) where deleted_at is null;
-- Due sources, oldest first; deleted ones to clear away.
create index import_sources_due on import_sources (next_run_at) where next_run_at is not null;
create index import_sources_deleted on import_sources (id) where deleted_at is not null;
-- The foreign key.
create index import_sources_by_commune on import_sources (commune_id);
-- The list, newest first: ids come from instances whose clocks may differ.
create index import_sources_by_time on import_sources (created_at, id) include (type, actif) where deleted_at is null;
-- What a run writes for the next one is no change of the source.
create trigger import_sources_touch before update on import_sources for each row
  execute function touch_row('search_text', 'failures', 'next_run_at', 'etag', 'last_modified');
create trigger import_sources_follow_merge before insert or update of acteur_id on import_sources
  for each row when (new.acteur_id is not null) execute function follow_merge();

-- Runs of a source: queued → running → succeeded, partial or failed.
create table import_runs (
  id uuid primary key,
  source_id uuid not null constraint import_runs_source references import_sources on delete cascade,
  dry_run boolean not null, status text not null default 'queued',
  -- Attempts: only the latest one may continue.
  attempts integer not null default 0,
  -- Last heartbeat.
  alive_at timestamptz(3) not null default now(),
  -- The time of the request, until it begins.
  started_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  finished_at timestamptz(3), fetched integer not null default 0, created integer not null default 0,
  updated integer not null default 0, unchanged integer not null default 0, duplicates integer not null default 0,
  rejected integer not null default 0,
  -- Lines of its log, also those beyond what is stored.
  lines_total integer not null default 0,
  error text,
  -- New publications that wait for a decision, because the run was many times larger than those before it.
  held integer not null default 0,
  -- What a colleague decided about these.
  held_decision text, held_decided_at timestamptz(3),
  constraint import_runs_status check (status in ('queued', 'running', 'succeeded', 'partial', 'failed')),
  constraint import_runs_finished check ((status in ('queued', 'running')) = (finished_at is null)),
  -- Each item counts once.
  constraint import_runs_counted check (fetched = created + updated + unchanged + duplicates + rejected),
  constraint import_runs_held_decision check (held_decision in ('accepted', 'refused')),
  -- A decision and its time: both or neither.
  constraint import_runs_held_decided check ((held_decision is null) = (held_decided_at is null)),
  -- Only a finished run that held something back is decided.
  constraint import_runs_held_finished
    check (held_decision is null or (held > 0 and finished_at is not null and not dry_run))
);
-- One at a time for each source, dry runs too, over all instances.
create unique index import_runs_one_at_a_time on import_runs (source_id) where status in ('queued', 'running');
-- The history of a source, its last real run, and its runs of a day.
create index import_runs_by_source on import_runs (source_id, started_at desc, id desc) include (status, dry_run);
create index import_runs_last on import_runs (source_id, started_at desc, id desc) where not dry_run;
-- Retention; and runs of dead processes, among the few that are not finished.
create index import_runs_finished on import_runs (finished_at) where finished_at is not null;
create index import_runs_alive on import_runs (alive_at) where status in ('queued', 'running');
-- The list of the runs of all sources, newest first, and its total.
create index import_runs_by_time on import_runs (started_at, id) include (source_id, status, dry_run);
-- The same by status: failed runs are few.
create index import_runs_by_status on import_runs (status, started_at, id) include (source_id, dry_run);
-- Runs whose new publications wait for a decision.
create index import_runs_held on import_runs (started_at, id)
  where held > 0 and held_decision is null and not dry_run and finished_at is not null;

-- The first thousand items of a run that were not unchanged, in the order of the source.
create table import_run_items (
  id uuid primary key, run_id uuid not null constraint import_run_items_run references import_runs on delete cascade,
  -- Place among the stored items of the run.
  position integer not null,
  external_id text, title text, action text not null, reason text,
  -- No foreign key: a publication may be erased before its run is deleted.
  publication_id uuid,
  -- A page of a run in order; a repeated attempt stores nothing twice.
  constraint import_run_items_position_key unique (run_id, position),
  constraint import_run_items_action check (action in ('created', 'updated', 'unchanged', 'duplicate', 'rejected')),
  -- At most a thousand.
  constraint import_run_items_bounded check (position between 0 and 999)
);

-- The log of a run: the lines of one batch in one row.
create table import_log (
  run_id uuid not null constraint import_log_run references import_runs on delete cascade,
  -- Number of its first line.
  first_line integer not null,
  lines jsonb not null,
  constraint import_log_pkey primary key (run_id, first_line)
);

-- The publication of each item, and digests of the fields last received: what differs from them was edited by hand.
create table import_items (
  source_id uuid not null constraint import_items_source references import_sources on delete cascade,
  external_id text not null,
  publication_id uuid not null constraint import_items_publication references publications on delete cascade,
  said jsonb not null,
  -- The run that last changed it, and how: a repeated attempt reports the same.
  run_id uuid not null,
  action text not null, reason text,
  constraint import_items_pkey primary key (source_id, external_id),
  constraint import_items_action check (action in ('created', 'updated', 'unchanged', 'duplicate')),
  -- One publication belongs to one item.
  constraint import_items_publication_key unique (publication_id)
);
-- The publications of a source.
create index import_items_by_source on import_items (source_id, publication_id);
-- Occurrences of calendars by identifier without the hour: one whose hour changed keeps its publication.
create index import_items_of_any_hour on import_items (source_id, regexp_replace(external_id, 'T\d\d:\d\d:\d\dZ?$', ''))
  where external_id ~ 'T\d\d:\d\d:\d\dZ?$';
