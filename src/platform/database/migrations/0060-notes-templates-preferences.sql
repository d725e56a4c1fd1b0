-- Notes between colleagues, texts they reuse, and what each of them prefers in the back-office.

create table notes (
  id uuid constraint notes_pkey primary key,
  kind text not null,
  -- The record it is about. Its table depends on the kind, so there is no foreign key.
  record_id uuid not null,
  body text not null,
  created_by uuid not null constraint notes_author references users,
  created_at timestamptz(3) not null default now(),
  constraint notes_kind check (kind in ('publication', 'acteur', 'commune', 'user', 'claim', 'thread', 'import_source',
    'subscription', 'defibrillateur')),
  constraint notes_body_length check (char_length(body) between 1 and 2000)
);
-- The notes of a record, newest first.
create index notes_by_record on notes (kind, record_id, id desc);
-- Export of a person, and retention.
create index notes_by_author on notes (created_by, id);
create index notes_by_age on notes (created_at);

create table reply_templates (
  id uuid constraint reply_templates_pkey primary key,
  kind text not null,
  name text not null,
  body text not null,
  deleted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint reply_templates_kind check (kind in ('rejection', 'claim', 'reply')),
  constraint reply_templates_name_length check (char_length(name) between 1 and 100),
  constraint reply_templates_body_length check (char_length(body) between 1 and 5000)
);
-- Two templates of one kind with the same name could not be told apart in a menu.
create unique index reply_templates_name on reply_templates (kind, lower(name)) where deleted_at is null;
create trigger reply_templates_touch before update on reply_templates for each row execute function touch_row();

create table user_preferences (
  user_id uuid constraint user_preferences_pkey primary key constraint user_preferences_user references users,
  preferences jsonb not null,
  updated_at timestamptz(3) not null default now(),
  constraint user_preferences_size check (octet_length(preferences::text) <= 20000)
);

create table saved_views (
  id uuid constraint saved_views_pkey primary key,
  user_id uuid not null constraint saved_views_user references users,
  list text not null,
  name text not null,
  query text not null,
  -- Colleagues with this role see it too.
  role text,
  created_at timestamptz(3) not null default now(),
  constraint saved_views_lengths check (char_length(list) between 1 and 40 and char_length(name) between 1 and 100
    and char_length(query) <= 2000),
  constraint saved_views_role check (role in ('admin', 'platform_admin', 'moderator', 'support'))
);
create index saved_views_by_user on saved_views (user_id, id);
create index saved_views_shared on saved_views (role, id) where role is not null;
