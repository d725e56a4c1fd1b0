-- outside a transaction

alter table support_threads validate constraint support_threads_assignee;

-- The threads of a colleague, and those of nobody, newest first.
create index concurrently if not exists support_threads_by_assignee
  on support_threads (assignee_id, last_message_at desc, id desc);

-- The other threads of an address, newest first; and those of a person to export or erase.
create index concurrently if not exists support_threads_by_email
  on support_threads (lower(email collate "C"), last_message_at desc, id desc) where email is not null;
