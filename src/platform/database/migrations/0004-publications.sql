-- Nothing but words, without accents and capitals, a space between. Left to PostgreSQL's parser, "thé/café" would be a
-- file, "l’été" one word or two by the server's locale: here all that is no letter or digit divides words, by its number.
create function plain_words(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, value)),
    '[\u0001-/:-@[-`{-©«-±´¶-¸»-¿×÷\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff01-\uff0f\ufffd\U0001f000-\U0001faff]+',
    ' ', 'g');

-- The words of an HTML text. A tag within a line divides no word; others do.
create function words_of_html(html text) returns text
  language sql immutable strict parallel safe
  return plain_words(regexp_replace(regexp_replace(
    html, '</?(?:a|b|em|i|strong|u)(?: [^>]*)?>', '', 'g'), '<[^>]*>|&(?:amp|lt|gt|quot);', ' ', 'g'));

-- Words beside French stems, so that a beginning of a word finds what its stem would not ("associatio" and
-- "association").
create function publication_search(title text, body text) returns tsvector
  language sql immutable strict parallel safe
begin atomic
  -- "offset 0": the words are made once.
  select to_tsvector('pg_catalog.simple', words) || to_tsvector('pg_catalog.french', words)
  from (select plain_words(title) || ' ' || words_of_html(body) as words offset 0) as made;
end;

create table publication_types (
  id uuid constraint publication_types_pkey primary key,
  slug text not null constraint publication_types_slug_key unique,
  libelle text not null,
  position integer not null
);

insert into publication_types (id, slug, libelle, position) values
  ('01998000-0000-7000-8000-000000000001', 'actualite', 'Actualité', 1),
  ('01998000-0000-7000-8000-000000000002', 'evenement', 'Événement', 2),
  ('01998000-0000-7000-8000-000000000003', 'annonce', 'Annonce', 3),
  ('01998000-0000-7000-8000-000000000004', 'alerte', 'Alerte', 4),
  ('01998000-0000-7000-8000-000000000005', 'travaux', 'Travaux', 5),
  ('01998000-0000-7000-8000-000000000006', 'association', 'Association', 6),
  ('01998000-0000-7000-8000-000000000007', 'commerce', 'Commerce', 7);

create table publications (
  id uuid constraint publications_pkey primary key,
  slug text not null,
  title text not null,
  body text not null,
  -- An import may have no acteur.
  acteur_id uuid constraint publications_acteur references acteurs,
  -- The first of its communes; all of them stand in publication_communes.
  commune_id uuid constraint publications_commune references communes,
  type_id uuid constraint publications_type references publication_types,
  date_debut date,
  date_fin date,
  source_url text,
  image_url text,
  epingle boolean not null default false,
  moderation_status text not null default 'pending',
  moderation_reason text,
  -- An administrator or moderator has decided: a mairie reverses nothing of it, also after the author's later edits.
  decided_centrally boolean not null default false,
  valide boolean not null default false,
  publie_le timestamptz(3),
  en_avant boolean not null default false,
  featured_until timestamptz(3),
  deleted_at timestamptz(3),
  created_by uuid constraint publications_created_by references users,
  -- What makes it a possible duplicate, written with the content: 'u:' and a digest of the normalised source_url where
  -- there is one, else 's:' and a digest of the signature.
  duplicate_key text not null,
  search tsvector generated always as (publication_search(title, body)) stored,
  sort_title text collate "C" generated always as (search_key(left(title, 100))) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint publications_status check (moderation_status in ('pending', 'approved', 'published', 'rejected')),
  constraint publications_title_length check (char_length(title) between 1 and 200),
  constraint publications_duplicate_key_form check (duplicate_key ~ '^[us]:[0-9a-f]{32}$'),
  constraint publications_dates_order check (date_fin >= date_debut),
  -- Featuring ends with its flag.
  constraint publications_featured_whole check (en_avant or featured_until is null),
  -- What is waiting or refused is not valid; what is published is, or was by hand made invalid, and has its time.
  constraint publications_valid_status check (not valide or moderation_status in ('approved', 'published')),
  constraint publications_published_time check (moderation_status <> 'published' or publie_le is not null)
);

create trigger publications_touch before update on publications for each row
  execute function touch_row('search', 'sort_title');

-- The public list, newest first, and the featured ones that come before it. The predicate is the rule of visibility as
-- far as the row alone tells it; with what is included, counting and skipping read nothing but the index.
create index publications_public on publications (publie_le desc, id desc)
  include (acteur_id, en_avant, featured_until)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');
create index publications_featured on publications (publie_le desc, id desc)
  include (acteur_id, en_avant, featured_until)
  where valide and deleted_at is null and moderation_status in ('approved', 'published') and en_avant;
-- The same by acteur, with its pinned ones, and by type.
create index publications_public_by_acteur on publications (acteur_id, publie_le desc, id desc)
  include (epingle, en_avant, featured_until)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');
create index publications_pinned on publications (acteur_id, publie_le desc, id desc)
  where valide and deleted_at is null and moderation_status in ('approved', 'published') and epingle;
create index publications_public_by_type on publications (type_id, publie_le desc, id desc)
  include (acteur_id, en_avant, featured_until)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');
-- The public filter by first day.
create index publications_public_by_date on publications (date_debut)
  include (publie_le, acteur_id, en_avant, featured_until, id)
  where valide and deleted_at is null and moderation_status in ('approved', 'published');
-- Words.
create index publications_search on publications using gin (search);
-- The back-office list by each of its sorts, and by each of its filters in the usual sort. What has no time or date
-- comes last either way: two of the sorts have an index each way. What is included is counted, or sorted, without a look
-- at the rows.
create index publications_by_created on publications (created_at desc, id desc);
create index publications_by_updated on publications (updated_at desc, id desc);
create index publications_by_publie on publications (publie_le desc nulls last, id desc);
create index publications_by_publie_upwards on publications (publie_le, id);
create index publications_by_date on publications (date_debut desc nulls last, id desc);
create index publications_by_date_upwards on publications (date_debut, id);
create index publications_by_title on publications (sort_title, id);
create index publications_by_status on publications (moderation_status, created_at desc, id desc)
  include (deleted_at, valide, publie_le);
create index publications_by_acteur on publications (acteur_id, created_at desc, id desc) include (deleted_at);
create index publications_by_type on publications (type_id, created_at desc, id desc)
  include (deleted_at, valide, moderation_status, date_debut);
create index publications_deleted on publications (created_at desc, id desc) where deleted_at is not null;
create index publications_en_avant on publications (created_at desc, id desc) where en_avant;
create index publications_invalid on publications (created_at desc, id desc)
  include (deleted_at, moderation_status, publie_le) where not valide;
-- The members of a group of duplicates.
create index publications_by_duplicate_key on publications (duplicate_key, created_at desc, id desc)
  include (moderation_status, valide) where deleted_at is null;
-- Foreign key checks when a commune goes.
create index publications_by_commune on publications (commune_id);

-- All communes of a publication, the first one among them.
create table publication_communes (
  publication_id uuid not null constraint publication_communes_publication references publications on delete cascade,
  commune_id uuid not null constraint publication_communes_commune references communes,
  constraint publication_communes_pkey primary key (publication_id, commune_id)
);
-- The publications of a commune.
create index publication_communes_by_commune on publication_communes (commune_id, publication_id);

-- How many publications that are not deleted share a key: kept up by the trigger below, so that no list counts them.
create table duplicate_groups (
  duplicate_key text constraint duplicate_groups_pkey primary key,
  members integer not null,
  constraint duplicate_groups_members check (members >= 0)
);
-- The groups worth showing.
create index duplicate_groups_shared on duplicate_groups (duplicate_key) where members > 1;

-- One upsert per statement, keys in order: two statements at once wait for each other, never in a circle.
create function count_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_groups as g (duplicate_key, members)
  select duplicate_key, greatest(sum(delta), 0) from (
    select duplicate_key, 1 as delta from new_rows where deleted_at is null
  ) changes group by duplicate_key order by duplicate_key
  on conflict (duplicate_key) do update set members = g.members + excluded.members;
  return null;
end
$$;
create trigger publications_count_inserted after insert on publications
  referencing new table as new_rows for each statement execute function count_duplicates();

-- A change of key or a deletion takes from one group, and gives to another.
create function recount_duplicates() returns trigger language plpgsql as $$
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
    end if;
  end loop;
  return null;
end
$$;
create trigger publications_count_updated after update on publications
  referencing old table as old_rows new table as new_rows for each statement execute function recount_duplicates();

-- What readers report. The same caller on the same publication on one day counts once.
create table publication_reports (
  id uuid constraint publication_reports_pkey primary key,
  publication_id uuid not null constraint publication_reports_publication references publications on delete cascade,
  -- The user, or a keyed digest of the address that changes every day.
  caller_key text not null,
  day date not null,
  category text,
  reason text,
  message text,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint publication_reports_once unique (publication_id, caller_key, day),
  constraint publication_reports_category check (category in ('spam', 'inappropriate', 'wrong', 'duplicate', 'other'))
);
-- The open reports of a publication, and the publications that have some.
create index publication_reports_open on publication_reports (publication_id) where closed_at is null;
-- Retention: closed long ago.
create index publication_reports_closed on publication_reports (closed_at) where closed_at is not null;

-- Municipal alerts, of a commune or of its mairie.
create table alertes (
  id uuid constraint alertes_pkey primary key,
  commune_id uuid constraint alertes_commune references communes,
  acteur_id uuid constraint alertes_acteur references acteurs,
  titre text not null,
  message text not null,
  niveau text not null,
  debut timestamptz(3),
  fin timestamptz(3),
  created_by uuid constraint alertes_created_by references users,
  created_at timestamptz(3) not null default now(),
  constraint alertes_one_owner check (num_nonnulls(commune_id, acteur_id) = 1),
  constraint alertes_niveau check (niveau in ('info', 'attention', 'urgence')),
  constraint alertes_period check (fin >= debut)
);
create index alertes_by_commune on alertes (commune_id, created_at desc, id desc) where commune_id is not null;
create index alertes_by_acteur on alertes (acteur_id, created_at desc, id desc) where acteur_id is not null;
