-- An e-mail address waits for its owner once. Addresses are compared with their ASCII letters folded and nothing else,
-- on every server alike: "İ" (U+0130) and "K" (U+212A) are no "i" and no "k".
drop index users_unbound_email_key;
create unique index users_unbound_email_key on users (lower(email collate "C")) where issuer is null;
