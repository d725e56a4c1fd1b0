create table users (
  id uuid constraint users_pkey primary key,
  -- Who vouches for this user and what it calls it. Both null: made by e-mail, and not yet bound to an identity.
  issuer text,
  subject text,
  -- Information; it proves nothing.
  email text,
  nom text,
  actif boolean not null default true,
  -- Tokens issued before are refused, and those that do not say when they were issued.
  tokens_valid_from timestamptz(3),
  last_seen_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_identity_whole check ((issuer is null) = (subject is null)),
  constraint users_known check (issuer is not null or email is not null),
  -- Two first requests at once make one user.
  constraint users_identity_key unique (issuer, subject)
);
-- An e-mail address waits for its owner once.
create unique index users_unbound_email_key on users (lower(email)) where issuer is null;

create trigger users_touch before update on users for each row execute function touch_row('last_seen_at');

create table user_roles (
  user_id uuid not null constraint user_roles_user references users,
  role text not null,
  created_at timestamptz(3) not null default now(),
  constraint user_roles_pkey primary key (user_id, role),
  constraint user_roles_role check (role in ('admin', 'platform_admin', 'moderator', 'support'))
);
-- The users of a role.
create index user_roles_by_role on user_roles (role, user_id);

-- Somebody enabled always holds the role admin, once somebody has. Two who remove each other at the same moment are
-- put in a row by the lock: the second sees what the first did.
create function keep_last_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('parvis last admin'));
  if not exists (select from user_roles r join users u on u.id = r.user_id where r.role = 'admin' and u.actif) then
    raise exception 'the last admin stays' using errcode = 'check_violation', constraint = 'last_admin';
  end if;
  return null;
end
$$;

create constraint trigger user_roles_last_admin after delete or update on user_roles
  for each row when (old.role = 'admin') execute function keep_last_admin();
create constraint trigger users_last_admin after update of actif on users
  for each row when (old.actif and not new.actif) execute function keep_last_admin();

-- Who may act for an acteur. An owner may do all; an editor what its permissions say.
create table actor_users (
  acteur_id uuid not null constraint actor_users_acteur references acteurs,
  user_id uuid not null constraint actor_users_user references users,
  role text not null,
  permissions text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  constraint actor_users_pkey primary key (acteur_id, user_id),
  constraint actor_users_role check (role in ('owner', 'editor')),
  constraint actor_users_permissions check (permissions <@ array['manage_publications', 'publish_publications'])
);
-- What a user may act for, read with each of its requests.
create index actor_users_by_user on actor_users (user_id);

-- Who did what, when, from where. Rows are only ever added: the service's role has no other right, and triggers refuse
-- the rest even where the service enters as the owner.
create table audit_log (
  id uuid constraint audit_log_pkey primary key,
  -- When the change was made, not when its transaction began to wait for the record: the trail of one is in order.
  at timestamptz(3) not null default clock_timestamp(),
  -- No foreign key: the trail outlives what it speaks of. Null: a command, a job, or somebody not signed in.
  user_id uuid,
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb,
  app_source text,
  request_id text
);
-- The list, newest first, alone and by each of its filters.
create index audit_log_by_time on audit_log (at desc, id desc);
create index audit_log_by_entity on audit_log (entity, entity_id, at desc, id desc);
create index audit_log_by_user on audit_log (user_id, at desc, id desc);
create index audit_log_by_action on audit_log (action, at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
