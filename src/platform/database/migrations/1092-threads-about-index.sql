-- outside a transaction
-- Further answers of a person to mails about a record belong to one thread.
create unique index concurrently if not exists support_threads_by_about
  on support_threads (about_id, about_kind, lower(email collate "C")) where about_id is not null;
