-- Administrators apply failed events again, as a change of a record with a version. When it last changed tells screens
-- that follow a payment that there is something new.
alter table payment_events
  add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now();

create trigger payment_events_touch before update on payment_events for each row execute function touch_row();
