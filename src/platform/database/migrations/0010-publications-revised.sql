-- Words again: signs that stand for others (₂₀, ﬁ, ™, full-width letters) are read as those, before anything divides words.
create or replace function plain_words(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, nfkc))),
    '[\u0001-/:-@[-`{-©«-±´¶-¸»-¿×÷\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff01-\uff0f\ufffd\U0001f000-\U0001faff]+',
    ' ', 'g');

-- What is asked of a publication's words, cut as they are: all of them, the last one maybe only begun, from three letters
-- on. Null when there is no word. The text of a tsquery can always be read again, whatever is in it.
create function publication_query(asked text) returns tsquery
  language sql immutable strict parallel safe
begin atomic
  select nullif(
    plainto_tsquery('pg_catalog.french', words)
      || (plainto_tsquery('pg_catalog.french', left(words, -char_length(last_word)))
        && case when char_length(last_word) >= 3 and numnode(as_it_is) > 0
          then (as_it_is::text || ':*')::tsquery else as_it_is end),
    ''::tsquery)
  from (select btrim(plain_words(asked)) as words offset 0) as cut,
    lateral (select substring(words from '[^ ]*$') as last_word offset 0) as ending,
    lateral (select plainto_tsquery('pg_catalog.simple', last_word) as as_it_is offset 0) as read;
end;

-- Computed anew where the words have changed.
update publications set title = title where search is distinct from publication_search(title, body);

-- A group that has lost its last member goes. Counted first, then deleted: the row is held in between, so that nobody
-- else's count is lost, and who joins meanwhile waits and makes the group anew.
create or replace function recount_duplicates() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select duplicate_key, sum(delta)::integer as delta from (
      select duplicate_key, 1 as delta from new_rows where deleted_at is null
      union all
      select duplicate_key, -1 from old_rows where deleted_at is null
    ) changes group by duplicate_key having sum(delta) <> 0 order by duplicate_key
  loop
    if change.delta > 0 then
      insert into duplicate_groups as g (duplicate_key, members) values (change.duplicate_key, change.delta)
      on conflict (duplicate_key) do update set members = g.members + excluded.members;
    else
      update duplicate_groups set members = members + change.delta where duplicate_key = change.duplicate_key;
      delete from duplicate_groups where duplicate_key = change.duplicate_key and members = 0;
    end if;
  end loop;
  return null;
end
$$;
delete from duplicate_groups where members = 0;

-- The agenda: by first day, and those that are not over. What is included is counted and sorted without a look at the rows.
drop index publications_public_by_date;
create index publications_public_by_date on publications (date_debut, id)
  include (publie_le, acteur_id, en_avant, featured_until, date_fin)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');
create index publications_public_by_last_day on publications ((coalesce(date_fin, date_debut)))
  include (id, date_debut, date_fin, publie_le, acteur_id, en_avant, featured_until)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');

-- A report counts until a decision closes it; one that comes after the decision counts anew, on the same day too.
alter table publication_reports drop constraint publication_reports_once;
create unique index publication_reports_once on publication_reports (publication_id, caller_key, day)
  where closed_at is null;
-- The reports of a publication, newest first.
create index publication_reports_by_publication on publication_reports (publication_id, created_at desc, id desc);
