-- Host names of their own, under which the public site shows a commune or a group of communes as its home.
create table domains (
  id uuid primary key,
  -- Without port, in lower case; a name with accents in its form for the DNS (xn--…).
  host text collate "C" not null,
  commune_id uuid constraint domains_commune references communes on delete cascade,
  group_id uuid constraint domains_group references groups on delete cascade,
  -- What whoever controls the host publishes in its DNS or as a file on it.
  token text not null,
  -- When the token was found there; null: never for this host.
  verified_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  -- A host shows one home.
  constraint domains_host_key unique (host),
  constraint domains_one_place check (num_nonnulls(commune_id, group_id) = 1),
  constraint domains_host_form check (
    host ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$' and length(host) <= 253),
  -- Nobody guesses it: 32 random bytes in base64url.
  constraint domains_token_form check (token ~ '^[A-Za-z0-9_-]{43}$')
);
-- The list, newest first.
create index domains_by_created on domains (created_at, id);
-- The domains of a commune, or of a group, and the foreign keys.
create index domains_by_commune on domains (commune_id) where commune_id is not null;
create index domains_by_group on domains (group_id) where group_id is not null;
create trigger domains_touch before update on domains for each row execute function touch_row();
create trigger domains_notify after insert or update or delete or truncate on domains
  for each statement execute function notify_change();
