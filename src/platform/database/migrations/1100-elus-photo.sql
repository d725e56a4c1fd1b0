-- The portrait of an élu.
alter table elus add column photo uuid;
alter table elus add constraint elus_photo foreign key (photo) references media not valid;

-- Notifies of the pictures that élus begin or cease to show, by their tag publications:<uuid>.
create function notify_pictures_of_elus() returns trigger language plpgsql as $$ declare shown uuid[]; begin
  if tg_op = 'UPDATE' then
    shown := array(
      select distinct p.id from rows r join rows_before b using (id), unnest(array[b.photo, r.photo]) p (id)
      where r.photo is distinct from b.photo and p.id is not null limit 51);
  else
    shown := array(select distinct photo from rows where photo is not null limit 51);
  end if;
  if cardinality(shown) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(shown) id;
  end if;
  return null;
end $$;
create trigger elus_pictures_inserted after insert on elus
  referencing new table as rows for each statement execute function notify_pictures_of_elus();
create trigger elus_pictures_deleted after delete on elus
  referencing old table as rows for each statement execute function notify_pictures_of_elus();
create trigger elus_pictures_updated after update on elus
  referencing old table as rows_before new table as rows for each statement execute function notify_pictures_of_elus();

-- As before, and the élus whose picture it is.
create or replace function notify_described() returns trigger language plpgsql as $$ declare
  shown uuid[] := array(select id from publications where images @> array[new.id] and valide);
begin
  if cardinality(shown) > 0 then
    perform notify_publications(shown, array(select acteur_id from publications where id = any(shown)));
  end if;
  if exists (select from acteurs where logo = new.id) then
    perform pg_notify('parvis_changes', 'acteurs');
  end if;
  if exists (select from communes where blason = new.id or photo = new.id) then
    perform pg_notify('parvis_changes', 'communes');
  end if;
  if exists (select from elus where photo = new.id) then
    perform pg_notify('parvis_changes', 'elus');
  end if;
  if exists (select from commune_pages where images @> array[new.id]) then
    perform pg_notify('parvis_changes', 'commune_pages');
  end if;
  return null;
end $$;
