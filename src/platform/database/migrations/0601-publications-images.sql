-- The pictures of a publication in their order, the first is its cover; null: none.
alter table publications add column images uuid[];
alter table publication_versions add column images uuid[];
-- A page with more is no page to read.
alter table publications add constraint publications_images check (cardinality(images) between 1 and 8) not valid;

-- The same as before, and the pictures of a publication that changed: whether they are public depends on it.
create or replace function notify_publications(changed uuid[], others uuid[]) returns void language plpgsql as $$ declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_communes where publication_id = any(changed)
    union select unnest(images) from publications where id = any(changed) and images is not null
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end $$;

-- Notifies of pictures that a publication no longer shows, by their tag publications:<uuid>.
create function notify_removed_images() returns trigger language plpgsql as $$ begin
  perform pg_notify('parvis_changes', 'publications:' || id) from unnest(old.images) id;
  return null;
end $$;
create trigger publications_images_removed after update of images on publications for each row
  when (old.images is not null and old.images is distinct from new.images) execute function notify_removed_images();
create trigger publications_images_deleted after delete on publications for each row
  when (old.images is not null) execute function notify_removed_images();

-- Notifies of the publications that show a picture whose description changed, unless nobody has accepted one.
create function notify_described() returns trigger language plpgsql as $$ declare
  shown uuid[] := array(select id from publications where images @> array[new.id] and valide);
begin
  if cardinality(shown) > 0 then
    perform notify_publications(shown, array(select acteur_id from publications where id = any(shown)));
  end if;
  return null;
end $$;
create trigger media_described after update on media for each row
  when ((old.alt, old.decorative) is distinct from (new.alt, new.decorative)) execute function notify_described();
