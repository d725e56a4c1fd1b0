-- Identifies the WAL that the primary writes: a replica that has replayed this row follows the same history. The service
-- writes a new id when the timeline or the cluster is another one, as after a failover or a restore.
create table wal_timeline (
  id uuid not null default gen_random_uuid(),
  system_identifier bigint not null,
  timeline text not null,
  -- One row.
  is_only boolean not null default true constraint wal_timeline_pkey primary key,
  constraint wal_timeline_is_only check (is_only)
);

-- Public reads show these tables too: a replica serves them only once it has replayed their changes.
create trigger alertes_told after insert or update or delete or truncate on alertes
  for each statement execute function tell_change();
create trigger collectes_told after insert or update or delete or truncate on collectes
  for each statement execute function tell_change();
create trigger defibrillateurs_told after insert or update or delete or truncate on defibrillateurs
  for each statement execute function tell_change();
create trigger defibrillateur_syncs_told after insert or update or delete or truncate on defibrillateur_syncs
  for each statement execute function tell_change();
