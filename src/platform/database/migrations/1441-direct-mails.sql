-- Mails that belong to no other row: codes, invitations, notices. A row is made by the first attempt, and has the id of its job.
create table direct_mails (
  id uuid primary key,
  -- The kind, as the back-office names it.
  mail_kind text not null,
  -- What it is about: a user or an invitation. No foreign key: these may go before.
  record_id uuid not null,
  -- Who gets it, if that is somebody with an account.
  user_id uuid,
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  email_settled_at timestamptz(3),
  constraint direct_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The back-office list of mails: those of a kind and status, newest first; and those whose result is unknown.
create index direct_mails_by_status on direct_mails (mail_kind, email_status, email_status_at desc, id desc);
-- Retention.
create index direct_mails_by_age on direct_mails (email_status_at);
-- The erasure of a person.
create index direct_mails_by_user on direct_mails (user_id) where user_id is not null;
