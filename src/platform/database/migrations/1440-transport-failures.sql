-- Transports that fail now: how often in a row, and since when. A transport that works has no row, so that a success writes nothing.
create table transport_failures (
  kind text primary key,
  refusals integer not null,
  since timestamptz(3) not null default now(),
  last_error text not null,
  -- The transports of the service.
  constraint transport_failures_kind check (kind in ('mail', 'push')),
  -- No failure without a refusal.
  constraint transport_failures_refusals check (refusals > 0),
  -- One bounded line.
  constraint transport_failures_error check (length(last_error) <= 300)
);
