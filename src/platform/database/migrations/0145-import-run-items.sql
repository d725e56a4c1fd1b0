-- The items of a run that did more than stay the same, with what each became: the first thousand, in the order of the
-- source. They are deleted with their run.
create table import_run_items (
  id uuid constraint import_run_items_pkey primary key,
  run_id uuid not null constraint import_run_items_run references import_runs on delete cascade,
  -- The place among the items of the run that are stored.
  position integer not null,
  external_id text,
  title text,
  action text not null,
  reason text,
  -- No foreign key: a publication may be erased before its run is deleted.
  publication_id uuid,
  -- A page of a run in its order; an attempt that is repeated stores nothing twice.
  constraint import_run_items_position_key unique (run_id, position),
  constraint import_run_items_action check (action in ('created', 'updated', 'unchanged', 'duplicate', 'rejected')),
  -- A limit that no code can forget.
  constraint import_run_items_bounded check (position between 0 and 999)
);

-- What a colleague decided about the new publications that a run held back.
alter table import_runs add column held_decision text;
alter table import_runs add column held_decided_at timestamptz(3);
alter table import_runs add constraint import_runs_held_decision check (held_decision in ('accepted', 'refused')) not valid;
-- A decision and its time: both or neither.
alter table import_runs add constraint import_runs_held_decided
  check ((held_decision is null) = (held_decided_at is null)) not valid;
-- Only a finished run that held something back is decided.
alter table import_runs add constraint import_runs_held_finished
  check (held_decision is null or (held > 0 and finished_at is not null and not dry_run)) not valid;
