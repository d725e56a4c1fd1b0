-- Mails that tell the owners of an acteur that it was deactivated.
create table acteur_mails (
  id uuid primary key,
  statement_id uuid not null constraint acteur_mails_statement references statements on delete cascade,
  user_id uuid not null constraint acteur_mails_user references users,
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  email_settled_at timestamptz(3),
  -- Each owner is told once.
  constraint acteur_mails_once unique (statement_id, user_id),
  constraint acteur_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The foreign key.
create index acteur_mails_by_user on acteur_mails (user_id);
-- Mails to send, and those whose result is unknown.
create index acteur_mails_open on acteur_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The back-office list of mails: those of a status, newest first.
create index acteur_mails_by_status on acteur_mails (email_status, email_status_at desc, id desc);
