-- Sign-ins that an identity provider answered: each `state` works once, on whatever instance. They are made without a
-- row; one that came back is kept until it would have expired.
create table used_oidc_states (
  -- SHA-256 of the state.
  state_hash bytea constraint used_oidc_states_pkey primary key,
  expires_at timestamptz(3) not null,
  constraint used_oidc_states_digest check (length(state_hash) = 32)
);
create index used_oidc_states_by_expiry on used_oidc_states (expires_at);

-- The ID token of a session, encrypted under SESSION_KEY: with it the provider's own session is ended at sign-out.
create table oidc_id_tokens (
  session_id uuid constraint oidc_id_tokens_pkey primary key
    constraint oidc_id_tokens_session references sessions on delete cascade,
  id_token bytea not null,
  constraint oidc_id_tokens_size check (length(id_token) <= 8192)
);
