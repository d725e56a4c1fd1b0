-- Messages of the public to support, and replies. Each message of the public begins a thread.
create table support_threads (
  id uuid primary key,
  -- What people call it: the subject of each mail has it.
  number integer not null generated always as identity (start with 1001) constraint support_threads_number unique,
  subject text not null, nom text,
  -- Null once the writer was erased.
  email text,
  -- The writer, when signed in.
  user_id uuid constraint support_threads_user references users,
  commune_id uuid constraint support_threads_commune references communes, status text not null default 'open',
  closed_at timestamptz(3), unread boolean not null default true, flag text,
  -- Counted while the thread is locked: each message changes its thread.
  messages_count integer not null default 1,
  last_message_at timestamptz(3) not null default now(),
  -- The words of its first messages, however many follow.
  said tsvector not null,
  -- Everything that finds it, without accents.
  search tsvector generated always as (to_tsvector('pg_catalog.simple', number::text || ' ' || search_key(
    subject || ' ' || coalesce(nom, '') || ' ' || coalesce(email, ''))) || said) stored,
  version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Who handles the thread; null: nobody yet.
  assignee_id uuid,
  constraint support_threads_status check (status in ('open', 'closed')),
  constraint support_threads_closed check ((status = 'closed') = (closed_at is not null)),
  constraint support_threads_flag check (flag in ('red', 'orange', 'yellow', 'green', 'blue', 'purple')),
  constraint support_threads_has_messages check (messages_count >= 1),
  constraint support_threads_assignee foreign key (assignee_id) references users
);
-- The back-office list, by its two sorts and each of its filters.
create index support_threads_by_last_message on support_threads (last_message_at desc, id desc);
create index support_threads_by_created on support_threads (created_at desc, id desc);
create index support_threads_by_status on support_threads (status, last_message_at desc, id desc);
create index support_threads_by_flag on support_threads (flag, last_message_at desc, id desc);
-- Unread threads and their number.
create index support_threads_unread on support_threads (last_message_at desc, id desc) where unread;
create index support_threads_search on support_threads using gin (search);
-- Retention.
create index support_threads_closed_since on support_threads (closed_at) where closed_at is not null;
-- The threads of a colleague, and those of nobody, newest first.
create index support_threads_by_assignee on support_threads (assignee_id, last_message_at desc, id desc);
-- What a person wrote, newest first; finding a person.
create index support_threads_by_email
  on support_threads (lower(email collate "C"), last_message_at desc, id desc) where email is not null;
create index support_threads_by_user on support_threads (user_id) where user_id is not null;
create trigger support_threads_touch before update on support_threads for each row execute function touch_row('search');

create table support_messages (
  id uuid primary key,
  thread_id uuid not null constraint support_messages_thread references support_threads on delete cascade,
  direction text not null, body text not null,
  -- The operator, or the writer when signed in.
  author_id uuid constraint support_messages_author references users,
  -- Message-ID of the mail: a retry sends the same one.
  message_id text not null,
  email_status text, email_status_at timestamptz(3), email_error text, email_tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  -- What a reply changed in its thread, which its undo restores.
  reopened_thread boolean not null default false,
  read_thread boolean not null default false,
  -- A former attempt may have arrived: the message cannot be deleted any more.
  may_have_arrived boolean not null default false,
  -- When the thread that a reply reopened had been closed: its undo restores the time, from which retention counts.
  thread_closed_at timestamptz(3),
  constraint support_messages_direction check (direction in ('inbound', 'outbound')),
  constraint support_messages_body_length check (char_length(body) between 1 and 10000),
  constraint support_messages_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  -- Replies of operators go out as mail.
  constraint support_messages_mailed check ((direction = 'outbound') = (email_status is not null)),
  constraint support_messages_email_status_dated check ((email_status is null) = (email_status_at is null))
);
-- The messages of a thread, newest first.
create index support_messages_by_thread on support_messages (thread_id, created_at desc, id desc);
-- Mails to send, and those whose result is unknown.
create index support_messages_mails_open on support_messages (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The back-office list of mails: those of a status, newest first.
create index support_messages_by_status on support_messages (email_status, email_status_at desc, id desc) where email_status is not null;
create trigger support_messages_may_have_arrived before update of email_status on support_messages for each row
  when (old.email_status = 'uncertain' and new.email_status <> 'uncertain') execute function mark_mail_may_have_arrived();

-- One draft per thread and colleague: two who write at once do not overwrite each other.
create table support_drafts (
  thread_id uuid not null constraint support_drafts_thread references support_threads on delete cascade,
  user_id uuid not null constraint support_drafts_user references users, body text not null,
  updated_at timestamptz(3) not null default now(),
  constraint support_drafts_pkey primary key (thread_id, user_id),
  constraint support_drafts_body_length check (char_length(body) between 1 and 10000)
);
-- Export and erasure of a colleague.
create index support_drafts_by_user on support_drafts (user_id, thread_id);

-- Texts that colleagues reuse.
create table reply_templates (
  id uuid primary key, kind text not null, name text not null, body text not null, deleted_at timestamptz(3),
  version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint reply_templates_kind check (kind in ('rejection', 'claim', 'reply')),
  constraint reply_templates_name_length check (char_length(name) between 1 and 100),
  constraint reply_templates_body_length check (char_length(body) between 1 and 5000)
);
-- Two templates of one kind with one name could not be told apart in a menu.
create unique index reply_templates_name on reply_templates (kind, lower(name)) where deleted_at is null;
create trigger reply_templates_touch before update on reply_templates for each row execute function touch_row();

-- Notes between colleagues.
create table notes (
  id uuid primary key, kind text not null,
  -- The record it is about. Its table depends on the kind, so there is no foreign key.
  record_id uuid not null,
  body text not null, created_by uuid not null constraint notes_author references users,
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

-- Notes refer to their record by its kind, without a foreign key.
create function follow_merge_of_note() returns trigger language plpgsql as $$ begin
  new.record_id := acteur_to_write_for(new.record_id);
  return new;
end $$;
create trigger notes_follow_merge before insert or update of record_id on notes
  for each row when (new.kind = 'acteur') execute function follow_merge_of_note();
