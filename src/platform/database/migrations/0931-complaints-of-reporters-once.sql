-- outside a transaction

alter table complaints validate constraint complaints_by;

-- One complaint a case and person.
create unique index concurrently if not exists complaints_once_reported on complaints (case_id, user_id)
  where case_id is not null;
