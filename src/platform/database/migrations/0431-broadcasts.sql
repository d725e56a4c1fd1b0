-- One message to all residents who asked for it: an alerte, and its end when that is announced.
create table broadcasts (
  id uuid primary key, kind text not null,
  -- Null once the alerte was deleted, which stops it.
  alerte_id uuid constraint broadcasts_alerte references alertes on delete set null,
  -- expanding → sending → ended; stopped from either. An alerte that becomes urgent expands again.
  status text not null default 'expanding',
  -- The last subscriber that was given a delivery.
  cursor uuid,
  started_at timestamptz(3), ended_at timestamptz(3), created_at timestamptz(3) not null default now(),
  -- Whose change it announces.
  author_id uuid constraint broadcasts_author references users,
  -- Counted here, because deliveries are deleted with their subscriber.
  recipients integer not null default 0,
  sent integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  constraint broadcasts_kind check (kind in ('alerte', 'alerte_fin')),
  constraint broadcasts_status check (status in ('expanding', 'sending', 'ended', 'stopped')),
  constraint broadcasts_ended check ((status in ('ended', 'stopped')) = (ended_at is not null)),
  constraint broadcasts_counts check (recipients >= 0 and sent >= 0 and failed >= 0 and uncertain >= 0)
);
-- An alerte is announced once, and so is its end. Also the foreign key.
create unique index broadcasts_of_alerte on broadcasts (alerte_id, kind) where alerte_id is not null;
-- Broadcasts whose job may be lost; metrics.
create index broadcasts_open on broadcasts (created_at) where status in ('expanding', 'sending');
-- Retention; the foreign key.
create index broadcasts_by_age on broadcasts (created_at);
create index broadcasts_by_author on broadcasts (author_id) where author_id is not null;

-- One message to one subscriber: queued → sending → sent, failed or uncertain; back to queued while a retry is due. Deleted
-- with its subscriber, so that nothing leaves for somebody who left.
create table broadcast_deliveries (
  broadcast_id uuid not null constraint broadcast_deliveries_broadcast references broadcasts on delete cascade,
  subscriber_id uuid not null
    constraint broadcast_deliveries_subscriber references resident_subscribers on delete cascade,
  channel text not null, status text not null default 'queued',
  status_at timestamptz(3) not null default now(),
  -- Not before this time; and how many attempts failed.
  next_at timestamptz(3) not null default now(),
  tries smallint not null default 0,
  -- At most one to each, whatever the jobs do.
  constraint broadcast_deliveries_pkey primary key (broadcast_id, subscriber_id),
  constraint broadcast_deliveries_status check (status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  constraint broadcast_deliveries_tries check (tries >= 0)
);
-- What a job takes next.
create index broadcast_deliveries_due on broadcast_deliveries (broadcast_id, channel, next_at, subscriber_id)
  where status = 'queued';
-- What a process was sending when it died.
create index broadcast_deliveries_sending on broadcast_deliveries (broadcast_id, status_at) where status = 'sending';
-- The foreign key; retention.
create index broadcast_deliveries_by_subscriber on broadcast_deliveries (subscriber_id);
create index broadcast_deliveries_by_age on broadcast_deliveries (status_at);

-- When the next mail of a broadcast may leave, over all instances (MAIL_RATE).
create table broadcast_pace (
  only_one boolean default true primary key constraint broadcast_pace_one_row check (only_one),
  next_at timestamptz(3) not null
);
insert into broadcast_pace (next_at) values ('-infinity');
