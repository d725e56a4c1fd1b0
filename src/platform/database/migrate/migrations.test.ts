import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isWhole } from '../../../../test/support/sample.ts'
import { cloneDatabase, run } from '../../../../test/support/world.ts'
import { StartError } from '../../config/start-error.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { Connection } from '../connection.ts'
import { onConnection } from '../connections/on-connection.ts'
import { migrate } from './migrate.ts'
import { applyMigrations } from './migrations.ts'

const folder = fileURLToPath(new URL('../migrations', import.meta.url))
const names = readdirSync(folder).map((file) => file.replace('.sql', ''))

/** Opens a migrated database and a function that starts with these files beside the real ones. */
async function openMigrated() {
  const { owner, service, superuser } = await cloneDatabase()
  const as = (role: typeof owner) => (statement: string) => run(role, statement).then(({ rows }) => rows)
  const start = async (files: Record<string, string> = {}): Promise<string | null> => {
    const copy = mkdtempSync(join(tmpdir(), 'parvis-migrations-'))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    cpSync(folder, copy, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, `${name}.sql`), text)
    return (await migrate(owner, service.user ?? '', async () => {}, copy)).later
  }
  const asOwner = as(owner)
  const applied = async () =>
    (await asOwner('select name from kysely_migration order by 1')).map(({ name }) => name)
  return {
    owner,
    service,
    superuser,
    start,
    asOwner,
    asService: as(service),
    asSuperuser: as(superuser),
    applied,
  }
}

const textOf = (name: string) => readFileSync(join(folder, `${name}.sql`), 'utf8')

test('refuses by name a migration that was edited after it was applied', async () => {
  const { start } = await openMigrated()
  const edited = start({ '0002-communes': `${textOf('0002-communes')}\n-- one line more` })
  await expect(edited).rejects.toThrow(
    new StartError(
      'The migration 0002-communes was edited since this database was migrated by it: put it back, and make the change in a new one.',
    ),
  )
  await expect(edited).rejects.toBeInstanceOf(StartError)
})

test('does not treat different line endings as an edit', async () => {
  const { start } = await openMigrated()
  await start(Object.fromEntries(names.map((name) => [name, textOf(name).replaceAll('\n', '\r\n')])))
})

test('a version that does not know the latest migration still starts, and says so', async () => {
  const { start, applied } = await openMigrated()
  expect(await start({ '9001-more': 'create table more ()' })).toBeNull()
  expect(await start()).toBe('9001-more')
  expect(await applied()).toContain('9001-more')
})

test('a version with a migration that a later version lacks is refused', async () => {
  const { start } = await openMigrated()
  await start({ '9002-more': 'create table more ()' })
  await expect(start({ '9001-other': 'create table other ()' })).rejects.toThrow(
    new StartError(
      'Another version has migrated this database (9002-more), without the migration 9001-other of this one: start a version that has both, or restore a backup from before.',
    ),
  )
})

test('a version from before a removal refuses to start after it, and one that no longer needs it starts', async () => {
  const { start, applied } = await openMigrated()
  const stopsUsing = { '9001-motto-apart': 'create table mottos ()' }
  const removes = { '9002-drop-motto.needs-9001': 'drop table if exists motto' }
  await start({ ...stopsUsing, ...removes })
  expect(await applied()).toContain('9002-drop-motto.needs-9001')
  await start(stopsUsing)
  await expect(start()).rejects.toThrow(
    new StartError(
      'A later version has migrated this database (9002-drop-motto.needs-9001) and removed what this version needs: start a version that has the migration 9001, or restore the backup from before the upgrade.',
    ),
  )
})

test('refuses a database of a version before the baseline, and changes nothing', async () => {
  const { start, asOwner, applied } = await openMigrated()
  await asOwner("update kysely_migration set name = '0001-communes' where name = '0001-functions'")
  const before = await applied()
  await expect(start({ '9001-more': 'create table more ()' })).rejects.toThrow(
    new StartError(
      'This database was made by Parvis 0.2.0 or earlier, whose migrations this version does not know (it lacks 0001-functions): docs/operations.md, "Upgrade", says which version brings it here.',
    ),
  )
  expect(await applied()).toEqual(before)
})

test('applies each migration separately: a failed one leaves nothing, earlier ones stay', async () => {
  const { start, asOwner, applied } = await openMigrated()
  const broken = start({
    '9001-good': 'create table good ()',
    '9002-broken': 'create table half (); select 1 / 0',
    '9003-after': 'create table after ()',
  })
  await expect(broken).rejects.toMatchObject({ code: '22012' })
  expect(await applied()).toEqual([...names, '9001-good'])
  expect(await asOwner("select to_regclass('half') as half, to_regclass('after') as after")).toEqual([
    { half: null, after: null },
  ])
  await start({ '9001-good': 'create table good ()', '9002-broken': 'create table half ()' })
  expect(await applied()).toEqual([...names, '9001-good', '9002-broken'])
})

const concurrently = {
  '9001-index': `-- outside a transaction
-- The newest first.
create table if not exists noted (at timestamptz);

drop index concurrently if exists noted_by_time;

create index concurrently noted_by_time on noted (at desc);
`,
}

test('the start after a crash completes a migration that runs outside a transaction', async () => {
  const { owner, start, asOwner, asSuperuser, applied } = await openMigrated()
  await asOwner('create table noted (at timestamptz)')
  const writer = new pg.Client(owner)
  await writer.connect()
  onTestFinished(() => writer.end())
  // The index build waits for running writers.
  await writer.query('begin; insert into noted values (now())')
  const crashed = expect(start(concurrently)).rejects.toThrow(
    'The database became unavailable during the start',
  )
  const [{ pid } = { pid: 0 }] = await untilSome(() =>
    asSuperuser(`
      select pid from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently noted%' and wait_event_type = 'Lock'`),
  )
  await asSuperuser(`select pg_terminate_backend(${pid})`)
  await crashed
  await writer.query('commit')
  const isValid = `select indisvalid as valid from pg_index where indexrelid = to_regclass('noted_by_time')`
  expect(await asOwner(isValid)).toEqual([{ valid: false }])
  expect(await applied()).toEqual(names)
  await start(concurrently)
  expect(await asOwner(isValid)).toEqual([{ valid: true }])
  expect(await applied()).toEqual([...names, '9001-index'])
})

test('five concurrent starts build an index concurrently without blocking each other', async () => {
  const { start, applied } = await openMigrated()
  await Promise.all(Array.from({ length: 5 }, () => start(concurrently)))
  expect(await applied()).toEqual([...names, '9001-index'])
})

test('a backup that waits for a migration does not block its index build', async () => {
  const { owner, start, asOwner, asSuperuser } = await openMigrated()
  await asOwner('create table noted (at timestamptz)')
  const writer = new pg.Client(owner)
  await writer.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin; insert into noted values (now())')
  const migrated = start(concurrently)
  const untilActive = (whose: string) =>
    untilSome(() =>
      asSuperuser(`select pid from pg_stat_activity where datname = current_database() and ${whose}`),
    )
  await untilActive("query like 'create index concurrently noted%' and wait_event_type = 'Lock'")
  const folder = mkdtempSync(join(tmpdir(), 'parvis-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const taken = takeBackup(owner, {}, join(folder, 'beside.backup'))
  await untilActive("application_name = 'parvis-backup' and query like '%advisory%'")
  await writer.query('commit')
  await migrated
  expect((await taken).tables).toBeGreaterThan(10)
})

test('a migration that finds a locked table backs off, lets readers through and succeeds later', async () => {
  const { owner, service, start, applied } = await openMigrated()
  const holder = new pg.Client(owner)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table publication_types in access share mode')
  const migrated = start({ '9001-more': 'alter table publication_types add column more int' })
  await untilSome(() =>
    run(
      owner,
      "select pid from pg_stat_activity where query like 'alter table pub%' and wait_event_type = 'Lock'",
    ).then(({ rows }) => rows),
  )
  // Would wait for the lock holder forever if the migration did not back off.
  await run(service, 'select from publication_types limit 1')
  await holder.query('rollback')
  await migrated
  expect(await applied()).toContain('9001-more')
})

/** Opens a transaction that has locked a table. */
async function lockTypes(owner: Connection) {
  const holder = new pg.Client(owner)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table publication_types in access share mode')
  return holder
}

async function applyMore(owner: Connection, patience: Parameters<typeof applyMigrations>[2]) {
  const copy = mkdtempSync(join(tmpdir(), 'parvis-migrations-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  cpSync(folder, copy, { recursive: true })
  writeFileSync(join(copy, '9001-more.sql'), 'alter table publication_types add column more int')
  const client = new pg.Client(owner)
  await client.connect()
  onTestFinished(() => client.end())
  return applyMigrations(onConnection(client), copy, patience)
}

test.runIf(isWhole)('a migration waits for as many transactions as come one after the other', async () => {
  const { owner } = await openMigrated()
  let holder = await lockTypes(owner)
  let pauses = 0
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const { applied } = await applyMore(owner, {
    say,
    tries: 2,
    pause: async () => {
      const before = holder
      if (++pauses < 3) holder = await lockTypes(owner)
      await before.query('commit')
    },
  })
  expect(applied).toEqual(['9001-more'])
  expect(pauses).toBe(3)
  expect(said).toEqual([
    expect.stringMatching(
      /^The migration 9001-more waits for a table that another transaction locks \(process \d+\): waiting$/,
    ),
  ])
})

test.runIf(isWhole)('a migration names the transaction for which it waited in vain', async () => {
  const { owner } = await openMigrated()
  const holder = await lockTypes(owner)
  const { rows } = await holder.query('select pg_backend_pid() as pid')
  const applying = applyMore(owner, { say: () => {}, tries: 2, pause: async () => {} })
  await expect(applying).rejects.toThrow(
    new StartError(
      `The migration 9001-more waits for a table that another transaction locks (process ${rows[0].pid}): end that transaction, and start again.`,
    ),
  )
})

test('a migration that PostgreSQL ends to resolve a deadlock is applied again', async () => {
  const { owner, superuser, start, applied } = await openMigrated()
  const holder = new pg.Client(superuser)
  await holder.connect()
  onTestFinished(() => holder.end())
  // PostgreSQL ends the one whose check finds the deadlock. On a busy machine, that of the migration may come too early.
  await holder.query("set deadlock_timeout = '1min'")
  await holder.query('begin; lock table support_threads in access share mode')
  const migrated = start({
    '9001-more':
      'alter table publication_types add column more int; alter table support_threads add column more int',
  })
  const waits = "query like 'alter table pub%' and wait_event_type = 'Lock'"
  await untilSome(() =>
    run(owner, `select pid from pg_stat_activity where ${waits}`).then(({ rows }) => rows),
  )
  // Waits for the migration, which waits for the other table.
  await holder.query('lock table publication_types in access share mode')
  await holder.query('rollback')
  await migrated
  expect(await applied()).toContain('9001-more')
})

test('ignores objects of others in the schema and grants the service nothing on them', async () => {
  const { start, asService, asSuperuser } = await openMigrated()
  await asSuperuser(`
    create table theirs ();
    create view their_view as select from theirs;
    create sequence their_numbers;
    create function theirs() returns int language sql return 1;
    create extension pg_buffercache;`)
  await start()
  for (const name of ['theirs', 'their_view', 'their_numbers', 'pg_buffercache'])
    await expect(asService(`select from ${name}`), name).rejects.toThrow('permission denied')
})

async function untilSome<T>(look: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const found = await look()
    if (found.length > 0) return found
    await sleep(20)
  }
}
