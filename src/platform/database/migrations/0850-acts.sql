-- Acts that a mairie publishes by law. States: draft → published → superseded | archived | occulted; the first three of these may
-- become occulted. What is published never changes: triggers refuse it to the owner of the tables too.
create table acts (
  id uuid primary key,
  -- The mairie that holds it now: it follows merges.
  acteur_id uuid not null constraint acts_acteur references acteurs,
  state text not null default 'draft',
  kind text not null, number text, title text not null, date date not null,
  author_first_name text, author_name text, author_quality text,
  -- Code of the national nomenclature of subjects.
  subject text,
  -- About a person: search engines do not get it.
  individual boolean not null default false,
  -- The act that this one corrects, and the one that corrected this.
  supersedes uuid constraint acts_supersedes references acts,
  superseded_by uuid constraint acts_superseded_by references acts,
  -- Of its file, which occultation removes.
  sha256 text collate "C" not null, bytes integer not null, pages integer not null, has_text boolean not null,
  -- The mairie and the communes in whose name it was published. No foreign keys: these do not follow merges.
  published_by uuid, commune_ids uuid[] not null default '{}',
  published_at timestamptz(3), archived_at timestamptz(3), occulted_at timestamptz(3), occulted_reason text,
  created_at timestamptz(3) not null default now(),
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  constraint acts_state check (state in ('draft', 'published', 'superseded', 'archived', 'occulted')),
  constraint acts_kind check (kind in (
    'deliberation', 'arrete', 'decision', 'proces_verbal', 'liste_des_deliberations', 'budget', 'autre')),
  constraint acts_lengths check (char_length(title) between 1 and 500 and char_length(number) between 1 and 50
    and char_length(author_first_name) between 1 and 100 and char_length(author_name) between 1 and 100
    and char_length(author_quality) between 1 and 200 and char_length(occulted_reason) between 1 and 500),
  constraint acts_subject check (subject ~ '^[1-9]\.([1-9]|10)$'),
  constraint acts_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint acts_size check (bytes > 0 and pages > 0),
  -- A draft has nothing of what publication adds.
  constraint acts_draft check (state <> 'draft' or num_nonnulls(superseded_by, published_by, published_at) = 0),
  -- The law wants the author named.
  constraint acts_published check (state = 'draft' or (num_nonnulls(
    published_at, published_by, author_first_name, author_name, author_quality) = 5 and cardinality(commune_ids) > 0)),
  constraint acts_superseded check (state <> 'superseded' or superseded_by is not null),
  constraint acts_archived check (state <> 'archived' or archived_at is not null),
  constraint acts_occulted check (
    (state = 'occulted') = (occulted_at is not null) and (occulted_at is null) = (occulted_reason is null))
);
-- The mairie's own list, newest first.
create index acts_by_acteur on acts (acteur_id, id desc);
-- The public list.
create index acts_listed on acts (published_at desc, id desc) where state in ('published', 'superseded', 'occulted');
-- The acts of a commune.
create index acts_by_commune on acts using gin (commune_ids);
-- The foreign keys.
create index acts_by_supersedes on acts (supersedes) where supersedes is not null;
create index acts_by_superseded_by on acts (superseded_by) where superseded_by is not null;
-- A mairie gives a number once. The act that corrects one may have its number.
create unique index acts_number on acts (published_by, lower(number))
  where state in ('published', 'archived', 'occulted') and number is not null;
-- A mairie publishes a file once.
create unique index acts_file on acts (published_by, sha256) where state <> 'draft';

-- The files, byte for byte as they were sent, and their words for the search. Occultation removes the row.
create table act_files (
  act_id uuid primary key constraint act_files_act references acts on delete cascade,
  sha256 text collate "C" not null, bytes integer not null, content bytea not null,
  text text not null, words tsvector not null,
  constraint act_files_bytes check (bytes = octet_length(content)),
  -- The digest that is sealed is that of these bytes, whoever writes them.
  constraint act_files_sha256 check (sha256 = encode(sha256(content), 'hex')),
  constraint act_files_text check (octet_length(text) <= 200000)
);
-- They are compressed already.
alter table act_files alter column content set storage external;
-- The search in the texts.
create index act_files_by_words on act_files using gin (words);

-- The chain: what was published, in order. Anybody can verify it: seal = sha256(previous || sha256(record)).
create table act_seals (
  number bigint primary key,
  act_id uuid not null constraint act_seals_act unique references acts,
  sealed_at timestamptz(3) not null,
  -- The act as canonical JSON.
  record text not null,
  digest bytea not null, previous bytea not null, seal bytea not null,
  constraint act_seals_form check (number > 0 and digest = sha256(convert_to(record, 'UTF8'))
    and length(previous) = 32 and seal = sha256(previous || digest))
);
-- The seals of a day.
create index act_seals_by_time on act_seals (sealed_at);
create trigger act_seals_append_only before update or delete or truncate on act_seals
  for each statement execute function refuse_change();

-- A seal follows the last one: no fork, no gap, no earlier time.
create function check_act_seal() returns trigger language plpgsql as $$ declare
  last record;
begin
  select number, seal, sealed_at into last from public.act_seals order by number desc limit 1;
  if new.number <> coalesce(last.number, 0) + 1
    or new.previous <> coalesce(last.seal, decode(repeat('00', 32), 'hex'))
    or new.sealed_at < coalesce(last.sealed_at, '-infinity') then
    raise exception 'a seal follows the last one' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger act_seals_placed before insert on act_seals for each row execute function check_act_seal();

-- Refuses to change or delete a published act, apart from its state, and to publish one without its seal.
create function protect_act() returns trigger language plpgsql as $$ declare
  state_fields constant text[] :=
    array['state', 'superseded_by', 'archived_at', 'occulted_at', 'occulted_reason', 'acteur_id', 'version', 'updated_at'];
  -- In UTC, whatever the time zone of the session.
  is_past_term boolean :=
    clock_timestamp() at time zone 'UTC' >= old.published_at at time zone 'UTC' + interval '2 months';
begin
  if old.state = 'draft' then
    if tg_op = 'DELETE' then return old; end if;
    if new.state = 'draft' then return new; end if;
    if new.state = 'published' and exists (
      select from public.act_seals s join public.act_files f on f.act_id = s.act_id
      where s.act_id = new.id and s.sealed_at = new.published_at and f.sha256 = new.sha256
        and s.record::jsonb ->> 'sha256' = new.sha256) then
      return new;
    end if;
    raise exception 'an act is published with its seal' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'DELETE' or to_jsonb(new) - state_fields <> to_jsonb(old) - state_fields then
    raise exception 'a published act does not change' using errcode = 'insufficient_privilege';
  end if;
  -- Another mairie holds it only after a merge.
  if new.acteur_id <> old.acteur_id and new.acteur_id <> acteur_to_write_for(old.acteur_id) then
    raise exception 'a published act stays with its mairie' using errcode = 'insufficient_privilege';
  end if;
  if new.state = old.state then
    if (new.superseded_by, new.archived_at, new.occulted_at, new.occulted_reason)
      is distinct from (old.superseded_by, old.archived_at, old.occulted_at, old.occulted_reason) then
      raise exception 'a published act does not change' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if new.state = 'occulted' or (old.state = 'published' and new.state = 'superseded')
    or (old.state = 'published' and new.state = 'archived' and is_past_term) then
    return new;
  end if;
  raise exception 'a published act stays on line' using errcode = 'insufficient_privilege';
end $$;
create trigger acts_protect before update or delete on acts for each row execute function protect_act();
create trigger acts_kept before truncate on acts for each statement execute function refuse_change();

-- Refuses to exchange a file, to add one to a published act, and to delete one that neither a draft nor an occulted act has.
create function protect_act_file() returns trigger language plpgsql as $$ declare
  act_state text := (select state from public.acts where id = case when tg_op = 'INSERT' then new.act_id else old.act_id end);
begin
  if tg_op = 'INSERT' and act_state = 'draft' then return new; end if;
  -- The words of a draft follow its title.
  if tg_op = 'UPDATE' and act_state = 'draft' and new.act_id = old.act_id then return new; end if;
  -- Null: of an act that was deleted with it, which only a draft can be.
  if tg_op = 'DELETE' and coalesce(act_state, 'draft') in ('draft', 'occulted') then return old; end if;
  raise exception 'the file of a published act does not change' using errcode = 'insufficient_privilege';
end $$;
create trigger act_files_protect before insert or update or delete on act_files
  for each row execute function protect_act_file();
create trigger act_files_kept before truncate on act_files for each statement execute function refuse_change();

create trigger acts_follow_merge before insert or update of acteur_id on acts
  for each row execute function follow_merge();
create trigger acts_touch before update on acts for each row execute function touch_row('created_at');
create trigger acts_notify after insert or update or delete on acts
  for each statement execute function notify_change();
create trigger act_files_notify after insert or update or delete on act_files
  for each statement execute function notify_change();
create trigger act_seals_notify after insert on act_seals for each statement execute function notify_change();
