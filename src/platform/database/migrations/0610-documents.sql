-- What documents have beside their bytes, which are a variant of the width 0. Restores load it before publications, whose
-- words come from here.
create table media_documents (
  media_id uuid primary key constraint media_documents_media references media on delete cascade,
  pages integer not null constraint media_documents_pages check (pages > 0),
  -- Size of the file itself.
  bytes integer not null constraint media_documents_bytes check (bytes > 0),
  -- The last part of its address, from its name.
  slug text collate "C" not null,
  -- For the search; empty for a document of pictures alone.
  text text not null constraint media_documents_text check (octet_length(text) <= 200000),
  words tsvector not null
);
-- A name is what people see of a document.
alter table media add constraint media_document_named check (kind <> 'document' or nom is not null) not valid;

-- The documents of a publication in their order; null: none.
alter table publications add column documents uuid[];
alter table publication_versions add column documents uuid[];
-- More are a folder, not an attachment.
alter table publications add constraint publications_documents check (cardinality(documents) between 1 and 5) not valid;

-- The words of a document, as publication_search has those of a publication.
create function document_search(content text) returns tsvector language sql immutable strict parallel safe begin atomic
  select strip(to_tsvector('pg_catalog.simple', words) || to_tsvector('pg_catalog.french', words))
  from (select plain_words(content) as words offset 0) as made;
end;

-- Adds the words of documents to those of a publication, as long as PostgreSQL can store them: 1 MB is the limit.
create function with_words_of_documents(words tsvector, documents uuid[]) returns tsvector language plpgsql stable as $$ declare
  added tsvector;
begin
  for added in select d.words from unnest(documents) with ordinality document (id, position)
    join media_documents d on d.media_id = document.id order by position
  loop
    words := words || added;
  end loop;
  return words;
exception when program_limit_exceeded then
  return words;
end $$;

-- Maintains the search vector and the sort key when title, body, place or documents changed.
create or replace function maintain_publication_words() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' or new.title <> old.title or new.body <> old.body or new.lieu is distinct from old.lieu
    or new.documents is distinct from old.documents then
    new.search := publication_search(new.title, new.body, new.lieu);
    new.sort_title := search_key(left(new.title, 100));
    if new.documents is not null then
      new.search := with_words_of_documents(new.search, new.documents);
    end if;
  end if;
  return new;
end $$;

-- The same as before, and the documents of a publication that changed: whether they are public depends on it.
create or replace function notify_publications(changed uuid[], others uuid[]) returns void language plpgsql as $$ declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_communes where publication_id = any(changed)
    union select unnest(images) from publications where id = any(changed) and images is not null
    union select unnest(documents) from publications where id = any(changed) and documents is not null
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end $$;

-- Notifies of documents that a publication no longer shows, by their tag publications:<uuid>.
create function notify_removed_documents() returns trigger language plpgsql as $$ begin
  perform pg_notify('parvis_changes', 'publications:' || id) from unnest(old.documents) id;
  return null;
end $$;
create trigger publications_documents_removed after update of documents on publications for each row
  when (old.documents is not null and old.documents is distinct from new.documents)
  execute function notify_removed_documents();
create trigger publications_documents_deleted after delete on publications for each row
  when (old.documents is not null) execute function notify_removed_documents();

-- Notifies of a document whose name changed, and of the publications that show it, unless nobody has accepted one.
create function notify_renamed() returns trigger language plpgsql as $$ declare
  shown uuid[] := array(select id from publications where documents @> array[new.id] and valide);
begin
  if cardinality(shown) > 0 then
    perform notify_publications(shown, array(select acteur_id from publications where id = any(shown)));
  end if;
  return null;
end $$;
create trigger media_renamed after update on media for each row
  when (new.kind = 'document' and old.nom is distinct from new.nom) execute function notify_renamed();
