-- outside a transaction
-- The entries of one request, newest first.
create index concurrently if not exists audit_log_by_request on audit_log (request_id, at desc, id desc) where request_id is not null;

-- The first and last seal of each key, however many seals there are.
create index concurrently if not exists audit_seals_by_key on audit_seals (key_id, number);

-- The back-office list of mails: those of a status, newest first.
create index concurrently if not exists publication_mails_by_status on publication_mails (email_status, email_status_at desc, id desc);

create index concurrently if not exists claims_mails_by_status on claims (email_status, email_status_at desc, id desc) where email_status is not null;

create index concurrently if not exists claim_questions_by_status on claim_questions (email_status, email_status_at desc, id desc);

create index concurrently if not exists alertes_mails_by_status on alertes (email_status, email_status_at desc, id desc) where email_status is not null;

create index concurrently if not exists support_messages_by_status on support_messages (email_status, email_status_at desc, id desc) where email_status is not null;
