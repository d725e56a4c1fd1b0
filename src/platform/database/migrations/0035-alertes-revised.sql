-- Alerts can be corrected, ended and deleted. A mairie gets one reminder by mail of an alert that has no end.
alter table alertes
  add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now(),
  -- The state of the reminder; null: none was due yet.
  add column email_status text,
  add column email_status_at timestamptz(3),
  add column email_error text,
  add column email_tries integer not null default 0;
-- The states that a mail can have, as for claims and support messages.
alter table alertes add constraint alertes_email_status
  check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')) not valid;
-- A state always has its time.
alter table alertes add constraint alertes_email_status_dated
  check ((email_status is null) = (email_status_at is null)) not valid;
create trigger alertes_touch before update on alertes for each row
  execute function touch_row('email_status', 'email_status_at', 'email_error', 'email_tries');
