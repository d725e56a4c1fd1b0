-- A feed of the alertes that the public sees, read together with publication_changes: by (at, id), up to the same horizon.
create table alerte_changes (
  -- From the sequence of the other feed, so that one cursor reads both.
  id bigint primary key default nextval('publication_changes_id_seq'), alerte_id uuid not null,
  -- When the change takes effect: in the future for a beginning and an end.
  at timestamptz not null,
  -- The communes in which the public saw it before, and sees it afterwards; null: it was, or is, not in force.
  communes_before uuid[], communes_after uuid[],
  -- Whether the clock brings it about: a later change replaces it.
  is_scheduled boolean not null default false,
  -- A row without either concerns nobody.
  constraint alerte_changes_seen check (num_nonnulls(communes_before, communes_after) > 0)
);
-- The feed, and its retention.
create index alerte_changes_by_time on alerte_changes (at, id);
-- Rescheduling.
create index alerte_changes_scheduled on alerte_changes (alerte_id) where is_scheduled;

-- Returns the communes that show the alertes of this commune or mairie while they are in force; null: none.
create function communes_showing_alertes(of_commune uuid, of_acteur uuid) returns uuid[] language sql stable as $$
  select case when of_commune is not null then array[of_commune] else (
    select array_agg(c.id order by c.id) from acteurs a join communes c on c.mairie_actor_id = a.id
    where a.id = of_acteur and a.active and a.deleted_at is null) end
$$;

-- Adds a change of an alerte to the feed: the communes and the period of before and after; communes null: it was, or is, shown
-- nowhere. The caller has locked its mairie. Security definer, since the service may not use the sequence.
create function record_alerte_change(changed uuid, before uuid[], debut_before timestamptz, fin_before timestamptz,
  after uuid[], debut_after timestamptz, fin_after timestamptz) returns void language plpgsql security definer
set search_path = public, pg_temp as $$ declare
  -- Nobody has read the feed up to this time yet.
  present_time timestamptz := begin_publication_changes();
  was uuid[] := case
    when coalesce(debut_before, '-infinity') <= present_time and coalesce(fin_before, 'infinity') > present_time then before end;
  becomes uuid[] := case
    when coalesce(debut_after, '-infinity') <= present_time and coalesce(fin_after, 'infinity') > present_time then after end;
begin
  delete from alerte_changes where is_scheduled and alerte_id = changed and at > present_time;
  insert into alerte_changes (alerte_id, at, communes_before, communes_after, is_scheduled)
  select changed, present_time, was, becomes, false where num_nonnulls(was, becomes) > 0
  union all
  select changed, debut_after, null, after, true
  where after is not null and debut_after > present_time and debut_after < coalesce(fin_after, 'infinity')
  union all
  select changed, fin_after, after, null, true
  where after is not null and fin_after > present_time and coalesce(debut_after, '-infinity') < fin_after;
end $$;

create function record_change_of_alerte() returns trigger language plpgsql as $$ begin
  -- A concurrent change of the mairie or of its communes waits, or has been waited for.
  perform from acteurs where id in (old.acteur_id, new.acteur_id) order by id for no key update;
  perform record_alerte_change(coalesce(new.id, old.id),
    communes_showing_alertes(old.commune_id, old.acteur_id), old.debut, old.fin,
    communes_showing_alertes(new.commune_id, new.acteur_id), new.debut, new.fin);
  return null;
end $$;
create trigger alertes_record_existence after insert or delete on alertes for each row
  execute function record_change_of_alerte();
create trigger alertes_record_change after update of commune_id, acteur_id, titre, message, niveau, debut, fin on alertes
  for each row when ((old.commune_id, old.acteur_id, old.titre, old.message, old.niveau, old.debut, old.fin)
    is distinct from (new.commune_id, new.acteur_id, new.titre, new.message, new.niveau, new.debut, new.fin))
  execute function record_change_of_alerte();

-- A commune shows the alertes of its mairie: those of the former leave it, those of the new one join it.
create function record_alertes_of_commune() returns trigger language plpgsql as $$ declare
  one uuid := coalesce(new.id, old.id);
  others uuid[];
begin
  -- Two communes that change their mairie at once would each count the other among those that stay.
  perform from acteurs where id in (old.mairie_actor_id, new.mairie_actor_id) order by id for no key update;
  if not exists (select from alertes where acteur_id in (old.mairie_actor_id, new.mairie_actor_id)) then
    return null;
  end if;
  if exists (select from acteurs where id = old.mairie_actor_id and active and deleted_at is null) then
    others := communes_showing_alertes(null, old.mairie_actor_id);
    perform record_alerte_change(id, array_append(others, one), debut, fin, others, debut, fin)
    from alertes where acteur_id = old.mairie_actor_id and coalesce(fin, 'infinity') > now();
  end if;
  others := communes_showing_alertes(null, new.mairie_actor_id);
  perform record_alerte_change(id, nullif(array_remove(others, one), '{}'), debut, fin, others, debut, fin)
  from alertes where acteur_id = new.mairie_actor_id and coalesce(fin, 'infinity') > now() and others is not null;
  return null;
end $$;
create trigger communes_record_alertes_added after insert on communes
  for each row when (new.mairie_actor_id is not null) execute function record_alertes_of_commune();
create trigger communes_record_alertes_moved after update of mairie_actor_id on communes
  for each row when (old.mairie_actor_id is distinct from new.mairie_actor_id) execute function record_alertes_of_commune();
create trigger communes_record_alertes_removed after delete on communes
  for each row when (old.mairie_actor_id is not null) execute function record_alertes_of_commune();

-- The alertes of a mairie are shown while it is active.
create function record_alertes_of_mairie() returns trigger language plpgsql as $$ declare
  shown_in uuid[] := (select array_agg(id order by id) from communes where mairie_actor_id = new.id);
begin
  perform record_alerte_change(id,
    case when old.active and old.deleted_at is null then shown_in end, debut, fin,
    case when new.active and new.deleted_at is null then shown_in end, debut, fin)
  from alertes where acteur_id = new.id and coalesce(fin, 'infinity') > now() and shown_in is not null;
  return null;
end $$;
create trigger acteurs_record_alertes after update of active, deleted_at on acteurs
  for each row when ((old.active, old.deleted_at is null) is distinct from (new.active, new.deleted_at is null))
  execute function record_alertes_of_mairie();

-- Those that have not ended appear in the feed now, so that a copy that is kept already learns of them, and of their end.
select record_alerte_change(id, null, null, null, communes_showing_alertes(commune_id, acteur_id), debut, fin)
from alertes where coalesce(fin, 'infinity') > now();
