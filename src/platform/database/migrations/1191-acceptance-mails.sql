-- Mails that tell authors that publications of theirs were accepted: one for each author of a decision.
create table acceptance_mails (
  id uuid primary key,
  user_id uuid not null constraint acceptance_mails_user references users,
  created_at timestamptz(3) not null default now(),
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  email_settled_at timestamptz(3),
  constraint acceptance_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The foreign key.
create index acceptance_mails_by_user on acceptance_mails (user_id);
-- Mails to send, and those whose result is unknown.
create index acceptance_mails_open on acceptance_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- Retention.
create index acceptance_mails_by_age on acceptance_mails (created_at);
-- The back-office list of mails: those of a status, newest first.
create index acceptance_mails_by_status on acceptance_mails (email_status, email_status_at desc, id desc);

-- The publications of such a mail. Each is told of once, as long as its mail is kept.
create table accepted_publications (
  publication_id uuid primary key constraint accepted_publications_publication references publications on delete cascade,
  mail_id uuid not null constraint accepted_publications_mail references acceptance_mails on delete cascade
);
-- The publications of a mail; the foreign key.
create index accepted_publications_by_mail on accepted_publications (mail_id);
