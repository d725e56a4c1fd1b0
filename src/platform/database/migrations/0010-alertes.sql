-- Municipal alerts, of a commune or of its mairie.
create table alertes (
  id uuid primary key, commune_id uuid constraint alertes_commune references communes,
  acteur_id uuid constraint alertes_acteur references acteurs, titre text not null, message text not null,
  niveau text not null, debut timestamptz(3), fin timestamptz(3),
  created_by uuid constraint alertes_created_by references users, created_at timestamptz(3) not null default now(),
  -- Alerts can be corrected, ended and deleted.
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  -- The one reminder that a mairie gets of an alert without an end; null: none was due yet.
  email_status text, email_status_at timestamptz(3), email_error text, email_tries integer not null default 0,
  constraint alertes_one_owner check (num_nonnulls(commune_id, acteur_id) = 1),
  constraint alertes_niveau check (niveau in ('info', 'attention', 'urgence')),
  constraint alertes_period check (fin >= debut),
  constraint alertes_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  constraint alertes_email_status_dated check ((email_status is null) = (email_status_at is null))
);
-- The alerts of a commune or acteur, newest first.
create index alertes_by_commune on alertes (commune_id, created_at desc, id desc) where commune_id is not null;
create index alertes_by_acteur on alertes (acteur_id, created_at desc, id desc) where acteur_id is not null;
-- The alerts in force are among those that have not ended, however many have.
create index alertes_of_commune_by_end on alertes (commune_id, coalesce(fin, 'infinity')) where commune_id is not null;
create index alertes_of_acteur_by_end on alertes (acteur_id, coalesce(fin, 'infinity')) where acteur_id is not null;
-- The back-office list, newest first.
create index alertes_by_created on alertes (created_at desc, id desc);
-- The back-office list, by level.
create index alertes_by_niveau on alertes (niveau, created_at desc, id desc);
-- Alerts without an end whose mairie has not been reminded yet.
create index alertes_endless on alertes (created_at) where fin is null and email_status is null;
-- Reminders that are not sent yet, and those whose result is unknown.
create index alertes_mails_open on alertes (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
create index alertes_mails_by_status on alertes (email_status, email_status_at desc, id desc) where email_status is not null;
create index alertes_by_author on alertes (created_by) where created_by is not null;
create trigger alertes_touch before update on alertes for each row
  execute function touch_row('email_status', 'email_status_at', 'email_error', 'email_tries');
create trigger alertes_follow_merge before insert or update of acteur_id on alertes
  for each row when (new.acteur_id is not null) execute function follow_merge();
-- Public reads show these tables too: a replica serves them only once it has replayed their changes.
create trigger alertes_notify after insert or update or delete or truncate on alertes
  for each statement execute function notify_change();
