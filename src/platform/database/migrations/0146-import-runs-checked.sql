-- outside a transaction

alter table import_runs validate constraint import_runs_held_decision;

alter table import_runs validate constraint import_runs_held_decided;

alter table import_runs validate constraint import_runs_held_finished;
