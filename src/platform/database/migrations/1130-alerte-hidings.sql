-- What a mairie hides in its commune of the alertes of a group. It stays until the mairie shows it again, whatever becomes of the
-- group and its members.
create table alerte_hidings (
  -- Deferrable: a restored alerte comes after its hidings, so that the feed never shows it where it is hidden.
  alerte_id uuid not null constraint alerte_hidings_alerte references alertes on delete cascade deferrable,
  commune_id uuid not null constraint alerte_hidings_commune references communes on delete cascade,
  hidden_at timestamptz(3) not null default now(),
  -- Two colleagues at once hide it once.
  constraint alerte_hidings_pkey primary key (alerte_id, commune_id)
);
-- What a commune hides; the foreign key.
create index alerte_hidings_by_commune on alerte_hidings (commune_id, alerte_id);
create trigger alerte_hidings_notify after insert or update or delete or truncate on alerte_hidings
  for each statement execute function notify_change();

-- As before, without the communes that hide it.
create or replace view alerte_places as
  select place.alerte_id, place.commune_id from (
    select id as alerte_id, commune_id from alertes where commune_id is not null
    union all
    select al.id, c.id
    from alertes al join acteurs a on a.id = al.acteur_id join communes c on c.mairie_actor_id = al.acteur_id
    where a.active and a.deleted_at is null and (al.commune_ids = '{}' or c.id = any(al.commune_ids))
    union all
    select al.id, m.commune_id
    from alertes al join acteurs a on a.id = al.acteur_id
    join groups g on g.acteur_id = al.acteur_id join group_communes m on m.group_id = g.id
    where a.active and a.deleted_at is null and (al.commune_ids = '{}' or m.commune_id = any(al.commune_ids))) place
  where not exists (
    select from alerte_hidings h where h.alerte_id = place.alerte_id and h.commune_id = place.commune_id);

-- Returns those of these communes that do not hide an alerte; null: none. Security definer: triggers of the version before read the
-- table before the start grants it.
create function communes_not_hiding(alerte uuid, communes uuid[]) returns uuid[] language sql stable security definer
set search_path = public, pg_temp as $$
  select case when not exists (select from alerte_hidings h where h.alerte_id = alerte) then communes else (
    select array_agg(id order by id) from unnest(communes) id
    where not exists (select from alerte_hidings h where h.alerte_id = alerte and h.commune_id = id)) end
$$;

-- As `record_alerte_change` before: adds a change of an alerte to the feed, with the communes that showed it and those that show it.
create function record_shown_alerte(changed uuid, before uuid[], debut_before timestamptz, fin_before timestamptz,
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

-- As before, of the communes that do not hide it.
create or replace function record_alerte_change(changed uuid, before uuid[], debut_before timestamptz, fin_before timestamptz,
  after uuid[], debut_after timestamptz, fin_after timestamptz) returns void language sql security definer
set search_path = public, pg_temp as $$
  select record_shown_alerte(changed, communes_not_hiding(changed, before), debut_before, fin_before,
    communes_not_hiding(changed, after), debut_after, fin_after)
$$;

-- As before: communes that hide an alerte neither lose nor gain it.
create or replace function record_alertes_of_acteur(of_acteur uuid, before uuid[], after uuid[]) returns void language plpgsql as $$ begin
  perform record_alerte_change(al.id, places.before, al.debut, al.fin, places.after, al.debut, al.fin)
  from alertes al cross join lateral (
    select communes_not_hiding(al.id, communes_of_alerte(al.commune_ids, $2)) as before,
      communes_not_hiding(al.id, communes_of_alerte(al.commune_ids, $3)) as after) places
  where al.acteur_id = of_acteur and coalesce(al.fin, 'infinity') > now() and places.before is distinct from places.after;
end $$;

-- As before. A deletion is recorded before it takes the hidings along.
create or replace function record_change_of_alerte() returns trigger language plpgsql as $$ begin
  -- A concurrent change of the acteur or of its communes waits, or has been waited for.
  perform from acteurs where id in (old.acteur_id, new.acteur_id) order by id for no key update;
  perform record_alerte_change(coalesce(new.id, old.id),
    communes_of_alerte(old.commune_ids, communes_showing_alertes(old.commune_id, old.acteur_id)), old.debut, old.fin,
    communes_of_alerte(new.commune_ids, communes_showing_alertes(new.commune_id, new.acteur_id)), new.debut, new.fin);
  if tg_op = 'DELETE' then return old; end if;
  return null;
end $$;
create or replace trigger alertes_record_existence after insert on alertes for each row
  execute function record_change_of_alerte();
create trigger alertes_record_removal before delete on alertes for each row
  execute function record_change_of_alerte();

-- Adds to the feed what a commune hides or shows again. One that is deleted leaves the feed by itself.
create function record_alertes_of_hidings() returns trigger language plpgsql as $$ declare
  changed uuid[] := array(select distinct rows.alerte_id from rows join alertes al on al.id = rows.alerte_id);
begin
  if changed = '{}' then return null; end if;
  -- A concurrent change of the acteur or of its communes waits, or has been waited for.
  perform from acteurs where id in (select acteur_id from alertes where id = any(changed)) order by id for no key update;
  perform record_shown_alerte(al.id, places.before, al.debut, al.fin, places.after, al.debut, al.fin)
  from alertes al
  cross join lateral (
    select communes_of_alerte(al.commune_ids, communes_showing_alertes(al.commune_id, al.acteur_id)) as communes,
      array(select rows.commune_id from rows where rows.alerte_id = al.id) as hiding) one
  cross join lateral (select communes_not_hiding(al.id, one.communes) as after) shown
  cross join lateral (
    select shown.after, array_agg(id order by id) as before from unnest(one.communes) id
    where case when id = any(one.hiding) then tg_op = 'INSERT' else id = any(shown.after) end) places
  where al.id = any(changed) and places.before is distinct from places.after;
  return null;
end $$;
create trigger alerte_hidings_inserted after insert on alerte_hidings
  referencing new table as rows for each statement execute function record_alertes_of_hidings();
create trigger alerte_hidings_deleted after delete on alerte_hidings
  referencing old table as rows for each statement execute function record_alertes_of_hidings();
