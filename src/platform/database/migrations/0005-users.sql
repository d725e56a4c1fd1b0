-- Accounts: of people who signed in, were added by e-mail, or were erased and are still referred to.
create table users (
  id uuid primary key,
  -- Who vouches for this user, and the name it uses. Both null: added by e-mail and not bound to an identity yet.
  issuer text, subject text,
  -- Information only: it proves nothing.
  email text,
  nom text, actif boolean not null default true,
  -- Tokens issued before are refused, and those that do not say when they were issued.
  tokens_valid_from timestamptz(3),
  last_seen_at timestamptz(3), version integer not null default 1, created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  search_text text collate "C"
    generated always as (' ' || search_key(coalesce(nom, '') || ' ' || coalesce(email, ''))) stored,
  -- Whether the identity provider says that the address is theirs.
  email_verified boolean not null default false,
  -- The person was erased: the row is a number that others refer to.
  erased_at timestamptz(3),
  -- The language of mails to somebody.
  langue text not null default 'fr',
  constraint users_identity_whole check ((issuer is null) = (subject is null)),
  constraint users_known check (issuer is not null or email is not null or erased_at is not null),
  -- Two concurrent first requests create one user.
  constraint users_identity_key unique (issuer, subject),
  constraint users_email_verified check (not email_verified or (email is not null and issuer is not null)),
  -- An erased account has no data left, and stays disabled.
  constraint users_erased_whole check (
    erased_at is null or (num_nonnulls(issuer, subject, email, nom, last_seen_at) = 0 and not actif)),
  constraint users_langue check (langue in ('fr', 'en'))
);
create index users_search on users using gin (search_text gin_trgm_ops);
create index users_disabled on users (id) where not actif;
create index users_active on users (actif) where actif;
-- An address waits for its owner once. Only ASCII letters are folded, on every server: "İ" and "K" are no "i" and "k".
create unique index users_unbound_email_key on users (lower(email collate "C")) where issuer is null;
-- The list of the back-office by each of its sorts; by address also for finding one.
create index users_by_name on users ((search_key(nom) collate "C"), id);
create index users_by_name_downwards on users ((search_key(nom) collate "C") desc nulls last, id desc);
create index users_by_email on users (lower(email collate "C"), id);
create index users_by_email_downwards on users (lower(email collate "C") desc nulls last, id desc);
create index users_by_last_seen on users (last_seen_at desc nulls last, id desc);
create index users_by_last_seen_upwards on users (last_seen_at, id);
-- Users who never signed in, also those of the own issuer: their old permissions lapse.
create index users_never_seen on users (id) where last_seen_at is null and (issuer is null or issuer = 'parvis');
-- The list, newest first. Ids are made earlier than rows, so they do not give this order.
create index users_by_created on users (created_at, id);
create trigger users_touch before update on users for each row execute function touch_row('last_seen_at', 'search_text');
-- Instances cache users between requests: a revocation of tokens must reach them too.
create trigger users_notify after update of actif, issuer, subject, erased_at, tokens_valid_from
  or delete or truncate on users for each statement execute function notify_change();

create table user_roles (
  user_id uuid not null constraint user_roles_user references users, role text not null,
  created_at timestamptz(3) not null default now(),
  constraint user_roles_pkey primary key (user_id, role),
  constraint user_roles_role check (role in ('admin', 'platform_admin', 'moderator', 'support'))
);
-- The users of a role.
create index user_roles_by_role on user_roles (role, user_id);
create trigger user_roles_notify after insert or update or delete or truncate on user_roles
  for each statement execute function notify_change();

-- Who may act for an acteur. An owner may do all; an editor what its permissions say.
create table actor_users (
  acteur_id uuid not null constraint actor_users_acteur references acteurs,
  user_id uuid not null constraint actor_users_user references users, role text not null,
  permissions text[] not null default '{}', created_at timestamptz(3) not null default now(),
  constraint actor_users_pkey primary key (acteur_id, user_id),
  constraint actor_users_role check (role in ('owner', 'editor')),
  constraint actor_users_permissions check (permissions <@ array['manage_publications', 'publish_publications'])
);
-- What a user may act for, read with each of its requests.
create index actor_users_by_user on actor_users (user_id);
create trigger actor_users_notify after insert or update or delete or truncate on actor_users
  for each statement execute function notify_change();
create trigger actor_users_follow_merge before insert or update of acteur_id on actor_users
  for each row execute function follow_merge();

-- What each colleague prefers in the back-office.
create table user_preferences (
  user_id uuid primary key constraint user_preferences_user references users, preferences jsonb not null,
  updated_at timestamptz(3) not null default now(),
  constraint user_preferences_size check (octet_length(preferences::text) <= 20000)
);

-- Filters of lists that a colleague named.
create table saved_views (
  id uuid primary key, user_id uuid not null constraint saved_views_user references users, list text not null,
  name text not null, query text not null,
  -- Colleagues with this role see it too.
  role text,
  created_at timestamptz(3) not null default now(),
  constraint saved_views_lengths check (char_length(list) between 1 and 40 and char_length(name) between 1 and 100
    and char_length(query) <= 2000),
  constraint saved_views_role check (role in ('admin', 'platform_admin', 'moderator', 'support'))
);
-- The views of a colleague, and those shared with a role.
create index saved_views_by_user on saved_views (user_id, id);
create index saved_views_shared on saved_views (role, id) where role is not null;
-- A person recognises a view by its name; also refuses the second of two concurrent requests.
create unique index saved_views_named on saved_views (user_id, list, name);

-- Who looks at which record of the back-office, for half a minute: shared by all instances, worth nothing after a crash.
create unlogged table presence (
  kind text not null,
  -- The record. Its table depends on the kind, so there is no foreign key.
  record_id uuid not null,
  user_id uuid not null constraint presence_user references users on delete cascade,
  seen_at timestamptz(3) not null default now(),
  constraint presence_pkey primary key (kind, record_id, user_id),
  constraint presence_kind check (kind in ('publication', 'acteur', 'commune', 'user', 'claim', 'thread',
    'import_source', 'subscription', 'defibrillateur'))
);
-- Each new row deletes old ones.
create index presence_by_age on presence (seen_at);
-- The foreign key.
create index presence_by_user on presence (user_id);

-- The last enabled admin stays. The lock makes two who remove each other wait: the second sees what the first did.
create function refuse_loss_of_last_admin() returns trigger language plpgsql as $$ begin
  perform pg_advisory_xact_lock(hashtext('parvis last admin'));
  if tg_table_name = 'users' then
    if not exists (select from user_roles where user_id = new.id and role = 'admin') then return null; end if;
  elsif not exists (select from users where id = old.user_id and actif) then
    return null;
  end if;
  if not exists (select from user_roles r join users u on u.id = r.user_id where r.role = 'admin' and u.actif) then
    raise exception 'the last admin stays' using errcode = 'check_violation', constraint = 'last_admin';
  end if;
  return null;
end $$;
create constraint trigger user_roles_last_admin after delete or update on user_roles
  for each row when (old.role = 'admin') execute function refuse_loss_of_last_admin();
create constraint trigger users_last_admin after update of actif on users
  for each row when (old.actif and not new.actif) execute function refuse_loss_of_last_admin();
