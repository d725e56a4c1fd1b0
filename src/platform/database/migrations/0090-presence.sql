-- Who looks at which record of the back-office, for half a minute: shared by all instances, and worth nothing after a crash.

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
