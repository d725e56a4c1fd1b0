-- Words beside their French stems, so that the beginning of a word finds it too; without positions, which no search needs.
create function publication_search(title text, body text) returns tsvector language sql immutable strict parallel safe begin atomic
  -- "offset 0": the words are made once.
  select strip(to_tsvector('pg_catalog.simple', words) || to_tsvector('pg_catalog.french', words))
  from (select plain_words(title) || ' ' || words_of_html(body) as words offset 0) as made;
end;

create table publication_types (
  id uuid primary key, slug text not null constraint publication_types_slug_key unique, libelle text not null,
  position integer not null,
  -- Two administrators who change one at the same time must not overwrite each other.
  version integer not null default 1,
  updated_at timestamptz(3) not null default now()
);
create trigger publication_types_notify after insert or update or delete or truncate on publication_types
  for each statement execute function notify_change();
create trigger publication_types_touch before update on publication_types for each row execute function touch_row();
insert into publication_types (id, slug, libelle, position) values
  ('01998000-0000-7000-8000-000000000001', 'actualite', 'Actualité', 1),
  ('01998000-0000-7000-8000-000000000002', 'evenement', 'Événement', 2),
  ('01998000-0000-7000-8000-000000000003', 'annonce', 'Annonce', 3),
  ('01998000-0000-7000-8000-000000000004', 'alerte', 'Alerte', 4),
  ('01998000-0000-7000-8000-000000000005', 'travaux', 'Travaux', 5),
  ('01998000-0000-7000-8000-000000000006', 'association', 'Association', 6),
  ('01998000-0000-7000-8000-000000000007', 'commerce', 'Commerce', 7);

-- News, events, notices and alerts of acteurs.
create table publications (
  id uuid primary key, slug text not null, title text not null, body text not null,
  -- An import may have no acteur.
  acteur_id uuid constraint publications_acteur references acteurs,
  -- The first of its communes; publication_communes has all.
  commune_id uuid constraint publications_commune references communes,
  type_id uuid constraint publications_type references publication_types, date_debut date, date_fin date,
  source_url text, image_url text, epingle boolean not null default false,
  moderation_status text not null default 'pending', moderation_reason text,
  -- An administrator or moderator decided: no mairie reverses it, not even after later edits by the author.
  decided_centrally boolean not null default false,
  valide boolean not null default false, publie_le timestamptz(3), en_avant boolean not null default false,
  featured_until timestamptz(3), deleted_at timestamptz(3),
  created_by uuid constraint publications_created_by references users,
  -- Suspected duplicates share it: 'u:' and a digest of the normalised source_url if any, else 's:' and one of the content.
  duplicate_key text not null,
  -- Written by publications_words. As generated columns they would be computed again with every change.
  search tsvector,
  sort_title text collate "C", version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The hours of an event, by the clock in Paris, on its first and on its last day.
  heure_debut time(0), heure_fin time(0),
  constraint publications_status check (moderation_status in ('pending', 'approved', 'published', 'rejected')),
  constraint publications_title_length check (char_length(title) between 1 and 200),
  constraint publications_duplicate_key_form check (duplicate_key ~ '^[us]:[0-9a-f]{32}$'),
  constraint publications_dates_order check (date_fin >= date_debut),
  -- Featuring ends with its flag.
  constraint publications_featured_whole check (en_avant or featured_until is null),
  -- What is pending or rejected is not valid; what is published has its time, and may have been made invalid by hand.
  constraint publications_valid_status check (not valide or moderation_status in ('approved', 'published')),
  constraint publications_published_time check (moderation_status <> 'published' or publie_le is not null),
  -- An hour belongs to a day, and an end to a beginning.
  constraint publications_heure_debut_day check (heure_debut is null or date_debut is not null),
  constraint publications_heure_fin_start check (heure_fin is null or heure_debut is not null),
  -- Hours and minutes, as responses show them.
  constraint publications_heures_minutes
    check (heure_debut < '24:00' and heure_fin < '24:00' and extract(second from heure_debut) = 0
    and extract(second from heure_fin) = 0),
  -- On one day the end comes after the beginning; 00:00 is then the end of that day.
  constraint publications_heures_order
    check (heure_fin > heure_debut or heure_fin = '00:00' or coalesce(date_fin > date_debut, false))
);
create index publications_search on publications using gin (search); -- The search by words.
create index publications_slug on publications (slug); -- Pages of the public site.
-- Each search reads all entries that are not sorted in yet: few, so that it is quick after many changes too.
alter index publications_search set (gin_pending_list_limit = 256);
-- The back-office list by each of its filters. Included columns are counted or sorted without reading the rows.
create index publications_by_status on publications (moderation_status, created_at desc, id desc)
  include (deleted_at, valide, publie_le);
create index publications_by_type on publications (type_id, created_at desc, id desc)
  include (deleted_at, valide, moderation_status, date_debut);
create index publications_deleted on publications (created_at desc, id desc) where deleted_at is not null;
create index publications_en_avant on publications (created_at desc, id desc) where en_avant;
create index publications_invalid on publications (created_at desc, id desc)
  include (deleted_at, moderation_status, publie_le) where not valide;
-- The back-office list by each of its sorts: deleted rows and earlier pages are passed over in the index alone.
create index publications_by_created on publications (created_at desc, id desc) include (deleted_at);
create index publications_by_updated on publications (updated_at desc, id desc) include (deleted_at);
create index publications_by_publie on publications (publie_le desc nulls last, id desc) include (deleted_at);
create index publications_by_publie_upwards on publications (publie_le, id) include (deleted_at);
create index publications_by_date on publications (date_debut desc nulls last, id desc) include (deleted_at);
create index publications_by_date_upwards on publications (date_debut, id) include (deleted_at);
create index publications_by_title on publications (sort_title, id) include (deleted_at);
-- The next time at which a publication stops being featured.
create index publications_featured_until on publications (featured_until) where en_avant and featured_until is not null;
-- The dashboard and the list of approved publications without a publication time.
create index publications_unscheduled on publications (created_at desc, id desc)
  where moderation_status = 'approved' and valide and publie_le is null and deleted_at is null;
-- What one person wrote, newest first; the foreign key.
create index publications_by_author on publications (created_by, created_at desc, id desc)
  include (deleted_at) where created_by is not null;
-- An acteur's newest publications and their status, from the index alone.
create index publications_of_acteur on publications (acteur_id, created_at desc, id desc)
  include (deleted_at, moderation_status);
-- The members of a group of duplicates: few, sorted when read.
create index publications_of_duplicate_key on publications using hash (duplicate_key) where deleted_at is null;
create trigger publications_touch before update on publications
  for each row when (old.* is distinct from new.*) execute function increment_version();
create trigger publications_follow_merge before insert or update of acteur_id on publications
  for each row when (new.acteur_id is not null) execute function follow_merge();

-- All communes of a publication, the first one among them.
create table publication_communes (
  publication_id uuid not null constraint publication_communes_publication references publications on delete cascade,
  commune_id uuid not null constraint publication_communes_commune references communes,
  constraint publication_communes_pkey primary key (publication_id, commune_id)
);
-- The publications of a commune. Without their ids an entry serves many of them: a sixth of the size.
create index publication_communes_of_commune on publication_communes (commune_id);
create trigger publication_communes_notify after update or truncate on publication_communes
  for each statement execute function notify_change('publications', 'publications*');

-- Sizes of groups of suspected duplicates that are not deleted, from two members on, so that no list counts them.
create table duplicate_groups (
  duplicate_key text primary key, members integer not null,
  constraint duplicate_groups_members check (members >= 0)
);

-- Publications found to be distinct. A group is settled if its members, neither deleted nor rejected, share one decision.
create table distinct_publications (
  publication_id uuid primary key,
  -- No foreign key: decisions are deleted after some months, and what they found stays.
  decision_id uuid not null,
  constraint distinct_publications_publication foreign key (publication_id) references publications (id) on delete cascade
);

-- Reports by readers. The same caller counts once per publication and day.
create table publication_reports (
  id uuid primary key,
  publication_id uuid not null constraint publication_reports_publication references publications on delete cascade,
  -- The user, or a keyed digest of the address that changes every day.
  caller_key text not null,
  day date not null, category text, reason text, message text, closed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint publication_reports_category check (category in ('spam', 'inappropriate', 'wrong', 'duplicate', 'other'))
);
-- The open reports of a publication, and the publications that have some.
create index publication_reports_open on publication_reports (publication_id) where closed_at is null;
-- Retention.
create index publication_reports_closed on publication_reports (closed_at) where closed_at is not null;
-- One open report per caller, publication and day.
create unique index publication_reports_once on publication_reports (publication_id, caller_key, day) where closed_at is null;
-- The reports of a publication, newest first.
create index publication_reports_by_publication on publication_reports (publication_id, created_at desc, id desc);
-- Open reports, oldest first.
create index publication_reports_oldest on publication_reports (created_at, id)
  include (category, publication_id) where closed_at is null;
-- Export and erasure of a person.
create index publication_reports_by_reporter on publication_reports (caller_key);

-- Former and present titles and texts of publications.
create table publication_versions (
  id uuid primary key,
  publication_id uuid not null constraint publication_versions_publication references publications on delete cascade,
  title text not null, body text not null,
  -- Null: an import, or an unknown author.
  written_by uuid constraint publication_versions_written_by references users,
  written_at timestamptz(3) not null, how text not null,
  constraint publication_versions_how check (how in ('created', 'edited', 'corrected', 'imported'))
);
-- The history of one publication, newest first.
create index publication_versions_by_publication on publication_versions (publication_id, written_at desc, id desc);
-- Export and erasure of a person; the foreign key.
create index publication_versions_by_author on publication_versions (written_by, id) where written_by is not null;
-- Retention.
create index publication_versions_by_age on publication_versions (written_at);

-- Mails that tell authors of decisions and corrections.
create table publication_mails (
  id uuid primary key,
  publication_id uuid not null constraint publication_mails_publication references publications on delete cascade,
  -- The decision that the author is informed of; null: a correction.
  decision_id uuid,
  kind text not null, email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  -- What the author is told about a correction.
  reason text,
  constraint publication_mails_kind check (kind in ('rejected', 'corrected')),
  constraint publication_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- An undo deletes the mails of its decision.
create index publication_mails_by_decision on publication_mails (decision_id) where decision_id is not null;
-- The foreign key.
create index publication_mails_by_publication on publication_mails (publication_id);
-- Mails to send, and those whose result is unknown.
create index publication_mails_open on publication_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- Retention.
create index publication_mails_by_age on publication_mails (created_at);
-- The back-office list of mails: those of a status, newest first.
create index publication_mails_by_status on publication_mails (email_status, email_status_at desc, id desc);

-- Decisions of moderators, so that they can be undone.
create table decisions (
  id uuid primary key,
  -- Kind of all its records.
  kind text not null,
  action text not null, decided_by uuid not null constraint decisions_decided_by references users,
  decided_at timestamptz(3) not null default now(), undone_by uuid constraint decisions_undone_by references users,
  undone_at timestamptz(3),
  -- What it decided, for the list of a person's latest decisions.
  outcome text,
  constraint decisions_kind check (kind in ('publication', 'claim')),
  -- Both or neither.
  constraint decisions_undone_whole check ((undone_by is null) = (undone_at is null)),
  constraint decisions_outcome check (outcome in ('pending', 'approved', 'published', 'rejected'))
);
-- A person's own decisions, newest first.
create index decisions_by_user on decisions (decided_by, id desc);
-- Retention.
create index decisions_by_age on decisions (decided_at);

-- The records of a decision.
create table decision_items (
  decision_id uuid not null constraint decision_items_decision references decisions on delete cascade,
  -- The record. Its table depends on the kind, so there is no foreign key.
  record_id uuid not null,
  -- Order of the decisions on one record, assigned while it is locked.
  seq bigint generated always as identity,
  -- The version before and after the decision. An undo requires that the record still has the latter.
  version_before integer not null,
  version integer not null,
  -- What the undo restores.
  before jsonb not null,
  undone_at timestamptz(3),
  constraint decision_items_pkey primary key (decision_id, record_id),
  constraint decision_items_versions check (version >= version_before)
);
-- The decisions on one record, newest first.
create index decision_items_by_record on decision_items (record_id, seq desc);

-- Each word is named once, so that the index reads earlier words only where the last one matches.
create function publication_query(asked text) returns tsquery language sql immutable strict parallel safe begin atomic
  select case
    when numnode(last_stem) > 0 then others && (last_stem || beginning)
    -- The last word is one that French texts are full of: it says nothing beside others.
    when numnode(others) > 0 then others
    else nullif(beginning, ''::tsquery) end
  from (select btrim(plain_words(asked)) as words offset 0) as cut,
    lateral (select substring(words from '[^ ]*$') as last_word offset 0) as ending,
    lateral (
      select
        -- Not called without a word: it would send a notice.
        case when last_word = words then ''::tsquery
          else plainto_tsquery('pg_catalog.french', left(words, -char_length(last_word))) end as others,
        case when last_word = '' then ''::tsquery
          else plainto_tsquery('pg_catalog.french', last_word) end as last_stem,
        case when last_word = '' then ''::tsquery
          else plainto_tsquery('pg_catalog.simple', last_word) end as as_it_is offset 0) as read,
    lateral (
      select case when char_length(last_word) >= 3 and numnode(as_it_is) > 0
        then (as_it_is::text || ':*')::tsquery else as_it_is end as beginning offset 0) as begun;
end;

-- Removes the communes of a publication before it is deleted: its state says what they count for.
create function remove_communes() returns trigger language plpgsql as $$ begin
  delete from publication_communes where publication_id = old.id;
  return old;
end $$;
create trigger publications_remove_communes before delete on publications for each row execute function remove_communes();

-- Maintains the search vector and the sort key when title or body changed.
create function maintain_publication_words() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' or new.title <> old.title or new.body <> old.body then
    new.search := publication_search(new.title, new.body);
    new.sort_title := search_key(left(new.title, 100));
  end if;
  return new;
end $$;
create trigger publications_words before insert or update on publications
  for each row execute function maintain_publication_words();
-- Also for rows that are written as a replica writes them.
alter table publications enable always trigger publications_words;

-- Counts the groups of these keys again. The lock makes concurrent changes of a group wait: neither would see the other.
create function count_duplicate_groups(keys text[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$ begin
  if keys = '{}' then return; end if;
  -- The number of locks is limited: a change of a whole country takes one for all keys.
  if cardinality(keys) > 1000 then
    perform pg_advisory_xact_lock(20260230);
  else
    perform pg_advisory_xact_lock_shared(20260230);
    perform pg_advisory_xact_lock(20260230, hash) from (
      select distinct hashtext(key) as hash from unnest(keys) key order by hash) locks;
  end if;
  with counted as materialized (
    select duplicate_key, count(*)::integer as members from publications
    where duplicate_key = any(keys) and deleted_at is null group by duplicate_key having count(*) > 1),
  written as (
    insert into duplicate_groups as g (duplicate_key, members) select duplicate_key, members from counted
    on conflict (duplicate_key) do update set members = excluded.members where g.members <> excluded.members)
  delete from duplicate_groups
  where duplicate_key = any(keys) and duplicate_key not in (select duplicate_key from counted);
end $$;
