-- Keys that people make for programs. A key is valid until ended_at is set or expires_at has passed, and opens what its owner
-- may do at the time of the request, within its scopes.
create table access_keys (
  id uuid primary key, user_id uuid not null constraint access_keys_user references users,
  -- The one acteur that it acts for. Null: whatever its owner may do within the scopes.
  acteur_id uuid constraint access_keys_acteur references acteurs,
  name text not null, scopes text[] not null,
  -- The only application that it may name. Null: any.
  app_source text,
  -- SHA-256 of the key. The key before the last rotation is valid until former_until.
  digest bytea not null constraint access_keys_digest unique,
  former_digest bytea, former_until timestamptz(3),
  -- To within five minutes, and from which /24 or /48.
  last_used_at timestamptz(3), network text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null, ended_at timestamptz(3),
  version integer not null default 1, updated_at timestamptz(3) not null default now(),
  constraint access_keys_name_length check (char_length(name) between 1 and 100),
  constraint access_keys_network_length check (length(network) <= 100),
  constraint access_keys_digests check (length(digest) = 32 and length(former_digest) = 32),
  constraint access_keys_former check ((former_digest is null) = (former_until is null)),
  constraint access_keys_year check (expires_at <= created_at + interval '366 days'),
  constraint access_keys_scopes check (cardinality(scopes) > 0 and scopes <@ array['own.read', 'acteur.read', 'acteur.write',
    'publication.read', 'publication.write', 'publication.moderate', 'media.read', 'media.write', 'mairie.read', 'commune.write',
    'alerte.write', 'office.read', 'office.write']),
  -- A key of an acteur opens neither the account of its owner nor the back-office.
  constraint access_keys_of_acteur check (acteur_id is null or not scopes && array['own.read', 'office.read', 'office.write'])
);
-- A request with the key before the last rotation.
create unique index access_keys_by_former on access_keys (former_digest) where former_digest is not null;
-- The keys of a person, and what ends with a role or a membership.
create index access_keys_by_user on access_keys (user_id, id);
-- Keys to delete.
create index access_keys_by_expiry on access_keys (expires_at);
create index access_keys_by_end on access_keys (ended_at) where ended_at is not null;
create trigger access_keys_touch before update on access_keys
  for each row execute function touch_row('last_used_at', 'network');
create trigger access_keys_follow_merge before insert or update of acteur_id on access_keys
  for each row when (new.acteur_id is not null) execute function follow_merge();
-- Instances cache keys for a moment. What a lookup reads is notified, except when a key was last used.
create trigger access_keys_notify after update of digest, former_digest, former_until, ended_at, acteur_id
  or delete or truncate on access_keys for each statement execute function notify_change();

-- Ends the keys that act for an acteur which their owner has left, and those that act for all of the owner's. At the end of
-- the transaction: a merge moves members, and who is then a member of the target has left nothing.
create function end_keys_of_former_member() returns trigger language plpgsql as $$ begin
  update access_keys k set ended_at = now()
  where k.user_id = old.user_id and k.ended_at is null and (k.acteur_id is null or k.acteur_id = old.acteur_id)
    and not exists (select from actor_users m
      where m.user_id = old.user_id and m.acteur_id = acteur_to_write_for(old.acteur_id));
  return null;
end $$;
create constraint trigger actor_users_end_keys after delete on actor_users deferrable initially deferred
  for each row execute function end_keys_of_former_member();

-- Ends the keys with scopes of the back-office of people who have lost a role.
create function end_keys_of_former_colleagues() returns trigger language plpgsql as $$ begin
  update access_keys k set ended_at = now() from gone
  where k.user_id = gone.user_id and k.ended_at is null and k.scopes && array['office.read', 'office.write'];
  return null;
end $$;
create trigger user_roles_end_keys after delete on user_roles referencing old table as gone
  for each statement execute function end_keys_of_former_colleagues();

-- Ends the keys of an account that is disabled, or whose tokens are revoked.
create function end_keys_of_user() returns trigger language plpgsql as $$ begin
  update access_keys set ended_at = now() where user_id = new.id and ended_at is null;
  return null;
end $$;
create trigger users_end_keys after update of actif, tokens_valid_from on users for each row
  when (not new.actif or new.tokens_valid_from > coalesce(old.tokens_valid_from, '-infinity'))
  execute function end_keys_of_user();
