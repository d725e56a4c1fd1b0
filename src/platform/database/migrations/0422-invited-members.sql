-- A membership is a record of its own: those who manage a team change it by version. A member whose account nobody has
-- signed in to yet is invited, until a time: then the invitation is deleted. Null: has joined.
alter table actor_users
  add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now(),
  add column invited_until timestamptz(3);

create trigger actor_users_touch before update on actor_users for each row execute function touch_row('created_at');
