-- What a file would do, or has done, to the waste collections of the communes of a group or a mairie: checked, then applied, then undone.
-- A row that is never applied goes after a day, the others when they can no longer be undone.
create table collecte_imports (
  id uuid primary key,
  -- That of the group, or the mairie.
  acteur_id uuid not null constraint collecte_imports_acteur references acteurs,
  kind text not null,
  -- What could not be read, by row: the first thousand, and how many there are.
  problems jsonb not null, problem_count integer not null,
  applied_at timestamptz(3), undone_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  constraint collecte_imports_kind check (kind in ('csv', 'json', 'ics')),
  constraint collecte_imports_problems check (jsonb_typeof(problems) = 'array' and problem_count >= jsonb_array_length(problems)),
  -- Only what was applied can be undone.
  constraint collecte_imports_undone check (undone_at is null or applied_at is not null)
);
-- Those of an acteur, the latest first.
create index collecte_imports_by_acteur on collecte_imports (acteur_id, id desc);
-- The sweep.
create index collecte_imports_by_time on collecte_imports (created_at);
create trigger collecte_imports_touch before update on collecte_imports for each row execute function touch_row();
create trigger collecte_imports_follow_merge before insert or update of acteur_id on collecte_imports
  for each row execute function follow_merge();

-- The communes that the file names: their collections as they were when it was checked, and as it wants them; once applied, as
-- they were written. Each is replaced only while it has the former, and restored only while it has the latter.
create table collecte_import_communes (
  import_id uuid not null constraint collecte_import_communes_import references collecte_imports on delete cascade,
  commune_id uuid not null constraint collecte_import_communes_commune references communes on delete cascade,
  before jsonb not null, after jsonb not null,
  -- How many collections the file adds, and so on.
  added integer not null, removed integer not null, changed integer not null, unchanged integer not null,
  result text, undo_result text,
  -- A file names a commune once.
  constraint collecte_import_communes_pkey primary key (import_id, commune_id),
  constraint collecte_import_communes_lists check (jsonb_typeof(before) = 'array' and jsonb_typeof(after) = 'array'),
  constraint collecte_import_communes_result check (result in ('replaced', 'unchanged', 'changed_since', 'not_member')),
  -- Only what was replaced is restored.
  constraint collecte_import_communes_undo_result check (
    undo_result is null or result is not distinct from 'replaced' and undo_result in ('restored', 'changed_since', 'not_member'))
);
-- The foreign key.
create index collecte_import_communes_by_commune on collecte_import_communes (commune_id);
