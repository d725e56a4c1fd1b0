-- The event of a published act.
alter table webhooks drop constraint webhooks_types;
-- The events that there are.
alter table webhooks add constraint webhooks_types check (cardinality(types) > 0 and types <@ array[
  'publication.published', 'publication.changed', 'publication.withdrawn', 'alerte.published', 'alerte.changed',
  'alerte.withdrawn', 'act.published', 'commune.changed', 'claim.decided']) not valid;

-- An act is published once. It is of its mairie, whose webhooks hear of it.
create function record_delivery_of_act() returns trigger language plpgsql as $$ begin
  if exists (select from webhooks where disabled_at is null) then
    perform record_webhook_event('act:' || new.id, 'act.published', new.id, new.acteur_id, '/api/v1/acts/' || new.id, now());
  end if;
  return null;
end $$;
create trigger acts_deliver after update of state on acts for each row
  when (old.state = 'draft' and new.state = 'published') execute function record_delivery_of_act();
