-- outside a transaction

alter table alertes validate constraint alertes_email_status;

alter table alertes validate constraint alertes_email_status_dated;

-- The back-office list, newest first.
create index concurrently if not exists alertes_by_created on alertes (created_at desc, id desc);

-- The back-office list, by level.
create index concurrently if not exists alertes_by_niveau on alertes (niveau, created_at desc, id desc);

-- Alerts without an end whose mairie has not been reminded yet.
create index concurrently if not exists alertes_endless on alertes (created_at)
  where fin is null and email_status is null;

-- Reminders that are not sent yet, and those whose result is unknown.
create index concurrently if not exists alertes_mails_open on alertes (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');

-- At most one anonymous claim of an acteur is pending.
create unique index concurrently if not exists claims_one_pending_anonymous on claims (acteur_id)
  where status = 'pending' and user_id is null;

-- At most one claim of an acteur by a signed-in person is pending. It may stand beside an anonymous one.
create unique index concurrently if not exists claims_one_pending_signed_in on claims (acteur_id)
  where status = 'pending' and user_id is not null;

-- Replaced by the two above.
drop index concurrently if exists claims_one_pending;
