-- Key pairs by which push services recognise this service (VAPID). A browser binds its subscription to the public key, so a pair
-- stays as long as subscriptions do. Another one is made only where SESSION_KEY opens none.
create table push_keys (
  id uuid primary key,
  -- As browsers take it: a point of P-256, base64url.
  public_key text not null,
  -- Encrypted under SESSION_KEY (AES-256-GCM), bound to the id.
  private_key bytea not null,
  -- The key of the encryption: rows of a former key are encrypted again.
  key_id text not null,
  created_at timestamptz(3) not null default now(),
  constraint push_keys_sealed check (length(private_key) > 28)
);
