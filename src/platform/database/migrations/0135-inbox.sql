-- The support inbox: who handles a thread, replies that a colleague is still writing, and the undo of a send.

-- Who handles the thread; nobody at first. Validated in 0136.
alter table support_threads add column assignee_id uuid;
alter table support_threads add constraint support_threads_assignee foreign key (assignee_id) references users not valid;

-- What a reply changed in its thread, so that its undo restores it.
alter table support_messages
  add column reopened_thread boolean not null default false,
  add column read_thread boolean not null default false,
  -- A former attempt ended uncertain: the mail may have arrived, so the message cannot be deleted any more.
  add column may_have_arrived boolean not null default false;

create function note_uncertain_mail() returns trigger language plpgsql as $$
begin
  new.may_have_arrived := true;
  return new;
end $$;
-- Whichever route or job queues an uncertain mail again.
create trigger support_messages_may_have_arrived before update of email_status on support_messages for each row
  when (old.email_status = 'uncertain' and new.email_status <> 'uncertain')
  execute function note_uncertain_mail();

-- One draft per thread and colleague: two who write at once do not overwrite each other.
create table support_drafts (
  thread_id uuid not null constraint support_drafts_thread references support_threads on delete cascade,
  user_id uuid not null constraint support_drafts_user references users,
  body text not null,
  updated_at timestamptz(3) not null default now(),
  constraint support_drafts_pkey primary key (thread_id, user_id),
  constraint support_drafts_body_length check (char_length(body) between 1 and 10000)
);
-- Export and erasure of a colleague.
create index support_drafts_by_user on support_drafts (user_id, thread_id);
