-- Notifications of publications have tags, so that a write invalidates the cached responses that show its publication
-- instead of all of them:
--   publications         a public publication changed, for lists of the whole country;
--   publications:<uuid>  the publication with this id, or one of this commune or acteur, changed;
--   publications*        more changed than are named, for every response with a tag publications:<uuid>.
-- A publication that was not public and is not notifies of nothing. Changes of its acteur, which may hide it, of its
-- commune and of its type notify of their tables.

-- Notifies of publications, of their communes, and of the acteurs and communes of before.
create function notify_publications(changed uuid[], others uuid[]) returns void language plpgsql as $$
declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_communes where publication_id = any(changed)
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end
$$;

-- Notifies of rows that were public or are, with their acteurs before and after.
create function tell_publications() returns trigger language plpgsql as $$
declare
  changed uuid[];
  acteurs uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(acteur_id) into changed, acteurs from new_rows
    where valide and deleted_at is null and publie_le is not null;
  elsif tg_op = 'UPDATE' then
    select array_agg(id), array_agg(o.acteur_id) || array_agg(n.acteur_id) into changed, acteurs
    from old_rows o full join new_rows n using (id)
    where o.version is distinct from n.version
      and ((o.valide and o.deleted_at is null and o.publie_le is not null)
        or (n.valide and n.deleted_at is null and n.publie_le is not null));
  else
    select array_agg(id), array_agg(acteur_id) into changed, acteurs from old_rows
    where valide and deleted_at is null and publie_le is not null;
  end if;
  if changed is not null then
    perform notify_publications(changed, acteurs);
  end if;
  return null;
end
$$;

-- Notifies of publications that leave communes, always: the same statement may have hidden them. Of those that join
-- communes, if they are public.
create function tell_publication_communes() returns trigger language plpgsql as $$
declare
  changed uuid[];
  others uuid[];
begin
  select array_agg(r.publication_id), array_agg(r.commune_id) || array_agg(p.acteur_id) into changed, others
  from rows r left join publications p on p.id = r.publication_id
  where tg_op = 'DELETE' or (p.valide and p.deleted_at is null and p.publie_le is not null);
  if changed is not null then
    perform notify_publications(changed, others);
  end if;
  return null;
end
$$;

-- Notifies of the tags that it is given, or of its table.
create or replace function tell_change() returns trigger language plpgsql as $$
begin
  if tg_nargs = 0 then
    perform pg_notify('parvis_changes', tg_table_name);
  else
    perform pg_notify('parvis_changes', tag) from unnest(tg_argv) tag;
  end if;
  return null;
end
$$;

create or replace trigger publications_told after truncate on publications
  for each statement execute function tell_change('publications', 'publications*');
create trigger publications_told_inserted after insert on publications referencing new table as new_rows
  for each statement execute function tell_publications();
create trigger publications_told_updated after update on publications
  referencing old table as old_rows new table as new_rows for each statement execute function tell_publications();
create trigger publications_told_deleted after delete on publications referencing old table as old_rows
  for each statement execute function tell_publications();

create or replace trigger publication_communes_told after update or truncate on publication_communes
  for each statement execute function tell_change('publications', 'publications*');
create trigger publication_communes_told_inserted after insert on publication_communes referencing new table as rows
  for each statement execute function tell_publication_communes();
create trigger publication_communes_told_deleted after delete on publication_communes referencing old table as rows
  for each statement execute function tell_publication_communes();
