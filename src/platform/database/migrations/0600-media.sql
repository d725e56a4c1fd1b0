-- Pictures and documents. A record says whose it is and what it shows; its bytes are variants, which equal files share.
create table media (
  id uuid primary key,
  kind text not null,
  -- Null: of the administrators.
  acteur_id uuid constraint media_acteur references acteurs,
  -- Who sent it; null: a fetched one.
  created_by uuid constraint media_created_by references users,
  -- Digest of its variants.
  sha256 text collate "C" not null,
  alt text, decorative boolean not null default false, nom text,
  width integer, height integer,
  -- Size of all its variants.
  bytes bigint not null,
  -- Since when no record uses it; null while one does.
  unused_since timestamptz(3) default now(),
  created_at timestamptz(3) not null default now(),
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  constraint media_kind check (kind in ('image', 'document')),
  constraint media_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint media_alt_length check (char_length(alt) between 1 and 250),
  -- What is described is no decoration.
  constraint media_decorative check (not decorative or alt is null),
  constraint media_nom_length check (char_length(nom) between 1 and 200),
  constraint media_size check (width > 0 and height > 0 and bytes > 0)
);
-- The list of an acteur, newest first.
create index media_by_acteur on media (acteur_id, id desc);
-- Export and erasure of a person.
create index media_by_author on media (created_by, id) where created_by is not null;
-- Whether another record shares the variants.
create index media_by_sha256 on media (sha256);
-- The daily sweep.
create index media_unused on media (unused_since) where unused_since is not null;
create trigger media_touch before update on media
  for each row execute function touch_row('created_at', 'unused_since');
create trigger media_follow_merge before insert or update of acteur_id on media
  for each row execute function follow_merge();

-- The bytes. Whoever adds or removes some holds an advisory lock on their digest, so that equal files can share them.
create table media_variants (
  sha256 text collate "C" not null,
  -- The width it is named after: a small picture is never enlarged.
  width integer not null, format text not null,
  bytes integer not null, content bytea not null,
  constraint media_variants_pkey primary key (sha256, width, format),
  constraint media_variants_format check (format in ('avif', 'webp', 'jpeg', 'pdf')),
  constraint media_variants_bytes check (bytes = octet_length(content))
);
-- They are compressed already.
alter table media_variants alter column content set storage external;
