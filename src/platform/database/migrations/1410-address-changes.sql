-- Changes of the address of an account, which its former mailbox can undo for 72 hours. The link is derived from the id under
-- SESSION_KEY, not stored. An undo deletes the row, and those of later changes.
create table address_changes (
  id uuid primary key,
  -- Assigned while the user is locked: the order of its changes.
  position bigint generated always as identity,
  user_id uuid not null constraint address_changes_user references users,
  -- The address before, which gets the link.
  former_address text not null,
  -- When the session or the sign-in began that made the change: an undo removes the second factors added since.
  began_at timestamptz(3) not null,
  changed_at timestamptz(3) not null default now()
);
-- The changes of a user, and the foreign key.
create index address_changes_by_user on address_changes (user_id, position);
-- Those to delete.
create index address_changes_by_time on address_changes (changed_at);
