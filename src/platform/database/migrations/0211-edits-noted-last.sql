-- The feed notes an edit after the lists are up to date: a publication that a decision hides is then noted once, by the
-- lists, instead of twice. Triggers run in the order of their names.
drop trigger publications_edits_noted on publications;
create trigger publications_note_edits after update on publications
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_publication_edits();
create or replace function note_publication_edits() returns trigger language plpgsql as $$
declare
  present_time timestamptz;
begin
  perform from acteurs where id = any(array(select acteur_id from new_rows)) order by id for share;
  present_time := begin_publication_changes();
  insert into publication_changes (publication_id, at, communes_before, communes_after)
  select publication_id, present_time, communes, communes from (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from publication_listings
    where publie_le <= present_time and publication_id = any(array(
      select n.id from old_rows o join new_rows n using (id) where o.version <> n.version))
    group by publication_id) visible
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after
    -- The lists noted it in this transaction, under a lock that is still held.
    where publication_changes.communes_after is distinct from excluded.communes_after;
  return null;
end
$$;
