-- When "npm run backup" last succeeded, for the system page: one row.
create table last_backup (
  one boolean not null default true constraint last_backup_pkey primary key constraint last_backup_one check (one),
  made_at timestamptz(3) not null,
  bytes bigint not null
);
