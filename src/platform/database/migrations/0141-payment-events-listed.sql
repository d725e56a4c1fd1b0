-- outside a transaction
-- The events that name a subscription, newest first. Retention takes them out of it with what they carried.
create index concurrently if not exists payment_events_of_subscription
  on payment_events ((fields ->> 'subscription'), received_at desc, id desc) where fields is not null;

-- The list of events in one state, newest first.
create index concurrently if not exists payment_events_by_status on payment_events (status, received_at desc, id desc);

-- Whether any event has changed since a screen last looked.
create index concurrently if not exists payment_events_by_change on payment_events (updated_at);
