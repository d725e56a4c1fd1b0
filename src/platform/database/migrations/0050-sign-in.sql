-- A browser in which somebody signed in. The row holds no value that opens anything: of the cookie it has a digest.
-- Which state a session is in follows from what is known at the moment it is used (see `platform/access/sessions.ts`):
--   second_factor  its user has a factor, and this session has not shown one;
--   enrolment      its user must have a factor, and has none;
--   signed_in      neither;
--   over           ended_at is set, expires_at has passed, or it was not used for eight hours.
create table sessions (
  id uuid constraint sessions_pkey primary key,
  user_id uuid not null constraint sessions_user references users,
  -- SHA-256 of the cookie's value.
  token_hash bytea not null constraint sessions_token_key unique,
  -- The value before the last confirmation, for requests of other tabs that are still under way.
  former_hash bytea,
  former_until timestamptz(3),
  method text not null,
  -- When this session showed a second factor.
  factor_at timestamptz(3),
  -- Until when deeds that need a fresh confirmation are open to it.
  confirmed_until timestamptz(3),
  -- Wrong second factors in a row.
  failures smallint not null default 0,
  -- Where and with what somebody signed in, as they recognise it: a /24 or /48, and the name of a browser.
  network text,
  browser text,
  -- SHA-256 of a value that the browser keeps for a year: tells a new device from a known one.
  device_hash bytea,
  created_at timestamptz(3) not null default now(),
  -- To within five minutes.
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint sessions_method check (method in ('email', 'operator', 'passkey', 'oidc')),
  constraint sessions_digests check (
    length(token_hash) = 32 and length(former_hash) = 32 and length(device_hash) = 32),
  constraint sessions_former check ((former_hash is null) = (former_until is null)),
  constraint sessions_texts check (length(network) <= 100 and length(browser) <= 100)
);
-- A request with the value before the last confirmation.
create index sessions_by_former on sessions (former_hash) where former_hash is not null;
-- The devices of a user, and all that end with it.
create index sessions_by_user on sessions (user_id, id);
-- Those that the clean-up deletes, and those that are counted as active.
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_end on sessions (ended_at) where ended_at is not null;

-- A proof, asked for by mail or by the operator, that somebody reads an address. Its link and its code are derived from
-- the id under SESSION_KEY when they are written out: neither the row nor the job holds them.
create table email_challenges (
  id uuid constraint email_challenges_pkey primary key,
  purpose text not null,
  -- Whom it lets in. Null: nobody has the address that was typed, and the address is not kept.
  user_id uuid constraint email_challenges_user references users,
  -- SHA-256 of the cookie of the browser that asked: the code works there alone.
  browser_hash bytea constraint email_challenges_browser_key unique,
  -- The session that confirms, or asks for a new address.
  session_id uuid constraint email_challenges_session references sessions on delete cascade,
  -- The new address, of a change; once it counts, the one before, which is told.
  address text,
  wrong_codes smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- When it let somebody in, or was withdrawn.
  closed_at timestamptz(3),
  constraint email_challenges_purpose check (purpose in ('sign_in', 'operator', 'confirmation', 'address')),
  constraint email_challenges_whole check (
    (purpose = 'sign_in') = (browser_hash is not null)
    and (session_id is null or purpose in ('confirmation', 'address'))
    and (session_id is not null or purpose <> 'confirmation')
    and (purpose = 'address') = (address is not null)
    and (purpose = 'sign_in' or user_id is not null)),
  constraint email_challenges_browser check (length(browser_hash) = 32),
  -- Five wrong codes void it.
  constraint email_challenges_codes check (wrong_codes between 0 and 5)
);
-- Those that are withdrawn when a user's sessions end.
create index email_challenges_by_user on email_challenges (user_id) where closed_at is null;
-- The one that a session waits for.
create index email_challenges_by_session on email_challenges (session_id) where session_id is not null;
create index email_challenges_by_expiry on email_challenges (expires_at);

-- An authenticator app. Its secret is encrypted under SESSION_KEY. A new app waits beside the one in use until its first
-- code is shown: whoever lost the old one and signed in by a recovery code can replace it.
create table totp_factors (
  user_id uuid constraint totp_factors_pkey primary key constraint totp_factors_user references users,
  secret bytea,
  confirmed_at timestamptz(3),
  pending_secret bytea,
  -- The last step of 30 s whose code was accepted: it and those before are never accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint totp_factors_confirmed check ((secret is null) = (confirmed_at is null))
);

-- A passkey: a key pair whose private half stays with the authenticator.
create table passkeys (
  id uuid constraint passkeys_pkey primary key,
  user_id uuid not null constraint passkeys_user references users,
  credential_id text not null constraint passkeys_credential_key unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  label text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  constraint passkeys_label check (length(label) between 1 and 100)
);
create index passkeys_by_user on passkeys (user_id, id);

-- Challenges that an authenticator signed: each works once. They are made without a row; one that is used is kept until it
-- would have expired.
create table used_passkey_challenges (
  challenge text constraint used_passkey_challenges_pkey primary key,
  expires_at timestamptz(3) not null
);
create index used_passkey_challenges_by_expiry on used_passkey_challenges (expires_at);

-- One-time codes for who lost the other factors: SHA-256 of 80 random bits.
create table recovery_codes (
  id uuid constraint recovery_codes_pkey primary key,
  user_id uuid not null constraint recovery_codes_user references users,
  code_hash bytea not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint recovery_codes_key unique (user_id, code_hash),
  constraint recovery_codes_digest check (length(code_hash) = 32)
);

-- Instances keep looked-up sessions for a moment. Everything that a lookup reads announces its changes, except when
-- somebody was last seen.
create trigger sessions_told after update of token_hash, former_hash, former_until, factor_at, confirmed_until, ended_at
  or delete or truncate on sessions for each statement execute function tell_change();
create trigger users_told after update of actif, issuer, subject, erased_at or delete or truncate on users
  for each statement execute function tell_change();
create trigger user_roles_told after insert or update or delete or truncate on user_roles
  for each statement execute function tell_change();
create trigger actor_users_told after insert or update or delete or truncate on actor_users
  for each statement execute function tell_change();
create trigger totp_factors_told after update of confirmed_at or delete or truncate on totp_factors
  for each statement execute function tell_change();
create trigger passkeys_told after insert or delete or truncate on passkeys
  for each statement execute function tell_change();

-- The language of mails to somebody.
alter table users add column langue text not null default 'fr';
alter table users add constraint users_langue check (langue in ('fr', 'en')) not valid;
