-- Until when administrators were notified of mails that ended uncertain: once of each, by any instance.
create table mail_notices (
  only_one boolean default true primary key constraint mail_notices_one_row check (only_one),
  notified_until timestamptz(3) not null
);
insert into mail_notices (notified_until) values ('-infinity');

-- Daily mails with what waits for a colleague, for users who want them.
create table digests (
  user_id uuid primary key constraint digests_user references users, daily boolean not null,
  -- The last day (Europe/Paris) for which a mail was queued, if anything waited.
  handled_on date,
  updated_at timestamptz(3) not null default now()
);
-- Digests that are due.
create index digests_due on digests (handled_on, user_id) where daily;

create table digest_mails (
  id uuid primary key, user_id uuid not null constraint digest_mails_user references users, day date not null,
  email_status text not null default 'queued', email_status_at timestamptz(3) not null default now(), email_error text,
  email_tries integer not null default 0,
  -- At most one a day for each user, whatever the jobs do.
  constraint digest_mails_once unique (user_id, day),
  constraint digest_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- Retention.
create index digest_mails_by_day on digest_mails (day);
