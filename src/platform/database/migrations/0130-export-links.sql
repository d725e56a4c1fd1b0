-- One-time addresses of CSV files: a browser cannot send `Accept: text/csv`. Each is valid for a minute, so that a crash
-- may empty the table.

create unlogged table export_links (
  id uuid constraint export_links_pkey primary key,
  -- SHA-256 of the last part of the address. The address serves only the user it was made for.
  token_hash bytea not null constraint export_links_token unique,
  user_id uuid not null constraint export_links_user references users on delete cascade,
  -- Path of the list below /admin/, and its filters as in an address.
  list text not null,
  query text not null,
  language text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint export_links_digest check (length(token_hash) = 32),
  constraint export_links_language check (language in ('fr', 'en')),
  constraint export_links_lengths check (char_length(list) between 1 and 200 and char_length(query) <= 2000)
);
-- The foreign key, and erasure of a person.
create index export_links_by_user on export_links (user_id);
-- Expired rows are deleted every hour.
create index export_links_by_expiry on export_links (expires_at);
