-- What was deleted of a commune or a mairie, for 30 days: whoever could delete it can restore it. Publications keep their row.
create table deleted_records (
  -- That of the record: it can be deleted once, until it is restored.
  id uuid primary key,
  kind text not null,
  commune_id uuid constraint deleted_records_commune references communes on delete cascade,
  acteur_id uuid constraint deleted_records_acteur references acteurs,
  -- What people recognise it by, and what a list says below it.
  label text not null, detail text,
  -- Its row, and what belongs to it.
  content jsonb not null,
  deleted_at timestamptz(3) not null default now(),
  constraint deleted_records_kind check (kind in ('alerte', 'collecte', 'elu', 'info')),
  -- Only alertes may belong to a mairie.
  constraint deleted_records_one_owner check (
    num_nonnulls(commune_id, acteur_id) = 1 and (commune_id is not null or kind = 'alerte'))
);
-- What was deleted of one owner, the latest first.
create index deleted_records_by_commune on deleted_records (commune_id, deleted_at desc, id desc)
  where commune_id is not null;
create index deleted_records_by_acteur on deleted_records (acteur_id, deleted_at desc, id desc) where acteur_id is not null;
-- The sweep; the list of administrators.
create index deleted_records_by_time on deleted_records (deleted_at desc, id desc);
create trigger deleted_records_follow_merge before insert or update of acteur_id on deleted_records
  for each row when (new.acteur_id is not null) execute function follow_merge();

-- When a member deleted the publication. They restore it while this is also its deleted_at: not what a moderator deleted.
alter table publications add column withdrawn_at timestamptz(3);
