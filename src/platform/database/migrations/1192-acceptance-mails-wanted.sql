-- Whether somebody wants to be told that a publication of theirs was accepted.
alter table users add column acceptance_mails boolean not null default true;
