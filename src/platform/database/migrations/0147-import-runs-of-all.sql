-- outside a transaction
-- The list of the runs of all sources, newest first, and its total.
create index concurrently if not exists import_runs_by_time on import_runs (started_at, id) include (source_id, status, dry_run);

-- The same list by status: failed runs are few.
create index concurrently if not exists import_runs_by_status on import_runs (status, started_at, id) include (source_id, dry_run);

-- Runs whose new publications wait for a decision.
create index concurrently if not exists import_runs_held on import_runs (started_at, id)
where held > 0 and held_decision is null and not dry_run and finished_at is not null;
