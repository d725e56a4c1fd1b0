-- outside a transaction
-- What somebody claimed by e-mail, for the account to which that address verifiably belongs, and for its erasure.
create index concurrently if not exists claims_by_email on claims (lower(email collate "C"), created_at desc, id desc)
where email is not null;
