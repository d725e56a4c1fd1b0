-- Files to which months of the audit log were moved. Their seals stay in audit_seals, which verify the files. Only the owner
-- writes here: the service's role cannot make entries deletable.
create table audit_archives (
  -- The name of the file, without its folder.
  name text primary key,
  -- The seals whose entries are in the file, and the positions of these entries: after_seq < seq <= last_seq.
  first_seal bigint not null, last_seal bigint not null,
  after_seq bigint not null, last_seq bigint not null,
  rows bigint not null,
  sha256 bytea not null,
  archived_at timestamptz(3) not null default clock_timestamp(),
  constraint audit_archives_form check (
    first_seal <= last_seal and after_seq < last_seq and rows > 0 and length(sha256) = 32)
);

-- Deletes nothing of the audit log but entries that were archived. For the owner too, as refuse_change does for the rest.
create function refuse_delete_of_unarchived() returns trigger language plpgsql as $$ begin
  if not exists (
    select from public.audit_archives a where old.seq > a.after_seq and old.seq <= a.last_seq) then
    raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_archived before delete on audit_log
  for each row execute function refuse_delete_of_unarchived();
