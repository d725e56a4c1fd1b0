import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase, run } from '../../../test/support/world.ts'
import { StartError } from '../config/start-error.ts'
import { loadOnce } from './load-once.ts'
import { lockNumber, migrate, migrationsFolder } from './migrate/migrate.ts'
import { prepareDatabase, requirePrepared } from './prepare.ts'

const silent = () => {}

async function openPrepared() {
  const { owner, service, superuser } = await cloneDatabase()
  return { owner, service, superuser, start: () => requirePrepared(service, [], silent) }
}

async function expectUnready(starting: Promise<unknown>, fault: string): Promise<void> {
  const sentence = `The database that DATABASE_URL names is not ready, since ${fault}: run "npm run migrate" with MIGRATE_DATABASE_URL, the role that owns it, beside DATABASE_URL.`
  await expect(starting).rejects.toThrow(new StartError(sentence))
  await expect(starting).rejects.toBeInstanceOf(StartError)
}

test('the service role starts without the owner on a current schema', async () => {
  const { service, start } = await openPrepared()
  await start()
  const roles = { owner: null, service }
  const neverRuns = { names: [], fill: () => Promise.reject(new Error('it ran')) }
  expect(await prepareDatabase(roles, neverRuns, silent)).toBeNull()
})

test('a version with a newer migration does not start before it is applied; an older version starts', async () => {
  const { owner, service, start } = await openPrepared()
  const folder = mkdtempSync(join(tmpdir(), 'parvis-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(join(folder, '9001-more.sql'), 'create table more ()')
  const startLater = () => requirePrepared(service, [], silent, folder)
  await expectUnready(startLater(), 'the migration 9001-more has not been applied')
  await migrate(owner, service.user ?? '', async () => {}, folder)
  await startLater()
  const lines: string[] = []
  for (const role of [null, owner])
    await prepareDatabase({ owner: role, service }, { names: [], fill: async () => {} }, (line) =>
      lines.push(line),
    )
  const sentence =
    'A later version has migrated this database (9001-more): this version works on it, and does not use what was added'
  expect(lines).toEqual([sentence, sentence])
  await run(owner, `revoke all on more from ${service.user}`)
  await expectUnready(startLater(), `the role ${service.user} has no rights to its table more`)
  await start()
  writeFileSync(join(folder, '9001-more.sql'), 'create table more (id int)')
  await expect(startLater()).rejects.toThrow('The migration 9001-more was edited since')
})

test.each([
  ['drop schema public cascade; create schema public', 'the migration 0001-functions has not been applied'],
  ['drop schema pgboss cascade', 'the job tables do not exist'],
  ['update pgboss.version set version = version - 1', 'the job tables are of an earlier version'],
  [
    "insert into pgboss.bam (name, version, status, table_name, command) values ('x', 1, 'pending', 'job', 'select 1')",
    'the indexes of the jobs are not built',
  ],
])('does not start without the owner after "%s"', async (statement, fault) => {
  const { superuser, start } = await openPrepared()
  await run(superuser, statement)
  await expectUnready(start(), fault)
})

test('does not start without the owner while grants are missing, as after a restore', async () => {
  const { superuser, owner, service, start } = await openPrepared()
  await run(superuser, `revoke all on pgboss.schedule from ${service.user}`)
  await expectUnready(start(), `the role ${service.user} has no rights to its table pgboss.schedule`)
  await run(superuser, `revoke all on all tables in schema public from ${service.user}`)
  await expectUnready(start(), `the role ${service.user} has no rights to its tables`)
  await migrate(owner, service.user ?? '', async () => {})
  await start()
})

test('does not start without the owner before the initial data is loaded', async () => {
  const { owner, service } = await openPrepared()
  const start = () => requirePrepared(service, ['communes'], silent)
  await expectUnready(start(), 'the first load of communes has not been done')
  await migrate(owner, service.user ?? '', async (db) => {
    await loadOnce(db, 'communes', async () => {})
  })
  await start()
})

test('starts despite other objects that the owner created in the schema', async () => {
  const { owner, start } = await openPrepared()
  await run(owner, 'create table copy_of_communes as table communes')
  await start()
})

test('reports job tables of a later version, with and without the owner', async () => {
  const { owner, service, superuser, start } = await openPrepared()
  await run(superuser, 'update pgboss.version set version = version + 1')
  const later = 'The job tables (pgboss) are of a later version than this Parvis knows'
  await expect(start()).rejects.toThrow(later)
  await expect(migrate(owner, service.user ?? '', async () => {})).rejects.toThrow(later)
})

test('a start without the owner waits while an instance with the owner migrates', async () => {
  const { owner, service } = await openPrepared()
  const other = new pg.Client(owner)
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [lockNumber])
  await other.query("begin; delete from kysely_migration where name = '0009-kept-answers'")
  await other.query('commit')
  const { promise: waits, resolve: log } = Promise.withResolvers<string>()
  const started = requirePrepared(service, [], log)
  expect(await waits).toBe('Another process is migrating the database: waiting')
  await other.query("insert into kysely_migration (name, timestamp) values ('0009-kept-answers', now())")
  await other.end()
  await started
})
