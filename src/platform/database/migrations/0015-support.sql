-- What the public writes to the support, and what operators answer. Every message of the public begins a thread.
create table support_threads (
  id uuid constraint support_threads_pkey primary key,
  -- What people name it by: it stands in the subject of each mail.
  number integer not null generated always as identity (start with 1001) constraint support_threads_number unique,
  subject text not null,
  nom text,
  email text not null,
  -- Who wrote, when signed in.
  user_id uuid constraint support_threads_user references users,
  commune_id uuid constraint support_threads_commune references communes,
  status text not null default 'open',
  closed_at timestamptz(3),
  unread boolean not null default true,
  flag text,
  -- Counted while the thread is held: each message changes its thread.
  messages_count integer not null default 1,
  last_message_at timestamptz(3) not null default now(),
  -- The words of its first messages, however many follow.
  said tsvector not null,
  -- All that it is found by, in words without accents.
  search tsvector generated always as (to_tsvector('pg_catalog.simple', number::text || ' ' || search_key(
    subject || ' ' || coalesce(nom, '') || ' ' || email)) || said) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint support_threads_status check (status in ('open', 'closed')),
  constraint support_threads_closed check ((status = 'closed') = (closed_at is not null)),
  constraint support_threads_flag check (flag in ('red', 'orange', 'yellow', 'green', 'blue', 'purple')),
  constraint support_threads_has_messages check (messages_count >= 1)
);
create trigger support_threads_touch before update on support_threads for each row execute function touch_row('search');

-- The back-office list, by its two sorts and each of its filters.
create index support_threads_by_last_message on support_threads (last_message_at desc, id desc);
create index support_threads_by_created on support_threads (created_at desc, id desc);
create index support_threads_by_status on support_threads (status, last_message_at desc, id desc);
create index support_threads_by_flag on support_threads (flag, last_message_at desc, id desc);
-- Those that wait to be read, and how many they are.
create index support_threads_unread on support_threads (last_message_at desc, id desc) where unread;
create index support_threads_search on support_threads using gin (search);
-- Retention: closed long ago.
create index support_threads_closed_since on support_threads (closed_at) where closed_at is not null;

create table support_messages (
  id uuid constraint support_messages_pkey primary key,
  thread_id uuid not null constraint support_messages_thread references support_threads on delete cascade,
  direction text not null,
  body text not null,
  -- The operator, or who wrote when signed in.
  author_id uuid constraint support_messages_author references users,
  -- Its id as mail, which never changes: a mail that is sent again is the same one to who gets it.
  message_id text not null,
  email_status text,
  email_status_at timestamptz(3),
  email_error text,
  email_tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint support_messages_direction check (direction in ('inbound', 'outbound')),
  constraint support_messages_body_length check (char_length(body) between 1 and 10000),
  constraint support_messages_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  -- What operators write goes out as mail.
  constraint support_messages_mailed check ((direction = 'outbound') = (email_status is not null)),
  constraint support_messages_email_status_dated check ((email_status is null) = (email_status_at is null))
);
-- The messages of a thread, newest first.
create index support_messages_by_thread on support_messages (thread_id, created_at desc, id desc);
-- Mails that are not done with, and those of which nobody knows what became of them.
create index support_messages_mails_open on support_messages (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');

-- What the mail server said to the last try; which try it is that may say so.
alter table claims add column email_error text, add column email_tries integer not null default 0;
drop trigger claims_touch on claims;
create trigger claims_touch before update on claims for each row
  execute function touch_row('search', 'email_status', 'email_status_at', 'email_error', 'email_tries');
create index claims_mails_open on claims (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
drop index claims_sending;

-- Until when administrators were told of mails that ended uncertain: of each once, whichever instance tells them.
create table mail_notices (
  only_one boolean default true constraint mail_notices_pkey primary key constraint mail_notices_one_row check (only_one),
  told_until timestamptz(3) not null
);
insert into mail_notices (told_until) values ('-infinity');
