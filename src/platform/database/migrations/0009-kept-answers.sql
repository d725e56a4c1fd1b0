-- What creating requests that carried an Idempotency-Key were answered, so that one sent again gets the same and nothing
-- is done twice. Written in the transaction of the change itself, and kept for a day.
create table kept_answers (
  -- A keyed digest of who asked, what for, and their key: none of these can be read from it.
  key text collate "C" constraint kept_answers_pkey primary key,
  -- Another body under the same key is refused.
  body_digest text not null,
  -- As text: the answer is given again as it was, its fields in the same order.
  answer json not null,
  -- Whose it is, so that it goes with them.
  user_id uuid,
  created_at timestamptz(3) not null default now()
);
-- What is older than a day goes.
create index kept_answers_by_age on kept_answers (created_at);
