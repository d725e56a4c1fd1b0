-- How often a page of the public site was read, by record and day. Numbers alone: nothing of who read it. A record that is
-- deleted and restored has its numbers again; without it, they go with their retention.
create table readings (
  kind text not null, record_id uuid not null,
  -- In Paris.
  day date not null,
  count integer not null,
  -- One row, to which all processes add.
  primary key (kind, record_id, day),
  constraint readings_kind check (kind in ('publication', 'page', 'acteur', 'commune', 'group')),
  -- A day without readings has no row.
  constraint readings_count check (count > 0)
);
-- The first day that is known, and retention.
create index readings_by_day on readings (day);
-- The last batch that each process has added: one that is sent again after a lost connection counts once.
create table reading_processes (
  id uuid primary key, batch integer not null, added_at timestamptz(3) not null default now()
);
