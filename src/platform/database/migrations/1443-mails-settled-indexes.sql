-- outside a transaction
-- The back-office list of mails: those of a status, newest first.
create index concurrently if not exists digest_mails_by_status on digest_mails (email_status, email_status_at desc, id desc);

create index concurrently if not exists report_mails_by_status on report_mails (email_status, email_status_at desc, id desc);

create index concurrently if not exists complaint_mails_by_status on complaint_mails (email_status, email_status_at desc, id desc);

create index concurrently if not exists resident_subscribers_by_email_status on resident_subscribers (email_status, email_status_at desc, id desc)
  where email_status is not null;
