-- outside a transaction
-- To find a person everywhere: support threads, contacts of acteurs, alerts, reports.
create index concurrently if not exists support_threads_by_email on support_threads (lower(email collate "C"))
  where email is not null;

create index concurrently if not exists support_threads_by_user on support_threads (user_id) where user_id is not null;

create index concurrently if not exists acteurs_by_email on acteurs (lower(email collate "C")) where email is not null;

create index concurrently if not exists alertes_by_author on alertes (created_by) where created_by is not null;

create index concurrently if not exists publication_reports_by_reporter on publication_reports (caller_key);
