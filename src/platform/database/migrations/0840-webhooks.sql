-- Addresses of other programs that are told of changes (Standard Webhooks).
create table webhooks (
  id uuid primary key,
  -- The acteur whose records it hears about. Null: all records.
  acteur_id uuid constraint webhooks_acteur references acteurs,
  url text not null, types text[] not null,
  -- Encrypted under SESSION_KEY (AES-256-GCM), bound to the id. The former secret signs too until former_until.
  secret bytea not null, former_secret bytea, former_until timestamptz(3),
  -- Failed attempts since the last success, the first of them, and until when nothing is sent.
  failures integer not null default 0, failing_since timestamptz(3), paused_until timestamptz(3),
  -- Nothing is recorded or sent while it is disabled.
  disabled_at timestamptz(3), disabled_reason text,
  created_at timestamptz(3) not null default now(),
  version integer not null default 1, updated_at timestamptz(3) not null default now(),
  constraint webhooks_url_length check (char_length(url) between 1 and 500),
  constraint webhooks_types check (cardinality(types) > 0 and types <@ array['publication.published', 'publication.changed',
    'publication.withdrawn', 'alerte.published', 'alerte.changed', 'alerte.withdrawn', 'commune.changed', 'claim.decided']),
  -- A claim is about its claimant, so only the back-office hears of it.
  constraint webhooks_of_acteur check (acteur_id is null or not types && array['claim.decided']),
  constraint webhooks_sealed check (length(secret) > 28 and length(former_secret) > 28),
  constraint webhooks_former check ((former_secret is null) = (former_until is null)),
  constraint webhooks_failing check (failures >= 0 and (failures = 0) = (failing_since is null)),
  constraint webhooks_disabled check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhooks_disabled_reason check (disabled_reason in ('owner', 'gone', 'failing'))
);
-- The webhooks of an acteur, and what a merge moves.
create index webhooks_by_acteur on webhooks (acteur_id, id);
create trigger webhooks_touch before update on webhooks for each row
  execute function touch_row('failures', 'failing_since', 'paused_until', 'secret', 'former_secret');
create trigger webhooks_follow_merge before insert or update of acteur_id on webhooks
  for each row when (new.acteur_id is not null) execute function follow_merge();

-- One row for each event and webhook, written in the transaction of the change.
create table webhook_deliveries (
  -- Sent as webhook-id: the same in each attempt.
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  webhook_id uuid not null constraint webhook_deliveries_webhook references webhooks on delete cascade,
  -- The entry of a feed or of the audit log, as kind:id.
  event text not null, type text not null,
  -- The record, and where to read it again, below the address of the service.
  record_id uuid not null, path text not null,
  -- When it took effect, or will: a publication may be scheduled.
  at timestamptz(3) not null,
  state text not null default 'waiting',
  attempts integer not null default 0, first_attempt_at timestamptz(3),
  -- While it waits: when it is due, and until when a worker has it.
  next_at timestamptz(3) not null, claimed_until timestamptz(3),
  -- The last attempt: its status or why there was none, and how long it took.
  status integer, problem text, duration_ms integer,
  ended_at timestamptz(3),
  constraint webhook_deliveries_state check (state in ('waiting', 'delivered', 'failed')),
  constraint webhook_deliveries_ended check ((state = 'waiting') = (ended_at is null)),
  constraint webhook_deliveries_attempted check ((attempts = 0) = (first_attempt_at is null)),
  constraint webhook_deliveries_once unique (event, webhook_id)
);
-- What is due of a webhook, in order.
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, at, number) where state = 'waiting';
-- What else waits about the same record.
create index webhook_deliveries_of_record on webhook_deliveries (webhook_id, record_id, at, number) where state = 'waiting';
-- The list of a webhook, newest first.
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, at desc, id desc);
-- The sweep.
create index webhook_deliveries_ended_at on webhook_deliveries (ended_at) where ended_at is not null;

-- Writes an event for each enabled webhook that wants it: those of all records, and those of this acteur.
create function record_webhook_event(event text, type text, record uuid, acteur uuid, path text, at timestamptz) returns void
language sql as $$
  insert into webhook_deliveries (webhook_id, event, type, record_id, path, at, next_at)
  select w.id, $1, $2, $3, $5, $6, $6 from webhooks w
  where w.disabled_at is null and $2 = any(w.types) and (w.acteur_id is null or w.acteur_id = $4)
  on conflict on constraint webhook_deliveries_once do nothing
$$;

-- Whether the public began to see a record, sees another version, or no longer sees it.
create function webhook_change(before uuid[], after uuid[]) returns text language sql immutable as $$
  select case when before is null then 'published' when after is null then 'withdrawn' else 'changed' end
$$;

create function record_event_of_publication(change bigint) returns void language sql as $$
  select record_webhook_event('publication:' || c.id, 'publication.' || webhook_change(c.communes_before, c.communes_after),
    c.publication_id, (select acteur_id from publications where id = c.publication_id),
    '/api/v1/publications/' || c.publication_id, c.at)
  from publication_changes c
  where c.id = change and num_nonnulls(c.communes_before, c.communes_after) > 0
$$;

-- An alerte belongs to its mairie, or to that of its commune; also one that was deleted.
create function record_event_of_alerte(change bigint) returns void language sql as $$
  select record_webhook_event('alerte:' || c.id, 'alerte.' || webhook_change(c.communes_before, c.communes_after), c.alerte_id,
    (select coalesce(o.acteur_id, (select mairie_actor_id from communes where id = o.commune_id)) from (
      select acteur_id, commune_id from alertes where id = c.alerte_id
      union all select acteur_id, commune_id from deleted_records where id = c.alerte_id limit 1) o),
    '/api/v1/communes/' || coalesce(c.communes_after[1], c.communes_before[1]) || '/alertes', c.at)
  from alerte_changes c where c.id = change
$$;

-- At the end of the transaction: several changes of a publication in it are one entry of the feed.
create function record_webhook_deliveries() returns trigger language plpgsql as $$ begin
  if not exists (select from webhooks where disabled_at is null) then
    return null;
  end if;
  if tg_table_name = 'publication_changes' then
    perform record_event_of_publication(new.id);
  else
    perform record_event_of_alerte(new.id);
  end if;
  return null;
end $$;
create constraint trigger publication_changes_deliver after insert on publication_changes
  deferrable initially deferred for each row execute function record_webhook_deliveries();
create constraint trigger alerte_changes_deliver after insert on alerte_changes
  deferrable initially deferred for each row execute function record_webhook_deliveries();

-- What was scheduled and is no longer to happen is not delivered.
create function remove_scheduled_deliveries() returns trigger language plpgsql as $$ begin
  delete from webhook_deliveries
  where event = case tg_table_name when 'publication_changes' then 'publication:' else 'alerte:' end || old.id and attempts = 0;
  return null;
end $$;
create trigger publication_changes_unschedule after delete on publication_changes for each row
  when (old.is_scheduled and old.at > now()) execute function remove_scheduled_deliveries();
create trigger alerte_changes_unschedule after delete on alerte_changes for each row
  when (old.is_scheduled and old.at > now()) execute function remove_scheduled_deliveries();

-- What the feeds do not have: of all audit entries, these are events.
create function record_audited_deliveries() returns trigger language plpgsql as $$ begin
  if not exists (select from webhooks where disabled_at is null) then
    return null;
  end if;
  if new.entity = 'commune' then
    perform record_webhook_event('audit:' || new.id, 'commune.changed', new.entity_id::uuid,
      (select mairie_actor_id from communes where id = new.entity_id::uuid), '/api/v1/communes/' || new.entity_id, now());
  else
    perform record_webhook_event('audit:' || new.id, 'claim.decided', new.entity_id::uuid, null,
      '/api/v1/admin/claims/' || new.entity_id, now());
  end if;
  return null;
end $$;
create trigger audit_log_deliver after insert on audit_log for each row
  when (new.action in ('commune.create', 'commune.update', 'commune.restore', 'claim.decide', 'claim.undo'))
  execute function record_audited_deliveries();
