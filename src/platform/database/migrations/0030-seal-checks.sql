-- A seal stands at the end of the chain and covers entries that exist. Without this the service's role, which may insert
-- seals, could place one far beyond the log, or take the last possible number, and no later seal would find a place.
create function check_seal() returns trigger language plpgsql as $$
begin
  if new.number <> coalesce((select max(number) from public.audit_seals where number <> new.number), 0) + 1 then
    raise exception 'a seal takes the next number' using errcode = 'check_violation';
  end if;
  if new.last_seq > coalesce((select max(seq) from public.audit_log), 0) then
    raise exception 'a seal ends within the audit log' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger audit_seals_placed after insert on audit_seals for each row execute function check_seal();

-- Seals that failed their check when the next one was to be built on them. Each is reported once; the chain continues
-- from the last good seal before it.
create table audit_seal_faults (
  number bigint constraint audit_seal_faults_pkey primary key,
  found_at timestamptz(3) not null default now(),
  reason text not null,
  constraint audit_seal_faults_reason check (reason in ('altered', 'unknown_key'))
);
create trigger audit_seal_faults_append_only before update or delete or truncate on audit_seal_faults
  for each statement execute function refuse_change();

-- Where nothing was ever sealed, no instance has a key: their schedule and waiting job of the previous version go, since
-- instances without a key no longer take these jobs.
do $$
begin
  if to_regclass('pgboss.schedule') is not null and not exists (select from audit_seals) then
    delete from pgboss.schedule where name = 'audit.seal';
    delete from pgboss.job where name = 'audit.seal' and state < 'active';
  end if;
end
$$;
