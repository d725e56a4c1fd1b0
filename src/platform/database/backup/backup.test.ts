// Round: rest, because it writes and restores whole databases.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { callsOfEachModule, openStage } from '../../../../test/support/route-calls.ts'
import { cloneDatabase, openWorld, run } from '../../../../test/support/world.ts'
import { StartError } from '../../config/start-error.ts'
import type { Connection } from '../connection.ts'
import { type BackupRecord, refuseOverwriting, writeBackup } from './backup-file.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = await openWorld()
const { database, as } = world
const admin = await as('admin')
const secrets = { jwtSecret: 'a secret that was kept' }

/** A database on a server where nothing of ours exists yet. */
async function emptyDatabase() {
  const { owner, service, superuser, name } = await cloneDatabase()
  await run(superuser, `drop schema public, pgboss cascade; create schema public authorization ${owner.user}`)
  return { owner: { ...owner, database: name }, service, superuser }
}

/** Returns a digest of every row of every table. */
async function contentOf(connection: Connection): Promise<Record<string, string>> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows: tables } = await client.query(
      `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname in ('public', 'pgboss') and relkind = 'r' and relname !~ '^kysely|^migration_digests' order by 1`,
    )
    const content: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from ${name} t`,
      )
      content[name] = rows[0].digest
    }
    return content
  } finally {
    await client.end()
  }
}

async function indexesOf(connection: Connection): Promise<string[]> {
  const { rows } = await run(
    connection,
    `select indexdef from pg_indexes where schemaname in ('public', 'pgboss') order by indexdef`,
  )
  return rows.map(({ indexdef }) => indexdef)
}

test('restores every row and index, including jobs, audit log, sequences and secrets', async () => {
  const stage = await openStage(world)
  for (const make of Object.values(await callsOfEachModule(stage))) await make()
  const file = join(folder, 'whole.backup')
  await takeBackup(database.owner, secrets, file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const fresh = await emptyDatabase()
  await restoreBackup(fresh, file)
  const restored = await contentOf(fresh.owner)
  // The time of a backup is recorded once it is complete, so a backup holds the time of the one before.
  expect(restored).toEqual({ ...(await contentOf(database.owner)), 'public.last_backup': '0 ' })
  expect(Object.values(restored).filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(12)
  expect((await checkBackup(file)).secrets).toEqual(secrets)
  expect(await indexesOf(fresh.owner)).toEqual(await indexesOf(database.owner))
  // The service works on it, and the audit log is append-only again.
  await run(fresh.service, 'select from communes limit 1')
  await expect(run(fresh.owner, 'delete from audit_log')).rejects.toThrow()
  await expect(refuseOverwriting(file)).rejects.toThrow('already exists')
})

test('a backup taken during writes shows one moment', async () => {
  const create = () => admin.post('/admin/acteurs', { nom: 'Club', type: 'association' })
  await create()
  const file = join(folder, 'busy.backup')
  // Stops halfway: after the acteurs, before the audit log.
  const holder = new pg.Client(database.superuser)
  await holder.connect()
  await holder.query('begin; lock table alertes')
  const taken = takeBackup(database.owner, secrets, file)
  const waiting = `select from pg_stat_activity where datname = current_database()
    and application_name = 'parvis-backup' and wait_event_type = 'Lock'`
  while (!(await run(database.superuser, waiting)).rowCount) await admin.get('/admin/acteurs')
  expect((await create()).status).toBe(201)
  await holder.query('commit')
  await holder.end()
  await taken
  const fresh = await emptyDatabase()
  await restoreBackup(fresh, file)
  // Each acteur and its audit entry were committed together.
  const { rows } = await run(
    fresh.owner,
    `select (select count(*) from acteurs where nom = 'Club') as acteurs,
       (select count(distinct entity_id) from audit_log l join acteurs a on a.id::text = l.entity_id::text
        where a.nom = 'Club' and action = 'acteur.create') as told,
       (select count(*) from audit_log where action = 'acteur.create' and entity_id::text not in (select id::text from acteurs)) as lost`,
  )
  expect(rows[0].told).toBe(rows[0].acteurs)
  expect(rows[0].lost).toBe(0)
  expect(rows[0].acteurs).toBe(1)
})

test('refuses a truncated, altered or foreign file before it writes anything', async () => {
  const whole = join(folder, 'to-break.backup')
  await takeBackup(database.owner, secrets, whole)
  const bytes = readFileSync(whole)
  const text = gunzipSync(bytes)
  const broken = {
    cut: bytes.subarray(0, bytes.length - 100),
    'cut between two records': gzipSync(text.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1)),
    changed: gzipSync(
      Buffer.from(text.toString('latin1').replace('"kind":"table"', '"kind":"tabla"'), 'latin1'),
    ),
    unreadable: gzipSync(Buffer.concat([Buffer.from('{"'), text])),
    longer: gzipSync(Buffer.concat([text, Buffer.from('{"kind":"table"}\n')])),
    none: Buffer.from('something else'),
    empty: Buffer.alloc(0),
  }
  for (const [what, content] of Object.entries(broken)) {
    const file = join(folder, what)
    writeFileSync(file, content)
    await expect(checkBackup(file), what).rejects.toThrow('is not a complete backup')
  }
  await expect(checkBackup(join(folder, 'absent'))).rejects.toThrow('cannot be read (ENOENT).')
  await expect(checkBackup(folder)).rejects.toThrow('cannot be read (EISDIR).')
  const file = join(folder, 'of another version')
  const line = text.subarray(0, text.indexOf('\n')).toString()
  await writeBackup(file, ofLine({ ...JSON.parse(line), migrations: { '9001-later': 'x' } }))
  await expect(checkBackup(file)).rejects.toThrow(
    'has another migration 9001-later: restore it with that version',
  )
})

test.each([
  ['its COPY is refused before its rows are sent', ['id', 'absent'], ['1\t2\n'], 'column "absent"'],
  ['its COPY is refused and it has no rows', ['id', 'absent'], [], 'column "absent"'],
  ['a row cannot be read', ['id'], ['not a number\n'], 'invalid input syntax'],
  [
    'a row is refused while others follow',
    ['id'],
    ['x\n', ...Array(20).fill('1\n'.repeat(100_000))],
    'invalid',
  ],
])('a restore fails with a sentence that names the table when %s', async (when, columns, rows, reason) => {
  const whole = join(folder, `whole-${when}`)
  await takeBackup(database.owner, secrets, whole)
  const text = gunzipSync(readFileSync(whole)).toString('latin1')
  const header = JSON.parse(text.slice(0, text.indexOf('\n')))
  const file = join(folder, `broken-${when}`)
  async function* records(): AsyncGenerator<BackupRecord> {
    yield header
    yield { kind: 'table', name: 'public.alerte_changes', columns }
    for (const row of rows) yield { kind: 'rows', bytes: Buffer.from(row) }
  }
  await writeBackup(file, records())
  const failure = await restoreBackup(await emptyDatabase(), file).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartError)
  expect((failure as Error).message).toContain(`${file} cannot be restored: `)
  expect((failure as Error).message).toContain(reason)
  expect((failure as Error).message).toMatch(/\(table public\.alerte_changes\)\.$/)
})

async function* ofLine(record: BackupRecord) {
  yield record
}
