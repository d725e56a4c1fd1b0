-- An e-mail address waits for its owner once. Addresses are compared with their ASCII letters folded and nothing else,
-- on every server alike: "İ" (U+0130) and "K" (U+212A) are no "i" and no "k".
drop index users_unbound_email_key;
create unique index users_unbound_email_key on users (lower(email collate "C")) where issuer is null;

-- Whether the identity provider says that the address is theirs: shown beside it. Nobody has said so of a user whom no
-- identity is bound to yet.
alter table users add column email_verified boolean not null default false;
alter table users add constraint users_email_verified check (
  not email_verified or (email is not null and issuer is not null));

-- Whose rights nobody has come for yet: of those some lapse each night.
create index users_unbound on users (id) where issuer is null;
