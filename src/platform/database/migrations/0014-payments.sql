-- Events of the payment provider, each once. Only few fields are stored, none of which says who pays or with what.
create table payment_events (
  -- The id of the provider. It orders events last: byte by byte, whatever the locale.
  id text collate "C" primary key,
  type text not null,
  -- When it happened according to the provider, to the second; null: unknown.
  occurred_at timestamptz(0),
  status text not null default 'received',
  -- Completed attempts to apply it.
  tries integer not null default 0,
  error text, received_at timestamptz(3) not null default now(), ended_at timestamptz(3),
  -- What its effect is computed from. Null: it has none, or retention deleted them.
  fields jsonb,
  -- Administrators apply failed events again. updated_at tells screens that follow a payment of changes.
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  constraint payment_events_status check (status in ('received', 'processed', 'ignored', 'failed')),
  constraint payment_events_ended check ((status = 'received') = (ended_at is null)),
  constraint payment_events_failed_why check (status <> 'failed' or error is not null),
  constraint payment_events_fields_object check (jsonb_typeof(fields) = 'object')
);
-- The newest ones, for the dashboard.
create index payment_events_by_receipt on payment_events (received_at desc, id desc);
-- Events to apply, oldest first; failed ones, which are applied again in that order.
create index payment_events_waiting on payment_events (received_at) where status = 'received';
create index payment_events_failed on payment_events (received_at, id) where status = 'failed';
-- Retention: ended and not emptied yet.
create index payment_events_kept on payment_events (received_at) where fields is not null and status <> 'received';
-- The events of a subscription, newest first.
create index payment_events_of_subscription
  on payment_events ((fields ->> 'subscription'), received_at desc, id desc) where fields is not null;
-- The list of events in one state, newest first.
create index payment_events_by_status on payment_events (status, received_at desc, id desc);
-- Whether any event has changed since a screen last looked.
create index payment_events_by_change on payment_events (updated_at);
create trigger payment_events_touch before update on payment_events for each row execute function touch_row();

-- The acteur of a customer of the provider, from the latest event that names it.
create table payment_customers (
  id text primary key, acteur_id uuid not null constraint payment_customers_acteur references acteurs,
  -- Position of that event in the order of events.
  said_at timestamptz(0) not null, said_rank smallint not null, said_by text collate "C" not null
);
-- References that a merge moves.
create index payment_customers_by_acteur on payment_customers (acteur_id);
create trigger payment_customers_follow_merge before insert or update of acteur_id on payment_customers
  for each row execute function follow_merge();

-- Subscriptions of acteurs, as the events of the provider describe them.
create table subscriptions (
  id uuid primary key, provider_subscription_id text not null constraint subscriptions_provider_key unique,
  provider_customer_id text,
  -- The price of the provider, which settings map to a plan.
  price text,
  -- Null: only a checkout has named it so far, and it is not shown yet.
  status text,
  current_period_start timestamptz(0), current_period_end timestamptz(0),
  cancel_at_period_end boolean not null default false, canceled_at timestamptz(0), trial_end timestamptz(0),
  -- Set by an administrator, or else from the subscription, its checkout or its customer.
  acteur_id uuid constraint subscriptions_acteur references acteurs,
  acteur_set uuid constraint subscriptions_acteur_set references acteurs,
  acteur_said uuid constraint subscriptions_acteur_said references acteurs,
  acteur_of_checkout uuid constraint subscriptions_acteur_of_checkout references acteurs,
  -- Position in the order of events of the event that set the status.
  status_at timestamptz(0), status_rank smallint, status_by text,
  -- The same for the checkout.
  checkout_at timestamptz(0), checkout_rank smallint, checkout_by text,
  version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint subscriptions_status check (status in (
    'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  -- What is known comes from an event.
  constraint subscriptions_status_from check (num_nulls(status, status_at, status_rank, status_by) in (0, 4)),
  constraint subscriptions_checkout_from check (num_nulls(checkout_at, checkout_rank, checkout_by) in (0, 3)),
  -- What an administrator set overrides all events.
  constraint subscriptions_acteur_as_set check (acteur_set is null or acteur_id = acteur_set)
);
-- The back-office list by id, and by each of its filters and sorts.
create index subscriptions_by_status on subscriptions (status, id);
create index subscriptions_by_price on subscriptions (price, id);
create index subscriptions_by_acteur on subscriptions (acteur_id, id) where acteur_id is not null;
create index subscriptions_by_period_end on subscriptions (current_period_end, id);
create index subscriptions_by_period_end_downwards on subscriptions (current_period_end desc nulls last, id desc);
-- Those of a customer, once its acteur is known.
create index subscriptions_by_customer on subscriptions (provider_customer_id) where provider_customer_id is not null;
-- Plans on the dashboard.
create index subscriptions_running on subscriptions (price) where status in ('trialing', 'active');
-- References that a merge moves.
create index subscriptions_by_acteur_set on subscriptions (acteur_set) where acteur_set is not null;
create index subscriptions_by_acteur_said on subscriptions (acteur_said) where acteur_said is not null;
create index subscriptions_by_acteur_of_checkout on subscriptions (acteur_of_checkout) where acteur_of_checkout is not null;
create index subscriptions_by_created on subscriptions (created_at, id);
-- An event that repeats what is known is no change of the subscription.
create trigger subscriptions_touch before update on subscriptions for each row execute function touch_row(
  'acteur_said', 'acteur_of_checkout', 'status_at', 'status_rank', 'status_by', 'checkout_at', 'checkout_rank', 'checkout_by');

create function follow_merges_of_subscription() returns trigger language plpgsql as $$ begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  new.acteur_set := acteur_to_write_for(new.acteur_set);
  new.acteur_said := acteur_to_write_for(new.acteur_said);
  new.acteur_of_checkout := acteur_to_write_for(new.acteur_of_checkout);
  return new;
end $$;
create trigger subscriptions_follow_merge
  before insert or update of acteur_id, acteur_set, acteur_said, acteur_of_checkout on subscriptions
  for each row execute function follow_merges_of_subscription();
