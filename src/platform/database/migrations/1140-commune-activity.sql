-- How much communes are used, for administrators: counted again every ten minutes by a job, so that no sign-up and no publication
-- waits for it, and lists sort by indexes. Without a foreign key: the job removes communes that are gone.
create table commune_activity (
  -- That of the commune.
  id uuid primary key,
  nom text not null, sort_name text collate "C" not null, code_insee text not null, departement text not null,
  -- The newest publication or alerte that the commune has shown; null: none.
  last_message_at timestamptz(3),
  has_messages boolean generated always as (last_message_at is not null) stored,
  -- Kinds of waste whose collection was entered.
  collectes integer not null default 0,
  -- Residents who get messages about it.
  subscribers integer not null default 0,
  constraint commune_activity_counts check (collectes >= 0 and subscribers >= 0)
);
-- Each sort of the list.
create index commune_activity_by_name on commune_activity (sort_name, id);
create index commune_activity_by_message on commune_activity (last_message_at desc nulls last, id desc);
create index commune_activity_by_message_upwards on commune_activity (last_message_at, id);
create index commune_activity_by_collectes on commune_activity (collectes, id);
create index commune_activity_by_subscribers on commune_activity (subscribers, id);
-- The same of communes with messages, or without any.
create index commune_activity_of_messages_by_name on commune_activity (has_messages, sort_name, id);
create index commune_activity_of_messages_by_collectes on commune_activity (has_messages, collectes, id);
create index commune_activity_of_messages_by_subscribers on commune_activity (has_messages, subscribers, id);
-- Communes of a département, which are sorted when they are read: at most 900.
create index commune_activity_by_departement on commune_activity (departement);

-- When the communes were counted; no row before the first time.
create table commune_activity_counted (
  only_one boolean default true primary key constraint commune_activity_counted_one_row check (only_one),
  at timestamptz(3) not null
);
