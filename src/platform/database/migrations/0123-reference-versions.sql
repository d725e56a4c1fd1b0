-- Administrators change publication types and applications: two who do so at once must not overwrite each other.
alter table publication_types add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now();
alter table app_sources add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now();
create trigger publication_types_touch before update on publication_types for each row execute function touch_row();
create trigger app_sources_touch before update on app_sources for each row execute function touch_row();
