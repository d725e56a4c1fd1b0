-- The picture by which an acteur is recognised. The code requires that it is a picture that the acteur may use.
alter table acteurs add column logo uuid;
alter table acteurs add constraint acteurs_logo foreign key (logo) references media not valid;

-- As before, and the acteurs whose logo it is.
create or replace function notify_described() returns trigger language plpgsql as $$ declare
  shown uuid[] := array(select id from publications where images @> array[new.id] and valide);
begin
  if cardinality(shown) > 0 then
    perform notify_publications(shown, array(select acteur_id from publications where id = any(shown)));
  end if;
  if exists (select from acteurs where logo = new.id) then
    perform pg_notify('parvis_changes', 'acteurs');
  end if;
  return null;
end $$;
