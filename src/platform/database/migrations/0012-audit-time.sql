-- When a change was made is PostgreSQL's to say: whoever may add a row to the trail must not be able to date it back.
create function stamp_audit() returns trigger language plpgsql as $$
begin
  new.at := clock_timestamp();
  return new;
end
$$;
create trigger audit_log_time before insert on audit_log for each row execute function stamp_audit();
