-- What a decision took from somebody's content, and by which ground: the statement of reasons that its author gets.
create table statements (
  id uuid primary key,
  -- No foreign key: decisions are deleted after some months. Null: decided without one, as on an acteur.
  decision_id uuid,
  -- The record. Its table depends on the entity, so there is no foreign key.
  entity text not null, record_id uuid not null, title text not null,
  restriction text not null,
  -- The ground as it was when it was given: code, label, text, kind, reference.
  ground jsonb not null,
  -- What the moderator wrote.
  reason text,
  by_report boolean not null default false,
  -- A machine found it; a person decided.
  by_machine boolean not null default false,
  decided_by uuid not null constraint statements_decided_by references users,
  decided_at timestamptz(3) not null default now(),
  -- The values that reversing it restores, as those of an undo.
  before jsonb not null,
  -- Undone or reversed.
  ended_at timestamptz(3),
  constraint statements_entity check (entity in ('publication', 'acteur')),
  constraint statements_restriction check (restriction in ('rejected', 'hidden', 'deleted', 'unfeatured', 'deactivated')),
  -- One statement for a decision and record.
  constraint statements_once unique (decision_id, record_id)
);
-- The statements about a record, newest first.
create index statements_by_record on statements (record_id, decided_at desc, id desc);
-- Retention; the numbers of a year.
create index statements_by_age on statements (decided_at);
-- Whether somebody decided it: the foreign key.
create index statements_by_decider on statements (decided_by);

-- An owner of the acteur; null: the author.
alter table publication_mails add column user_id uuid;
alter table publication_mails add constraint publication_mails_user foreign key (user_id) references users not valid;
alter table publication_mails drop constraint publication_mails_kind;
alter table publication_mails add constraint publication_mails_kind
  check (kind in ('rejected', 'corrected', 'hidden', 'deleted', 'unfeatured')) not valid;
