-- Mails of the inbox, each handled once: those that became a message of the support, and, for a month, all others.
create table received_mails (
  id uuid primary key,
  -- Where it lies, as IMAP numbers it.
  mailbox text not null, uid_validity bigint not null, uid bigint not null,
  outcome text not null,
  -- Finds a mail that arrives twice.
  fingerprint bytea,
  message_id uuid constraint received_mails_message references support_messages on delete cascade,
  -- Who sent it, as far as it is known, and the address, where it is another than that of the thread.
  sender text, from_address text,
  quoted text,
  attachments jsonb not null default '[]',
  problem text,
  created_at timestamptz(3) not null default now(),
  -- A mail is handled once.
  constraint received_mails_once unique (mailbox, uid_validity, uid),
  constraint received_mails_outcome check (
    outcome in ('message', 'report', 'auto_reply', 'loop', 'unmatched', 'flood', 'repeated')),
  -- Only a message has contents.
  constraint received_mails_contents check ((outcome = 'message') = (message_id is not null)
    and (message_id is null) = (sender is null) and (message_id is not null or num_nonnulls(from_address, quoted, problem) = 0)),
  constraint received_mails_sender check (sender in ('same', 'other', 'forged')),
  -- The address of the thread is not repeated.
  constraint received_mails_from check ((sender = 'same') = (from_address is null)),
  constraint received_mails_problem check (problem in ('too_large', 'unreadable'))
);
-- A mail that arrives twice is handled once.
create unique index received_mails_fingerprint on received_mails (fingerprint) where fingerprint is not null;
-- The mail of a message, and the cascade above.
create unique index received_mails_by_message on received_mails (message_id) where message_id is not null;
-- The addresses of a person.
create index received_mails_by_address on received_mails (lower(from_address collate "C")) where from_address is not null;
-- Those that are deleted after a month.
create index received_mails_old on received_mails (created_at) where message_id is null;
