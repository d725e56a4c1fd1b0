-- Secteurs as records: each gets an id, the streets and the area that belong to it, and a version. Existing rows, made of
-- the names that collections have, stay as they are.
alter table secteurs
  add column id uuid not null default gen_random_uuid(),
  -- Its streets: {rue, de, a, cote}; numbers from and to, one side.
  add column rues jsonb not null default '[]',
  -- Its area, as a GeoJSON Polygon or MultiPolygon.
  add column zone jsonb,
  add column version integer not null default 1,
  add column created_at timestamptz(3) not null default now(),
  add column updated_at timestamptz(3) not null default now();
alter table secteurs add constraint secteurs_rues check (
  case jsonb_typeof(rues) when 'array' then jsonb_array_length(rues) <= 3000 else false end) not valid;
alter table secteurs add constraint secteurs_zone check (
  case jsonb_typeof(zone) when 'object' then zone ->> 'type' in ('Polygon', 'MultiPolygon') else zone is null end) not valid;
create trigger secteurs_touch before update on secteurs for each row execute function touch_row();
