-- The coat of arms and a photo of a commune.
alter table communes add column blason uuid;
alter table communes add column photo uuid;
alter table communes add constraint communes_blason foreign key (blason) references media not valid;
alter table communes add constraint communes_photo foreign key (photo) references media not valid;

-- Notifies of the pictures that a commune begins or ceases to show, by their tag publications:<uuid>.
create function notify_pictures_of_commune() returns trigger language plpgsql as $$ begin
  perform pg_notify('parvis_changes', 'publications:' || id)
  from unnest(array[old.blason, new.blason, old.photo, new.photo]) id where id is not null;
  return null;
end $$;
create trigger communes_pictures_changed after update of blason, photo on communes for each row
  when ((old.blason, old.photo) is distinct from (new.blason, new.photo)) execute function notify_pictures_of_commune();

-- As before, and the acteurs and communes whose picture it is.
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
  return null;
end $$;
