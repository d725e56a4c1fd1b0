-- Who decided at the end of a case; null: nobody, or a rule, or before this was kept.
alter table report_cases add column decided_by uuid;
alter table report_cases add constraint report_cases_decided_by foreign key (decided_by) references users not valid;

-- Finds who decided when a case ends: the decision on its publication in the same transaction, whose time is the same.
create function name_decider_of_case() returns trigger language plpgsql as $$ begin
  select d.decided_by into new.decided_by
  from decision_items i join decisions d on d.id = i.decision_id
  where i.record_id = new.publication_id and d.decided_at = new.ended_at order by i.seq desc limit 1;
  return new;
end $$;
create trigger report_cases_decider before update on report_cases for each row
  when (old.ended_at is null and new.ended_at is not null) execute function name_decider_of_case();

-- Objections: of an author or owner to a statement of reasons, of a reporter to the outcome of a case.
create table complaints (
  id uuid primary key,
  statement_id uuid constraint complaints_statement references statements on delete cascade,
  case_id uuid constraint complaints_case references report_cases on delete cascade,
  user_id uuid constraint complaints_user references users,
  -- Null once the address is deleted.
  reporter_id uuid constraint complaints_reporter references reporters on delete set null,
  -- The publication, and its title when it was decided or reported.
  record_id uuid not null, title text not null,
  text text not null,
  -- Who decided what the complaint is about; null: a rule.
  decider_id uuid constraint complaints_decider references users,
  created_at timestamptz(3) not null default now(),
  decision text, answer text,
  -- What a reversal did.
  effect text,
  -- An administrator decides where there is no other moderator than the one who decided before.
  decided_as text, decided_by uuid constraint complaints_decided_by references users, decided_at timestamptz(3),
  version integer not null default 1, updated_at timestamptz(3) not null default now(),
  constraint complaints_about check (num_nonnulls(statement_id, case_id) = 1),
  constraint complaints_by check (case when case_id is null then user_id is not null and reporter_id is null else user_id is null end),
  constraint complaints_text_length check (char_length(text) between 20 and 5000),
  constraint complaints_decision check (decision in ('upheld', 'reversed')),
  constraint complaints_answer_length check (char_length(answer) between 1 and 5000),
  constraint complaints_effect check (effect in ('restored', 'already_lifted', 'changed_since', 'gone')),
  constraint complaints_decided_as check (decided_as in ('colleague', 'administrator')),
  -- One outcome, whole.
  constraint complaints_decided_whole check (num_nonnulls(decision, decided_as, decided_by, decided_at) in (0, 4)),
  -- A reversal has an effect, and nothing else has one.
  constraint complaints_reversed check ((decision is not distinct from 'reversed') = (effect is not null)),
  -- To be told no is to be told why.
  constraint complaints_answered check (
    case when decision is null then answer is null else decision = 'reversed' or answer is not null end),
  -- Whoever decided does not decide the complaint, and nobody decides their own.
  constraint complaints_same_person check (decided_by <> decider_id),
  constraint complaints_own check (decided_by <> user_id),
  -- One complaint a decision and person.
  constraint complaints_once unique (statement_id, user_id),
  constraint complaints_once_reporter unique (case_id, reporter_id)
);
-- The queue: open ones, oldest first.
create index complaints_open on complaints (created_at, id) where decided_at is null;
-- Lists of all, and of one outcome.
create index complaints_by_age on complaints (created_at, id);
create index complaints_by_decision on complaints (decision, created_at, id) where decided_at is not null;
-- Retention.
create index complaints_decided on complaints (decided_at) where decided_at is not null;
-- The foreign keys; what a person wrote.
create index complaints_by_user on complaints (user_id) where user_id is not null;
create index complaints_by_reporter on complaints (reporter_id) where reporter_id is not null;
create index complaints_by_decider on complaints (decider_id) where decider_id is not null;
create index complaints_by_decided_by on complaints (decided_by) where decided_by is not null;
create trigger complaints_touch before update on complaints for each row execute function touch_row();

-- Refuses to change the outcome of a complaint.
create function keep_complaint_outcome() returns trigger language plpgsql as $$ begin
  raise exception 'a complaint has one outcome' using errcode = 'check_violation', constraint = 'complaints_one_outcome';
end $$;
create trigger complaints_outcome before update on complaints for each row
  when (old.decided_at is not null and (old.decision, old.answer, old.effect, old.decided_as, old.decided_by, old.decided_at)
    is distinct from (new.decision, new.answer, new.effect, new.decided_as, new.decided_by, new.decided_at))
  execute function keep_complaint_outcome();

-- The mails about a complaint: receipt, answer, and the reversal to the others who were told of the decision.
create table complaint_mails (
  id uuid primary key,
  complaint_id uuid not null constraint complaint_mails_complaint references complaints on delete cascade,
  kind text not null,
  -- Null: the reporter.
  user_id uuid constraint complaint_mails_user references users,
  created_at timestamptz(3) not null default now(),
  email_status text not null default 'queued', email_status_at timestamptz(3) not null default now(),
  email_error text, email_tries integer not null default 0,
  constraint complaint_mails_kind check (kind in ('receipt', 'answer', 'reversed')),
  constraint complaint_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  -- One of a kind for each person: one answer.
  constraint complaint_mails_once unique nulls not distinct (complaint_id, kind, user_id)
);
-- Mails that are due, and those whose worker died.
create index complaint_mails_unsent on complaint_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The foreign key.
create index complaint_mails_by_user on complaint_mails (user_id) where user_id is not null;
