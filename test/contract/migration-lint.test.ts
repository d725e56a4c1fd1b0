import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { neededBy } from '../../src/platform/database/migrate/migrations.ts'
import { lintMigration } from '../../tools/lint-migrations.ts'

const folder = 'src/platform/database/migrations'
/** The files before are the baseline: it creates the tables, so that none has rows. */
const heldFrom = '0100'

test('no migration locks a large table for long or removes what the previous version needs', () => {
  const files = readdirSync(folder).filter((file) => file >= heldFrom)
  for (const file of files)
    expect(lintMigration(readFileSync(join(folder, file), 'utf8'), parse(file).name), file).toEqual([])
})

test('a migration that removes something names an earlier migration of a version that no longer needs it', () => {
  const names = readdirSync(folder)
  for (const file of names) {
    const needed = neededBy(parse(file).name)
    if (needed === null) continue
    expect(names.some((name) => name.startsWith(`${needed}-`) && name < file)).toBe(true)
  }
  const removal = 'alter table publications drop column b;'
  expect(lintMigration(removal, '0210-drop-b')).toHaveLength(1)
  expect(lintMigration(removal, '0210-drop-b.needs-0195')).toEqual([])
  expect(lintMigration('create index a on publications (b);', '0210-drop-b.needs-0195')).toHaveLength(1)
})

test.each([
  'create index a on publications (b);',
  'create unique index a on publications (b);',
  'alter table publications add constraint a check (b > 0);',
  'alter table publications add constraint a foreign key (b) references communes (id);',
  'alter table publications add check (b > 0);',
  'alter table publications add column b uuid references communes (id);',
  'alter table publications add column b int check (b > 0);',
  'alter table publications add constraint a unique (b);',
  'alter table publications add primary key (b);',
  'alter table publications add constraint a exclude using gist (b with &&);',
  'alter table publications add column b int not null;',
  'alter table publications add column b int, add column c int not null;',
  'alter table publications add column b text generated always as (lower(c)) stored;',
  'alter table publications add column b uuid default gen_random_uuid();',
  'alter table publications alter column b type bigint;',
  'alter table publications alter b set data type bigint;',
  'alter table publications alter column b set not null;',
  'update publications set b = 1;',
  'delete from publications where b = 1;',
  'truncate publications;',
  'drop table publications;',
  'alter table publications drop column b;',
  'alter table publications rename column b to c;',
  'alter table publications rename to c;',
  'lock table publications;',
  'alter table app_sources drop column b;',
  'create index concurrently a on publications (b);',
  'alter table publications validate constraint a;',
  '-- outside a transaction\ncreate index a on publications (b);',
])('detects a planted fault: %s', (statement) => {
  expect(
    lintMigration(`create table mine (id int);\n${statement}`.replace(/^(create.*\n)(-- out.*\n)/, '$2$1')),
  ).toHaveLength(1)
})

test.each([
  'create table mine (id int not null check (id > 0)); create index a on mine (id); alter table mine add unique (id);',
  'alter table publications add column b int;',
  'alter table publications add column b int not null default 0;',
  'alter table publications add column b text default 0 not null;',
  "alter table publications add column b text not null default 'it''s; -- not null';",
  'alter table publications add constraint a check (b > 0) not valid;',
  'alter table publications add constraint a foreign key (b) references communes (id) not valid;',
  '-- outside a transaction\ncreate index concurrently a on publications (b);',
  '-- outside a transaction\nalter table publications validate constraint a;',
  'alter table publications add constraint a unique using index b;',
  'create function a() returns trigger language plpgsql as $$ begin update publications set b = 1; end $$;',
  'drop index a;',
  'drop table publications; create view publications as select 1;',
  '-- update publications set b = 1;\nalter table app_sources add check (code <> $$;$$);',
])('accepts statements without long locks: %s', (text) => {
  expect(lintMigration(text)).toEqual([])
})
