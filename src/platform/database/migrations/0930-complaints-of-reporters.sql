-- Who reported while signed in complains as that person, with or without an address.
alter table complaints drop constraint complaints_by;
alter table complaints add constraint complaints_by check (
  case when case_id is null then user_id is not null and reporter_id is null
    else num_nonnulls(user_id, reporter_id) <= 1 end) not valid;
