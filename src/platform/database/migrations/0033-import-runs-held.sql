-- How many new publications of a run wait for a decision because it was many times larger than the ones before it.
alter table import_runs add column held integer not null default 0;
