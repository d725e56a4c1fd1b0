-- What a change of a publication costs is not its columns, but what is made of them.

-- The words and the title to sort by are made when title or body change, and then alone: as generated columns they were
-- made again with every change, since a trigger before it might have changed what they are made from. Rows keep theirs.
alter table publications alter column search drop expression, alter column sort_title drop expression;

-- Without places: nothing asks for words that stand side by side, and a third of the row was these.
create or replace function publication_search(title text, body text) returns tsvector
  language sql immutable strict parallel safe
begin atomic
  -- "offset 0": the words are made once.
  select strip(to_tsvector('pg_catalog.simple', words) || to_tsvector('pg_catalog.french', words))
  from (select plain_words(title) || ' ' || words_of_html(body) as words offset 0) as made;
end;

create function keep_publication_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.title <> old.title or new.body <> old.body then
    new.search := publication_search(new.title, new.body);
    new.sort_title := search_key(left(new.title, 100));
  end if;
  return new;
end
$$;
create trigger publications_words before insert or update on publications
  for each row execute function keep_publication_words();
-- Of rows that are put there as a replica does, too.
alter table publications enable always trigger publications_words;

-- Whether anything changes is told by comparing the rows, up to the first difference, not by writing both as JSON.
create function count_change() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end
$$;
drop trigger publications_touch on publications;
create trigger publications_touch before update on publications
  for each row when (old.* is distinct from new.*) execute function count_change();

-- No statement asks by it: lists of a commune go by publication_communes, and communes stay.
drop index publications_by_commune;

-- Makes the rows of these publications what they should be, and adds the difference to the numbers. Who calls holds their
-- acteurs.
create function list_again(changed uuid[]) returns void language plpgsql
  -- Planned once: that takes ten times as long as the work.
  set plan_cache_mode = force_generic_plan as $$
begin
  with due as materialized (select * from listed_publications where publication_id = any(changed)),
  present as materialized (select * from publication_listings where publication_id = any(changed)),
  coming as materialized (select * from due except select * from present),
  leaving as materialized (select * from present except select * from due),
  deleted as (
    delete from publication_listings l using leaving
    where l.publication_id = leaving.publication_id and l.commune_id = leaving.commune_id and not exists (
      select from coming
      where coming.publication_id = leaving.publication_id and coming.commune_id = leaving.commune_id)),
  written as (
    insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
      date_debut, date_fin)
    select * from coming
    on conflict (publication_id, commune_id) do update set publie_le = excluded.publie_le,
      acteur_id = excluded.acteur_id, type_id = excluded.type_id, featured_until = excluded.featured_until,
      epingle = excluded.epingle, date_debut = excluded.date_debut, date_fin = excluded.date_fin)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from (
    select *, 1 as n from coming union all select *, -1 from leaving) changes
  cross join lateral lists_of(commune_id, acteur_id)
  group by list, key, type_id having sum(n) <> 0;
end
$$;

create or replace function relist_publications(changed uuid[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
begin
  perform from acteurs where id in (
    select acteur_id from publications where id = any(changed)
    union select acteur_id from publication_listings where publication_id = any(changed))
  order by id for share;
  perform list_again(changed);
end
$$;

-- A change of the state counts, a change of what lists show makes their rows anew; of any other neither has to be looked
-- at. (Old and new rows are joined in full: that has no plan that would be slow for many.)
create or replace function keep_publication_lists() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
    from new_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    perform from acteurs where id = any(array(select acteur_id from new_rows)) order by id for share;
    perform list_again(array(select id from new_rows));
  elsif tg_op = 'UPDATE' then
    changed := array(
      select id from old_rows o full join new_rows n using (id)
      where (o.valide, o.moderation_status, o.deleted_at, o.publie_le, o.acteur_id, o.type_id, o.en_avant,
          o.featured_until, o.epingle, o.date_debut, o.date_fin)
        is distinct from (n.valide, n.moderation_status, n.deleted_at, n.publie_le, n.acteur_id, n.type_id, n.en_avant,
          n.featured_until, n.epingle, n.date_debut, n.date_fin));
    if changed = '{}' then
      return null;
    end if;
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then state.type_id end, state.moderation_status, state.valide, state.deleted,
      sum(state.n)
    from old_rows o full join new_rows n using (id)
    cross join lateral (
      select '00000000-0000-0000-0000-000000000000'::uuid as commune_id
      union all
      select pc.commune_id from publication_communes pc where pc.publication_id = id) place
    cross join lateral (values
      (1, n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is not null),
      (-1, o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is not null)
      ) state (n, acteur_id, type_id, moderation_status, valide, deleted)
    cross join lateral lists_of(place.commune_id, state.acteur_id)
    where (o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is null)
        is distinct from (n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is null)
      and state.valide is not null
    group by 1, 2, 3, 4, 5, 6 having sum(state.n) <> 0;
    perform from acteurs where id = any(array(select acteur_id from old_rows union select acteur_id from new_rows))
    order by id for share;
    perform list_again(changed);
  else
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, -count(*)
    from old_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    perform from acteurs where id = any(array(select acteur_id from old_rows)) order by id for share;
    perform list_again(array(select id from old_rows));
  end if;
  return null;
end
$$;

-- What is written with its communes, in one statement, has the rows of these already.
create or replace function keep_commune_lists() returns trigger language plpgsql
  -- Planning for the few that come takes longer than the work.
  set plan_cache_mode = force_generic_plan as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed uuid[] := array(select distinct publication_id from rows);
begin
  perform from publications where id = any(changed) order by id for no key update;
  insert into publication_counts (list, key, moderation_status, valide, deleted, n)
  select 'commune', rows.commune_id, p.moderation_status, p.valide, p.deleted_at is not null, step * count(*)
  from rows join publications p on p.id = rows.publication_id
  group by 2, 3, 4, 5;
  if tg_op = 'INSERT' then
    changed := array(
      select publication_id from rows where not exists (
        select from publication_listings l
        where l.publication_id = rows.publication_id and l.commune_id = rows.commune_id));
  end if;
  if changed <> '{}' then
    perform relist_publications(changed);
  end if;
  return null;
end
$$;
