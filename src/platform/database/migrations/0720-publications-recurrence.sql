-- Events that repeat. The rule and its dates are the author's; `jours` lists all days that follow from them, in order: a rule ends
-- within two years, so that they are complete when it is written.
alter table publications add column recurrence jsonb, add column jours date[];
alter table publication_versions add column recurrence jsonb;

alter table publications
  -- All parts, and no others.
  add constraint publications_recurrence_form check (
    recurrence = jsonb_build_object('regle', recurrence -> 'regle', 'exceptions', recurrence -> 'exceptions', 'ajouts',
      recurrence -> 'ajouts', 'occurrences', recurrence -> 'occurrences')
    and jsonb_typeof(recurrence -> 'regle') = 'string' and jsonb_typeof(recurrence -> 'exceptions') = 'array'
    and jsonb_typeof(recurrence -> 'ajouts') = 'array' and jsonb_typeof(recurrence -> 'occurrences') = 'array') not valid,
  -- A rule has days, and days have a rule.
  add constraint publications_recurrence_days check ((recurrence is null) = (jours is null)) not valid,
  -- The rule begins on the first day.
  add constraint publications_recurrence_first_day check (recurrence is null or date_debut is not null) not valid,
  -- A day more for each of two years would be no series.
  add constraint publications_jours_count check (cardinality(jours) between 2 and 800) not valid;

-- The row of a list: a series is over after its last day.
create or replace function listing_of(p publications, commune_id uuid) returns setof publication_listings
  language sql stable parallel safe begin atomic
  select listing_of.commune_id, p.id, p.publie_le, p.acteur_id, p.type_id,
    case when p.en_avant then coalesce(p.featured_until, 'infinity') end, p.epingle, p.date_debut,
    case when p.jours is null then p.date_fin
      else p.jours[cardinality(p.jours)] + coalesce(p.date_fin - p.date_debut, 0) end;
end;

-- The same as before, and the lists when the days of a series change.
create or replace function maintain_publications() returns trigger language plpgsql
  -- Planning takes longer than the work.
  set plan_cache_mode = force_generic_plan as $$ declare
  seen uuid[];
  moved uuid[];
  acteur_ids uuid[];
  present_time timestamptz;
begin
  if tg_op = 'UPDATE' then
    perform count_duplicate_groups(array(
      select key from old_rows o full join new_rows n using (id)
      cross join lateral (values (o.duplicate_key, o.deleted_at), (n.duplicate_key, n.deleted_at)) state (key, deleted_at)
      where (o.duplicate_key, o.deleted_at is null) is distinct from (n.duplicate_key, n.deleted_at is null)
        and state.deleted_at is null and key is not null));
    select array_agg(id), array_agg(o.acteur_id) || array_agg(n.acteur_id),
      coalesce(array_agg(id) filter (where
        (o.valide, o.moderation_status, o.deleted_at, o.publie_le, o.acteur_id, o.type_id, o.en_avant,
          o.featured_until, o.epingle, o.date_debut, o.date_fin, o.jours)
        is distinct from (n.valide, n.moderation_status, n.deleted_at, n.publie_le, n.acteur_id, n.type_id, n.en_avant,
          n.featured_until, n.epingle, n.date_debut, n.date_fin, n.jours)), '{}')
    into seen, acteur_ids, moved
    from old_rows o full join new_rows n using (id)
    where o.version is distinct from n.version
      and ((o.valide and o.deleted_at is null and o.publie_le is not null)
        or (n.valide and n.deleted_at is null and n.publie_le is not null));
  elsif tg_op = 'INSERT' then
    perform count_duplicate_groups(array(select duplicate_key from new_rows where deleted_at is null));
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from new_rows where valide and deleted_at is null and publie_le is not null;
  else
    perform count_duplicate_groups(array(select duplicate_key from old_rows where deleted_at is null));
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from old_rows where valide and deleted_at is null and publie_le is not null;
  end if;
  if seen is null then return null; end if;

  -- A concurrent change that hides one of these acteurs waits, or has been waited for.
  perform from acteurs where id = any(acteur_ids) order by id for share;
  if moved <> '{}' then
    perform refresh_publication_listings(moved);
  end if;
  if tg_op = 'UPDATE' then
    present_time := begin_publication_changes();
    insert into publication_changes (publication_id, at, communes_before, communes_after)
    select publication_id, present_time, communes, communes from (
      select publication_id,
        array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
      from publication_listings where publie_le <= present_time and publication_id = any(seen)
      group by publication_id) visible
    on conflict on constraint publication_changes_once
      do update set at = excluded.at, communes_after = excluded.communes_after
      -- The lists noted it in this transaction, under a lock that is still held.
      where publication_changes.communes_after is distinct from excluded.communes_after;
  end if;
  perform notify_publications(seen, acteur_ids);
  return null;
end $$;
