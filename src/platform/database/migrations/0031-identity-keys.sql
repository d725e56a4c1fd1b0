-- Keys of the digests in erased_identities, the first one in use. They are made once and never change, so that neither a
-- new AUTH_JWT_SECRET nor another spelling of DATABASE_URL brings an erased account back.
create table identity_keys (
  id smallint constraint identity_keys_pkey primary key,
  key bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint identity_keys_form check (id > 0 and length(key) = 32)
);
