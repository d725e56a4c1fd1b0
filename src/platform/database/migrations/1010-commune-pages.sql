-- Pages that a mairie writes about life in its commune, in two levels.
create table commune_pages (
  id uuid primary key,
  commune_id uuid not null constraint commune_pages_commune references communes on delete cascade,
  -- The page that this one stands below.
  parent_id uuid,
  -- The last part of its address, for good.
  slug text collate "C" not null, title text not null, body text not null,
  -- Pictures and documents in their order, as of publications; null: none.
  images uuid[], documents uuid[],
  contacts jsonb not null default '[]',
  -- The order of all pages of a commune; it bounds their number too.
  position integer not null,
  status text not null default 'draft',
  is_below boolean not null generated always as (parent_id is not null) stored,
  parent_is_below boolean generated always as (case when parent_id is not null then false end) stored,
  -- For the search.
  words tsvector generated always as (publication_search(title, body)) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  constraint commune_pages_slug_key unique (commune_id, slug),
  -- Deferrable: one statement moves several pages.
  constraint commune_pages_position_key unique (commune_id, position) deferrable,
  constraint commune_pages_position check (position between 1 and 200),
  -- What the next one refers to.
  constraint commune_pages_place unique (id, commune_id, is_below),
  -- A page stands below one of the same commune that stands below none: two levels, and no circle.
  constraint commune_pages_parent foreign key (parent_id, commune_id, parent_is_below)
    references commune_pages (id, commune_id, is_below),
  constraint commune_pages_status check (status in ('draft', 'published')),
  constraint commune_pages_lengths check (char_length(title) between 1 and 200 and char_length(body) <= 40000),
  constraint commune_pages_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 200),
  constraint commune_pages_images check (cardinality(images) between 1 and 8),
  constraint commune_pages_documents check (cardinality(documents) between 1 and 5),
  constraint commune_pages_contacts check (
    case jsonb_typeof(contacts) when 'array' then jsonb_array_length(contacts) <= 6 else false end)
);
-- The pages below a page, and the foreign key.
create index commune_pages_by_parent on commune_pages (parent_id) where parent_id is not null;
-- The sitemap.
create index commune_pages_published on commune_pages (created_at, id) where status = 'published';
-- Which pages show a picture or a document.
create index commune_pages_by_image on commune_pages using gin (images) where images is not null;
create index commune_pages_by_document on commune_pages using gin (documents) where documents is not null;
create trigger commune_pages_touch before update on commune_pages
  for each row execute function touch_row('position', 'words', 'is_below', 'parent_is_below');
create trigger commune_pages_notify after insert or update or delete or truncate on commune_pages
  for each statement execute function notify_change();

-- Notifies of the pictures and documents of a page that changed, and of those below it, which are public with it only. By
-- their tag publications:<uuid>.
create function notify_files_of_page() returns trigger language plpgsql as $$ declare
  named uuid[] := array(
    select unnest(old.images || old.documents || new.images || new.documents)
    union select unnest(images || documents) from public.commune_pages where parent_id = coalesce(new.id, old.id)
    limit 51);
begin
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
  return null;
end $$;
create trigger commune_pages_files after insert or update or delete on commune_pages
  for each row execute function notify_files_of_page();

-- As before, and the pages that show the picture.
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
  if exists (select from commune_pages where images @> array[new.id]) then
    perform pg_notify('parvis_changes', 'commune_pages');
  end if;
  return null;
end $$;

-- As before, and the pages that show the document.
create or replace function notify_renamed() returns trigger language plpgsql as $$ declare
  shown uuid[] := array(select id from publications where documents @> array[new.id] and valide);
begin
  if cardinality(shown) > 0 then
    perform notify_publications(shown, array(select acteur_id from publications where id = any(shown)));
  end if;
  if exists (select from commune_pages where documents @> array[new.id]) then
    perform pg_notify('parvis_changes', 'commune_pages');
    perform pg_notify('parvis_changes', 'publications:' || new.id);
  end if;
  return null;
end $$;

-- Former titles and texts of a page, the last twenty.
create table commune_page_versions (
  id uuid primary key,
  page_id uuid not null constraint commune_page_versions_page references commune_pages on delete cascade,
  title text not null, body text not null,
  replaced_at timestamptz(3) not null default now(),
  constraint commune_page_versions_lengths check (char_length(title) between 1 and 200 and char_length(body) <= 40000)
);
-- The versions of a page, the latest first; the foreign key.
create index commune_page_versions_by_page on commune_page_versions (page_id, id desc);
