-- Alertes of the acteur of a group of communes: for all its members, or for some.
-- The communes that an alerte is for, among those of its acteur; empty: all of them.
alter table alertes add column commune_ids uuid[] not null default '{}';
-- One of a commune is for this commune.
alter table alertes add constraint alertes_communes
  check (acteur_id is not null or commune_ids = '{}') not valid;
-- A null would match no commune.
alter table alertes add constraint alertes_communes_named check (array_position(commune_ids, null) is null) not valid;

-- The communes that show an alerte while it is in force: of an acteur those of a mairie, and the present members of its groups. A
-- commune in two groups of one acteur appears twice, so that PostgreSQL reads one alerte by indexes.
create view alerte_places as
  select id as alerte_id, commune_id from alertes where commune_id is not null
  union all
  select al.id, c.id
  from alertes al join acteurs a on a.id = al.acteur_id join communes c on c.mairie_actor_id = al.acteur_id
  where a.active and a.deleted_at is null and (al.commune_ids = '{}' or c.id = any(al.commune_ids))
  union all
  select al.id, m.commune_id
  from alertes al join acteurs a on a.id = al.acteur_id
  join groups g on g.acteur_id = al.acteur_id join group_communes m on m.group_id = g.id
  where a.active and a.deleted_at is null and (al.commune_ids = '{}' or m.commune_id = any(al.commune_ids));

-- Returns the communes of a mairie, or the members of the groups of an acteur but one; null: none.
create function communes_of_acteur(of_acteur uuid, except_group uuid default null) returns uuid[] language sql stable as $$
  select array_agg(distinct commune_id order by commune_id) from (
    select id as commune_id from communes where mairie_actor_id = of_acteur
    union all
    select m.commune_id from groups g join group_communes m on m.group_id = g.id
    where g.acteur_id = of_acteur and g.id is distinct from except_group) places
$$;

-- As before, and the members of groups.
create or replace function communes_showing_alertes(of_commune uuid, of_acteur uuid) returns uuid[] language sql stable as $$
  select case when of_commune is not null then array[of_commune] else (
    select communes_of_acteur(a.id) from acteurs a where a.id = of_acteur and a.active and a.deleted_at is null) end
$$;

-- Returns those of these communes that an alerte is for; null: none.
create function communes_of_alerte(named uuid[], communes uuid[]) returns uuid[] language sql immutable as $$
  select case when named = '{}' then communes else (
    select array_agg(id order by id) from unnest(communes) id where id = any(named)) end
$$;

-- As before, of the communes that the alerte is for.
create or replace function record_change_of_alerte() returns trigger language plpgsql as $$ begin
  -- A concurrent change of the acteur or of its communes waits, or has been waited for.
  perform from acteurs where id in (old.acteur_id, new.acteur_id) order by id for no key update;
  perform record_alerte_change(coalesce(new.id, old.id),
    communes_of_alerte(old.commune_ids, communes_showing_alertes(old.commune_id, old.acteur_id)), old.debut, old.fin,
    communes_of_alerte(new.commune_ids, communes_showing_alertes(new.commune_id, new.acteur_id)), new.debut, new.fin);
  return null;
end $$;
create or replace trigger alertes_record_change
  after update of commune_id, acteur_id, commune_ids, titre, message, niveau, debut, fin on alertes
  for each row when ((old.commune_id, old.acteur_id, old.commune_ids, old.titre, old.message, old.niveau, old.debut, old.fin)
    is distinct from (new.commune_id, new.acteur_id, new.commune_ids, new.titre, new.message, new.niveau, new.debut, new.fin))
  execute function record_change_of_alerte();

-- Adds to the feed what becomes of the alertes of an acteur whose communes were others before. The caller has locked the acteur.
create function record_alertes_of_acteur(of_acteur uuid, before uuid[], after uuid[]) returns void language plpgsql as $$ begin
  perform record_alerte_change(al.id, places.before, al.debut, al.fin, places.after, al.debut, al.fin)
  from alertes al cross join lateral (
    select communes_of_alerte(al.commune_ids, $2) as before, communes_of_alerte(al.commune_ids, $3) as after) places
  where al.acteur_id = of_acteur and coalesce(al.fin, 'infinity') > now() and places.before is distinct from places.after;
end $$;

create or replace function record_alertes_of_commune() returns trigger language plpgsql as $$ declare
  one uuid := coalesce(new.id, old.id);
  others uuid[];
begin
  -- Two communes that change their mairie at once would each count the other among those that stay.
  perform from acteurs where id in (old.mairie_actor_id, new.mairie_actor_id) order by id for no key update;
  -- Few acteurs have alertes: a load of thousands of mairies asks for no communes.
  if exists (select from alertes where acteur_id = old.mairie_actor_id)
    and exists (select from acteurs where id = old.mairie_actor_id and active and deleted_at is null) then
    others := communes_showing_alertes(null, old.mairie_actor_id);
    perform record_alertes_of_acteur(old.mairie_actor_id, array_append(others, one), others);
  end if;
  if exists (select from alertes where acteur_id = new.mairie_actor_id) then
    others := communes_showing_alertes(null, new.mairie_actor_id);
    perform record_alertes_of_acteur(new.mairie_actor_id, nullif(array_remove(others, one), '{}'), others);
  end if;
  return null;
end $$;

create or replace function record_alertes_of_mairie() returns trigger language plpgsql as $$ declare
  shown_in uuid[] := communes_of_acteur(new.id);
begin
  perform record_alertes_of_acteur(new.id,
    case when old.active and old.deleted_at is null then shown_in end,
    case when new.active and new.deleted_at is null then shown_in end);
  return null;
end $$;

-- Communes that join or leave a group show its alertes, or no longer.
create function record_alertes_of_members() returns trigger language plpgsql as $$ declare
  acteur uuid;
  present uuid[];
begin
  for acteur in
    select distinct g.acteur_id from groups g
    where g.acteur_id is not null and g.id in (select group_id from rows) order by 1 loop
    -- An alerte that is written meanwhile waits, or has been waited for.
    perform from acteurs where id = acteur for no key update;
    if exists (select from acteurs where id = acteur and active and deleted_at is null) then
      present := communes_of_acteur(acteur);
      perform record_alertes_of_acteur(acteur, (
        select array_agg(distinct commune_id order by commune_id) from (
          select m.commune_id from groups g join group_communes m on m.group_id = g.id
          where g.acteur_id = acteur and (tg_op = 'DELETE' or not exists (
            select from rows where rows.group_id = m.group_id and rows.commune_id = m.commune_id))
          union all
          select rows.commune_id from rows join groups g on g.id = rows.group_id
          where tg_op = 'DELETE' and g.acteur_id = acteur) before), present);
    end if;
  end loop;
  return null;
end $$;
create trigger group_communes_record_alertes_added after insert on group_communes
  referencing new table as rows for each statement execute function record_alertes_of_members();
create trigger group_communes_record_alertes_removed after delete on group_communes
  referencing old table as rows for each statement execute function record_alertes_of_members();

-- A group that another acteur speaks for. Before its deletion: afterwards its members are unknown.
create function record_alertes_of_group() returns trigger language plpgsql as $$ declare
  former uuid[];
  present uuid[];
begin
  perform from acteurs where id in (old.acteur_id, new.acteur_id) order by id for no key update;
  if exists (select from acteurs where id = old.acteur_id and active and deleted_at is null) then
    former := communes_of_acteur(old.acteur_id, old.id);
    present := (
      select array_agg(distinct id order by id) from (
        select unnest(former) as id union all select commune_id from group_communes where group_id = old.id) both_parts);
    perform record_alertes_of_acteur(old.acteur_id, present, former);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  present := communes_showing_alertes(null, new.acteur_id);
  if present is not null then
    perform record_alertes_of_acteur(new.acteur_id, communes_of_acteur(new.acteur_id, new.id), present);
  end if;
  return null;
end $$;
create trigger groups_record_alertes_moved after update on groups for each row
  when (old.acteur_id is distinct from new.acteur_id) execute function record_alertes_of_group();
create trigger groups_record_alertes_removed before delete on groups for each row
  when (old.acteur_id is not null) execute function record_alertes_of_group();

-- Triggers of the version before read it at once, before the start grants what is new.
do $$ declare reader text; begin
  for reader in
    select distinct grantee::regrole::text from pg_class cross join lateral aclexplode(relacl)
    where oid = 'alertes'::regclass and privilege_type = 'SELECT' and grantee <> 0 loop
    execute format('grant select on alerte_places to %s', reader);
  end loop;
end $$;
