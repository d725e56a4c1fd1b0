-- Mails that tell the team of a group that a mairie hides its alerte. They go with the hiding: shown again, it needs no mail.
create table alerte_hiding_mails (
  id uuid primary key,
  alerte_id uuid not null, commune_id uuid not null,
  user_id uuid not null constraint alerte_hiding_mails_user references users,
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  email_settled_at timestamptz(3),
  constraint alerte_hiding_mails_hiding foreign key (alerte_id, commune_id) references alerte_hidings on delete cascade,
  -- Each member is told once; the foreign key.
  constraint alerte_hiding_mails_once unique (alerte_id, commune_id, user_id),
  constraint alerte_hiding_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- The foreign key.
create index alerte_hiding_mails_by_user on alerte_hiding_mails (user_id);
-- Mails to send, and those whose result is unknown.
create index alerte_hiding_mails_open on alerte_hiding_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The back-office list of mails: those of a status, newest first.
create index alerte_hiding_mails_by_status on alerte_hiding_mails (email_status, email_status_at desc, id desc);
