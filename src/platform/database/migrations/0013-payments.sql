-- What the payment provider has told: each event once, however often it is delivered. Of what an event carries only a
-- few fields are kept, none of which says who pays or with what.
create table payment_events (
  -- As the provider calls it. Events are put in order by it last: byte by byte, whatever the language of the database.
  id text collate "C" constraint payment_events_pkey primary key,
  type text not null,
  -- When it happened, as the provider says, to the second. Null: it does not say.
  occurred_at timestamptz(0),
  status text not null default 'received',
  -- How many tries at its effect have come to an end.
  tries integer not null default 0,
  error text,
  received_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- What its effect is made of. Null: it has none, or retention has emptied it.
  fields jsonb,
  constraint payment_events_status check (status in ('received', 'processed', 'ignored', 'failed')),
  constraint payment_events_ended check ((status = 'received') = (ended_at is null)),
  -- Whoever looks at a failed one is told why it is.
  constraint payment_events_failed_why check (status <> 'failed' or error is not null),
  constraint payment_events_fields_object check (jsonb_typeof(fields) = 'object')
);
-- The dashboard's newest ones.
create index payment_events_by_receipt on payment_events (received_at desc, id desc);
-- What waits for its effect, the oldest first; what has failed, which is replayed in that order.
create index payment_events_waiting on payment_events (received_at) where status = 'received';
create index payment_events_failed on payment_events (received_at, id) where status = 'failed';
-- Retention: ended long ago, and not emptied yet.
create index payment_events_kept on payment_events (received_at) where fields is not null and status <> 'received';

-- Whose customer of the provider it is: the newest that any event has said.
create table payment_customers (
  id text constraint payment_customers_pkey primary key,
  acteur_id uuid not null constraint payment_customers_acteur references acteurs,
  -- The place in the order of the event that said so.
  said_at timestamptz(0) not null,
  said_rank smallint not null,
  said_by text collate "C" not null
);

create table subscriptions (
  id uuid constraint subscriptions_pkey primary key,
  provider_subscription_id text not null constraint subscriptions_provider_key unique,
  provider_customer_id text,
  -- The provider's key of the price, which the service's settings make a plan of.
  price text,
  -- Null: only a checkout has named it so far, and nobody is shown it yet.
  status text,
  current_period_start timestamptz(0),
  current_period_end timestamptz(0),
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz(0),
  trial_end timestamptz(0),
  -- Whose it is: as an administrator has set, else as the subscription, its checkout or its customer say.
  acteur_id uuid constraint subscriptions_acteur references acteurs,
  acteur_set uuid constraint subscriptions_acteur_set references acteurs,
  acteur_said uuid constraint subscriptions_acteur_said references acteurs,
  acteur_of_checkout uuid constraint subscriptions_acteur_of_checkout references acteurs,
  -- The place in the order of the event that the status and what comes with it are from.
  status_at timestamptz(0),
  status_rank smallint,
  status_by text,
  -- The same of what the checkout says.
  checkout_at timestamptz(0),
  checkout_rank smallint,
  checkout_by text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint subscriptions_status check (status in (
    'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  -- What is known is known from some event.
  constraint subscriptions_status_from check (
    num_nulls(status, status_at, status_rank, status_by) in (0, 4)),
  constraint subscriptions_checkout_from check (num_nulls(checkout_at, checkout_rank, checkout_by) in (0, 3)),
  -- What an administrator has set stands above all events.
  constraint subscriptions_acteur_as_set check (acteur_set is null or acteur_id = acteur_set)
);
-- Which event said the same again is no change of the subscription.
create trigger subscriptions_touch before update on subscriptions for each row execute function touch_row(
  'acteur_said', 'acteur_of_checkout',
  'status_at', 'status_rank', 'status_by', 'checkout_at', 'checkout_rank', 'checkout_by');

-- The back-office list: newest first by the ids, and by each of its filters and orders.
create index subscriptions_by_status on subscriptions (status, id);
create index subscriptions_by_price on subscriptions (price, id);
create index subscriptions_by_acteur on subscriptions (acteur_id, id) where acteur_id is not null;
create index subscriptions_by_period_end on subscriptions (current_period_end, id);
create index subscriptions_by_period_end_downwards on subscriptions (current_period_end desc nulls last, id desc);
-- Those of a customer, when it is known whose customer it is.
create index subscriptions_by_customer on subscriptions (provider_customer_id) where provider_customer_id is not null;
-- The dashboard's plans.
create index subscriptions_running on subscriptions (price) where status in ('trialing', 'active');
