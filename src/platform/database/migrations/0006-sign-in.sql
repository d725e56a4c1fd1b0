-- A browser in which somebody signed in. Of the cookie the row has only a digest. The state of a session is derived when it
-- is used (see platform/access/sessions.ts):
--   second_factor  its user has a factor, and this session has not shown one;
--   enrolment      its user must have a factor, and has none;
--   signed_in      neither;
--   over           ended_at is set, expires_at has passed, or it was not used for eight hours.
create table sessions (
  id uuid primary key, user_id uuid not null constraint sessions_user references users,
  -- SHA-256 of the cookie's value.
  token_hash bytea not null constraint sessions_token_key unique,
  -- The value before the last confirmation, for requests of other tabs that are under way.
  former_hash bytea, former_until timestamptz(3),
  method text not null,
  -- When this session showed a second factor.
  factor_at timestamptz(3),
  -- Until when actions that need a fresh confirmation are allowed.
  confirmed_until timestamptz(3),
  -- Wrong second factors in a row.
  failures smallint not null default 0,
  -- Where and with what somebody signed in: a /24 or /48, and the name of a browser.
  network text, browser text,
  -- SHA-256 of a value that the browser keeps for a year: tells a new device from a known one.
  device_hash bytea,
  created_at timestamptz(3) not null default now(),
  -- To within five minutes.
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null, ended_at timestamptz(3),
  constraint sessions_method check (method in ('email', 'operator', 'passkey', 'oidc')),
  constraint sessions_digests check (length(token_hash) = 32 and length(former_hash) = 32 and length(device_hash) = 32),
  constraint sessions_former check ((former_hash is null) = (former_until is null)),
  constraint sessions_texts check (length(network) <= 100 and length(browser) <= 100)
);
-- A request with the value before the last confirmation.
create index sessions_by_former on sessions (former_hash) where former_hash is not null;
-- The devices of a user, and what ends with them.
create index sessions_by_user on sessions (user_id, id);
-- Sessions to delete, and those counted as active.
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_end on sessions (ended_at) where ended_at is not null;
-- Instances cache sessions for a moment. What a lookup reads is notified, except when somebody was last seen.
create trigger sessions_notify after update of token_hash, former_hash, former_until, factor_at, confirmed_until, ended_at
  or delete or truncate on sessions for each statement execute function notify_change();

-- A proof, by mail, that somebody reads an address. Link and code are derived from the id under SESSION_KEY, not stored.
create table email_challenges (
  id uuid primary key, purpose text not null,
  -- Who may sign in with it. Null: nobody has the address that was typed, and the address is not stored.
  user_id uuid constraint email_challenges_user references users,
  -- SHA-256 of the cookie of the browser that requested it: the code works there alone.
  browser_hash bytea,
  -- The session that confirms, or asks for a new address.
  session_id uuid constraint email_challenges_session references sessions on delete cascade,
  -- The new address, of a change; once it counts, the one before, which gets a mail.
  address text,
  wrong_codes smallint not null default 0, created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- When it was used or withdrawn.
  closed_at timestamptz(3),
  constraint email_challenges_purpose check (purpose in ('sign_in', 'operator', 'confirmation', 'address')),
  constraint email_challenges_whole check (
    (purpose = 'sign_in') = (browser_hash is not null)
    and (session_id is null or purpose in ('confirmation', 'address'))
    and (session_id is not null or purpose <> 'confirmation')
    and (purpose <> 'address' or address is not null)
    and (purpose in ('sign_in', 'address') or address is null)
    -- The address that nobody has is not kept.
    and (purpose = 'address' or address is null or user_id is not null)
    and (purpose = 'sign_in' or user_id is not null)),
  constraint email_challenges_browser check (length(browser_hash) = 32),
  -- Five wrong codes void it.
  constraint email_challenges_codes check (wrong_codes between 0 and 5)
);
-- Those that are withdrawn when a user's sessions end.
create index email_challenges_by_user on email_challenges (user_id) where closed_at is null;
-- The one that a session waits for.
create index email_challenges_by_session on email_challenges (session_id) where session_id is not null;
-- Those to delete.
create index email_challenges_by_expiry on email_challenges (expires_at);
-- A browser that requests a second mail keeps its cookie, so that the code of the first one still works there.
create index email_challenges_by_browser on email_challenges (browser_hash) where browser_hash is not null;

-- An authenticator app, its secret encrypted under SESSION_KEY. A new app waits beside the old until its first code is shown.
create table totp_factors (
  user_id uuid primary key constraint totp_factors_user references users, secret bytea, confirmed_at timestamptz(3),
  pending_secret bytea,
  -- The last step of 30 s whose code was accepted: neither it nor earlier ones are accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint totp_factors_confirmed check ((secret is null) = (confirmed_at is null))
);
create trigger totp_factors_notify after update of confirmed_at or delete or truncate on totp_factors
  for each statement execute function notify_change();

-- A passkey: a key pair whose private half stays with the authenticator.
create table passkeys (
  id uuid primary key, user_id uuid not null constraint passkeys_user references users,
  credential_id text not null constraint passkeys_credential_key unique, public_key bytea not null,
  counter bigint not null, transports text[] not null default '{}', label text not null,
  created_at timestamptz(3) not null default now(), last_used_at timestamptz(3),
  constraint passkeys_label check (length(label) between 1 and 100)
);
create index passkeys_by_user on passkeys (user_id, id);
create trigger passkeys_notify after insert or delete or truncate on passkeys for each statement execute function notify_change();

-- Challenges that an authenticator signed: each works once. Only used ones have a row, until they would have expired.
create table used_passkey_challenges (
  challenge text primary key, expires_at timestamptz(3) not null
);
create index used_passkey_challenges_by_expiry on used_passkey_challenges (expires_at);

-- One-time codes for who lost the other factors: SHA-256 of 80 random bits.
create table recovery_codes (
  id uuid primary key, user_id uuid not null constraint recovery_codes_user references users, code_hash bytea not null,
  used_at timestamptz(3), created_at timestamptz(3) not null default now(),
  constraint recovery_codes_key unique (user_id, code_hash),
  constraint recovery_codes_digest check (length(code_hash) = 32)
);

-- Answers of an identity provider: each state works once, on any instance. Only used ones have a row.
create table used_oidc_states (
  -- SHA-256 of the state.
  state_hash bytea primary key,
  expires_at timestamptz(3) not null,
  constraint used_oidc_states_digest check (length(state_hash) = 32)
);
create index used_oidc_states_by_expiry on used_oidc_states (expires_at);

-- The ID token of a session, encrypted under SESSION_KEY: sign-out ends the session of the provider with it.
create table oidc_id_tokens (
  session_id uuid primary key constraint oidc_id_tokens_session references sessions on delete cascade,
  id_token bytea not null,
  constraint oidc_id_tokens_size check (length(id_token) <= 8192)
);
