-- What becomes of reports. A case begins with the first report of a publication and ends once, with all its reports; the
-- report that comes after begins another one.
create table report_cases (
  id uuid primary key default gen_random_uuid(),
  publication_id uuid not null constraint report_cases_publication references publications on delete cascade,
  opened_at timestamptz(3) not null default now(),
  ended_at timestamptz(3), outcome text,
  -- The ground of the decision, as statements store it; null: there is none.
  ground jsonb,
  -- A person of the team, those who manage the publication, or a rule that nobody applies by hand.
  ended_by text,
  -- What came after: the publication is public again, or the reports are open again, in another case.
  followed_by text, followed_at timestamptz(3),
  constraint report_cases_outcome check (outcome in (
    'kept', 'unfounded', 'corrected', 'rejected', 'duplicate', 'hidden', 'deleted', 'withdrawn', 'deactivated', 'expired')),
  constraint report_cases_ended_by check (ended_by in ('team', 'author', 'rule')),
  constraint report_cases_followed_by check (followed_by in ('restored', 'reopened')),
  -- A case that ends has an outcome.
  constraint report_cases_ended_whole check (num_nonnulls(ended_at, outcome, ended_by) in (0, 3)),
  -- Only what has ended can be taken back.
  constraint report_cases_followed_whole check (
    num_nonnulls(followed_at, followed_by) in (0, 2) and (followed_at is null or ended_at is not null))
);
-- One open case per publication: reports join it.
create unique index report_cases_open on report_cases (publication_id) where ended_at is null;
-- The cases of a publication; the cascade.
create index report_cases_by_publication on report_cases (publication_id);
-- Retention.
create index report_cases_ended on report_cases (ended_at) where ended_at is not null;

-- The addresses of those who report and want to know what becomes of it.
create table reporters (
  id uuid primary key,
  -- The address, the secret of its link and the name, encrypted under SESSION_KEY (AES-256-GCM), bound to the id.
  address bytea not null,
  -- HMAC of the address, by which it is found.
  address_digest bytea not null,
  -- The key of both: rows of a former key are encrypted again.
  key_id text not null,
  -- Its owner opened the link of a receipt.
  confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- One row per address.
  constraint reporters_address unique (address_digest),
  constraint reporters_sealed check (length(address) > 28 and length(address_digest) = 32)
);
-- Rows of a former key.
create index reporters_by_key on reporters (key_id, id);

-- Who waits for the outcome of which case: once, whatever number of reports.
create table case_reporters (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null constraint case_reporters_case references report_cases on delete cascade,
  reporter_id uuid not null constraint case_reporters_reporter references reporters on delete cascade,
  -- With which report they gave their address.
  report_id uuid not null constraint case_reporters_report references publication_reports on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint case_reporters_once unique (case_id, reporter_id)
);
-- What an address reported; the cascade.
create index case_reporters_by_reporter on case_reporters (reporter_id);
-- The addresses that a person gave while signed in; the cascade.
create index case_reporters_by_report on case_reporters (report_id);

-- The mails to reporters.
create table report_mails (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null, reporter_id uuid not null, kind text not null,
  created_at timestamptz(3) not null default now(),
  email_status text not null default 'queued', email_status_at timestamptz(3) not null default now(),
  email_error text, email_tries integer not null default 0,
  constraint report_mails_kind check (kind in ('receipt', 'outcome', 'followed')),
  constraint report_mails_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain')),
  -- One mail of a kind for each case and reporter: one outcome.
  constraint report_mails_once unique (case_id, reporter_id, kind),
  constraint report_mails_reporter foreign key (case_id, reporter_id) references case_reporters (case_id, reporter_id)
    on delete cascade on update cascade
);
-- The receipts of an address, which are limited.
create index report_mails_receipts on report_mails (reporter_id, created_at) where kind = 'receipt';
-- Mails that are due, and those whose worker died.
create index report_mails_unsent on report_mails (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');

-- The case of a report; null: reported before there were cases.
alter table publication_reports add column case_id uuid;
alter table publication_reports add constraint publication_reports_case
  foreign key (case_id) references report_cases not valid;
-- Why it was closed; null: open, or decided.
alter table publication_reports add column closed_as text;
alter table publication_reports add constraint publication_reports_closed_as
  check (closed_as in ('decided', 'unfounded', 'expired')) not valid;
