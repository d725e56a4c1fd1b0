-- The mail that says that a claim has come in. `id` is the claim: one has at most one.
create table claim_receipts (
  id uuid primary key constraint claim_receipts_claim references claims on delete cascade,
  created_at timestamptz(3) not null default now(),
  email_status text not null default 'queued',
  email_status_at timestamptz(3) not null default now(), email_error text, email_tries integer not null default 0,
  email_settled_at timestamptz(3),
  constraint claim_receipts_email_status check (email_status in ('queued', 'sending', 'sent', 'failed', 'uncertain'))
);
-- Mails to send, and those whose result is unknown.
create index claim_receipts_open on claim_receipts (email_status, email_status_at)
  where email_status in ('queued', 'sending', 'uncertain');
-- The back-office list of mails: those of a status, newest first.
create index claim_receipts_by_status on claim_receipts (email_status, email_status_at desc, id desc);
