-- The picture of ours that was fetched from image_url, one of `images`; null: not yet.
alter table publications add column fetched_image uuid;

-- Addresses of pictures that publications name, each fetched once for an acteur.
create table image_fetches (
  id bigint generated always as identity primary key,
  -- Null: of publications without one. No reference: where the acteur has gone, nothing wants the picture.
  acteur_id uuid,
  address text not null, host text not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  -- While it waits, when it is due; a worker that has it puts this off. Afterwards, when it ended.
  next_at timestamptz(3) not null default now(),
  problem text,
  -- For other publications that name the same address later.
  media_id uuid,
  constraint image_fetches_state check (state in ('waiting', 'done', 'failed')),
  constraint image_fetches_problem check (problem in ('refused', 'unreachable', 'missing', 'too_large', 'unusable')),
  constraint image_fetches_failed check ((state = 'failed') = (problem is not null))
);
-- One fetch per address and acteur.
create unique index image_fetches_once on image_fetches (md5(address), acteur_id) nulls not distinct;
-- What is due of a host, the latest first: what was written today goes before what the upgrade found.
create index image_fetches_due on image_fetches (host, next_at) where state = 'waiting';
-- The sweep.
create index image_fetches_ended on image_fetches (next_at) where state <> 'waiting';

-- Until when nothing is fetched from a host.
create table image_hosts (host text primary key, free_at timestamptz(3) not null);
create index image_hosts_free on image_hosts (free_at);

-- How far the publications of the version before are queued; no row: all are.
create table image_backlog (digest text not null, id uuid not null);
insert into image_backlog values ('', '00000000-0000-0000-0000-000000000000');

create function image_host(url text) returns text language sql immutable as $$
  select left(coalesce(substring(lower(url) from '^https?://([^/?#]+)'), ''), 255);
$$;

-- Queues the address of a picture, again if it was done, or failed more than a day ago.
create function queue_image(acteur uuid, url text) returns void language sql as $$
  insert into image_fetches (acteur_id, address, host)
  values (acteur, url, image_host(url))
  on conflict (md5(address), acteur_id) do update set state = 'waiting', attempts = 0, next_at = now(), problem = null
    where image_fetches.state = 'done'
      or image_fetches.state = 'failed' and image_fetches.next_at < now() - interval '1 day';
$$;

-- In the order of the index, so that two imports at once wait for each other instead of deadlocking.
create function queue_inserted_images() returns trigger language plpgsql as $$ begin
  perform queue_image(acteur_id, image_url) from (
    select distinct md5(image_url), acteur_id, image_url from inserted
    where image_url is not null and images is null order by 1, 2) named;
  return null;
end $$;
create trigger publications_images_named after insert on publications referencing new table as inserted
  for each statement execute function queue_inserted_images();

create function queue_updated_image() returns trigger language plpgsql as $$ begin
  perform queue_image(new.acteur_id, new.image_url);
  return null;
end $$;
create trigger publications_image_named after update of image_url, images, acteur_id on publications for each row
  when (new.image_url is not null and new.images is null
    and (old.image_url, old.images, old.acteur_id) is distinct from (new.image_url, new.images, new.acteur_id))
  execute function queue_updated_image();
