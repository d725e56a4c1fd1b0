-- Residents who asked for messages about communes, without an account. The table subscriptions is another thing: what acteurs
-- pay for.
create table resident_subscribers (
  id uuid primary key, channel text not null,
  -- The address and the secret of its links, encrypted under SESSION_KEY (AES-256-GCM), bound to the id.
  address bytea not null,
  -- HMAC of the address, by which it is found.
  address_digest bytea not null,
  -- The key of both: rows of a former key are encrypted again.
  key_id text not null,
  -- Consecutive messages that the address refused for good.
  failures smallint not null default 0,
  last_success_at timestamptz(3), created_at timestamptz(3) not null default now(),
  -- The mail that asks to confirm, and when it was last asked for: at most one an hour.
  email_asked_at timestamptz(3),
  email_status text, email_status_at timestamptz(3), email_error text, email_tries integer not null default 0,
  -- One row per address, whatever number of communes.
  constraint resident_subscribers_address unique (channel, address_digest),
  constraint resident_subscribers_channel check (channel in ('email', 'push')),
  constraint resident_subscribers_sealed check (length(address) > 28 and length(address_digest) = 32),
  constraint resident_subscribers_failures check (failures >= 0),
  constraint resident_subscribers_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  constraint resident_subscribers_email_status_dated check ((email_status is null) = (email_status_at is null))
);
-- Rows of a former key.
create index resident_subscribers_by_key on resident_subscribers (key_id, id);
-- Mails to confirm whose worker died.
create index resident_subscribers_mails_open on resident_subscribers (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');

-- What a resident gets about one commune.
create table resident_choices (
  subscriber_id uuid not null constraint resident_choices_subscriber references resident_subscribers on delete cascade,
  commune_id uuid not null constraint resident_choices_commune references communes on delete cascade,
  alertes text not null default 'none',
  -- The evening before a collection, at this hour in Paris; null: never. Secteur null: those of the whole commune.
  collectes_hour smallint, collectes_secteur text,
  actualites boolean not null default false,
  asked_at timestamptz(3) not null default now(),
  -- Null until the owner of the address confirms: then nothing is sent, and the row is deleted after 48 hours.
  confirmed_at timestamptz(3),
  constraint resident_choices_pkey primary key (subscriber_id, commune_id),
  constraint resident_choices_alertes check (alertes in ('none', 'urgent', 'all')),
  constraint resident_choices_hour check (collectes_hour between 12 and 22),
  constraint resident_choices_secteur check (collectes_secteur is null or collectes_hour is not null),
  -- Who wants nothing is deleted.
  constraint resident_choices_something check (alertes <> 'none' or collectes_hour is not null or actualites)
);
-- Recipients in a commune, in the order in which a broadcast reads them.
create index resident_choices_by_commune on resident_choices (commune_id, subscriber_id) where confirmed_at is not null;
-- Choices that expire; the cascade of communes.
create index resident_choices_unconfirmed on resident_choices (asked_at) where confirmed_at is null;
create index resident_choices_of_commune on resident_choices (commune_id);
