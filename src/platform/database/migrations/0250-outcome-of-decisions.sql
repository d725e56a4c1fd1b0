-- The list of a person's latest decisions tells what each one decided.
alter table decisions add column outcome text;
alter table decisions add constraint decisions_outcome
  check (outcome in ('pending', 'approved', 'published', 'rejected')) not valid;
