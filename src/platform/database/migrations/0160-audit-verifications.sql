-- Complete verifications of the audit log against its seals, by `npm run audit -- verify`: the back-office shows the last.
create table audit_verifications (
  id bigint generated always as identity constraint audit_verifications_pkey primary key,
  at timestamptz(3) not null default clock_timestamp(),
  seals bigint not null,
  rows bigint not null,
  faults bigint not null,
  -- Counts of what was read and found.
  constraint audit_verifications_counts check (seals >= 0 and rows >= 0 and faults >= 0)
);
create trigger audit_verifications_append_only before update or delete or truncate on audit_verifications
  for each statement execute function refuse_change();
