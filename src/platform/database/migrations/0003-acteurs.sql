-- Associations, shops, mairies, schools and other local actors.
create table acteurs (
  id uuid primary key, slug text not null, nom text not null, type text not null,
  commune_id uuid constraint acteurs_commune references communes, description text, adresse text, telephone text,
  email text, site_web text, valide boolean not null default false, badge text, active boolean not null default true,
  can_publish boolean not null default false, deleted_at timestamptz(3), version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  -- A space and the words of the name, as for communes: it also sorts as the name does.
  search_text text collate "C" generated always as (' ' || search_key(nom)) stored,
  -- A merged acteur keeps its row: its id and slug answer as the other for ever. States: null → merging (merged_into set,
  -- deleted_at null: a job moves what refers to it) → merged (deleted_at set: nothing refers to it). There is no way back.
  merged_into uuid, merged_at timestamptz(3),
  constraint acteurs_slug_key unique (slug),
  constraint acteurs_type check (type in ('association', 'commerce', 'mairie', 'ecole', 'service', 'autre')),
  constraint acteurs_badge_length check (char_length(badge) <= 50),
  -- Target of communes_mairie, which fixes the type too.
  constraint acteurs_id_type_key unique (id, type),
  -- Both or neither.
  constraint acteurs_merged_whole check ((merged_into is null) = (merged_at is null)),
  constraint acteurs_merged_elsewhere check (merged_into <> id),
  -- Only into an acteur of the same type. When that changes its type, what was merged into it follows.
  constraint acteurs_merged_into foreign key (merged_into, type) references acteurs (id, type) on update cascade
);
-- Only an acteur of type mairie can be named, and while it is named its type stays.
alter table communes add constraint communes_mairie
  foreign key (mairie_actor_id, mairie_actor_type) references acteurs (id, type);
-- The beginning of a word of the name.
create index acteurs_search on acteurs using gin (search_text gin_trgm_ops);
-- Lists are newest first, by id, and have an index for each filter that picks few of many.
create index acteurs_by_commune on acteurs (commune_id, id);
create index acteurs_by_type on acteurs (type, id);
create index acteurs_not_valid on acteurs (id) where not valide;
create index acteurs_inactive on acteurs (id) where not active;
create index acteurs_deleted on acteurs (id) where deleted_at is not null;
-- Totals by type.
create index acteurs_live on acteurs (type) where deleted_at is null;
-- By name: all, and those of a commune that are public.
create index acteurs_by_name on acteurs (search_text, id);
create index acteurs_public_by_name on acteurs (commune_id, search_text, id) where valide and active and deleted_at is null;
-- Acteurs that publish without moderation are few.
create index acteurs_publishing on acteurs (id) where can_publish;
create index acteurs_by_badge on acteurs (badge, id) where badge is not null;
-- Acteurs merged into one; the foreign key.
create index acteurs_by_merge on acteurs (merged_into, merged_at) where merged_into is not null;
-- Merges in progress, some of which may have lost their job.
create index acteurs_merging on acteurs (id) where merged_into is not null and deleted_at is null;
-- Finding a person by address.
create index acteurs_by_email on acteurs (lower(email collate "C")) where email is not null;
-- The list in the order of creation.
create index acteurs_by_created on acteurs (created_at, id);
create trigger acteurs_touch before update on acteurs for each row execute function touch_row('search_text');
create trigger acteurs_notify after insert or update or delete or truncate on acteurs
  for each statement execute function notify_change();

-- Nothing is merged into what is merged or deleted. The lock makes two merges wait for each other. A merge is not undone.
create function check_merge_target() returns trigger language plpgsql as $$ begin
  if old.merged_into is not null and new.merged_into is null then
    raise exception 'a merge is not undone' using errcode = 'check_violation', constraint = 'acteurs_merge_stays';
  end if;
  perform from acteurs where id = new.merged_into and merged_into is null and deleted_at is null for share;
  if not found or exists (select from acteurs where merged_into = new.id) then
    raise exception 'an acteur is merged into one that is not merged or deleted'
      using errcode = 'check_violation', constraint = 'acteurs_merge_target';
  end if;
  return new;
end $$;
create trigger acteurs_merge_target before update of merged_into on acteurs
  for each row when (old.merged_into is distinct from new.merged_into) execute function check_merge_target();

-- Redirects writes for a merged acteur to its target. The lock makes a merge wait for earlier writers, and later ones for it.
create function acteur_to_write_for(asked uuid) returns uuid language plpgsql as $$ declare other uuid; begin
  select merged_into into other from acteurs where id = asked for key share;
  return coalesce(other, asked);
end $$;

create function follow_merge() returns trigger language plpgsql as $$ begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  return new;
end $$;

create function follow_merge_of_mairie() returns trigger language plpgsql as $$ begin
  new.mairie_actor_id := acteur_to_write_for(new.mairie_actor_id);
  return new;
end $$;
create trigger communes_follow_merge before insert or update of mairie_actor_id on communes
  for each row when (new.mairie_actor_id is not null) execute function follow_merge_of_mairie();
