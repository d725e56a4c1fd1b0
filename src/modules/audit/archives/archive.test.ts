import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createSealer } from '../seals/rules.ts'
import { sealKey } from '../seals/seal.ts'
import { verifyAuditLog } from '../seals/verify.ts'
import { archiveMonths, restoreMonth, type Step } from './archive.ts'
import { archivedRows } from './archived.ts'
import { listArchives } from './queries.ts'

const key = sealKey('the key of the tests: long enough to be one')
const { signal } = new AbortController()
const until = new Date('2026-03-01')

/** A log with sealed entries of January, February and March, five each, in seals of two. */
async function openLog() {
  const { db, database } = await openWorld()
  const folder = await mkdtemp(join(tmpdir(), 'parvis-archives-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const owner = connect(database.owner, { warn: () => {} })
  onTestFinished(() => owner.close())
  for (const month of ['01', '02', '03'])
    for (let n = 0; n < 5; n++) {
      const acteur_id = `0199c9a3-5b8e-7cc1-9d2e-00000000000${n}`
      const after = { n, text: 'é "quoted"', half: 0.5, nom: 'Zoé Martin', ...(n > 0 && { acteur_id }) }
      const kind = { entity: 'test', personal: ['nom'] }
      await recordAudit(db, operator, {
        action: 'test.noted',
        kind,
        entityId: `${month}-${n}`,
        before: null,
        after,
      })
      // The service gives an entry the present time.
      await run(
        database.owner,
        `alter table audit_log disable trigger user;
         update audit_log set at = '2026-${month}-0${n + 1}T10:00:00.123Z' where entity_id = '${month}-${n}';
         alter table audit_log enable trigger user`,
      )
    }
  await createSealer(db, [key], { batch: 2 })(signal, 120_000)
  const rows = async () =>
    (
      await sql<object>`select id, seq, at, user_id, action, entity, entity_id, before, after, app_source, request_id, acteur_id
      from audit_log order by seq`.execute(db)
    ).rows
  const months = async () =>
    (await rows()).map((row) => `${(row as { entity_id: string }).entity_id}`.slice(0, 2))
  async function verify() {
    const faults: string[] = []
    const archived = archivedRows(folder, await listArchives(db))
    const { rows } = await verifyAuditLog(db, [key], [], (fault) => faults.push(fault), archived)
    return { rows, faults }
  }
  const archive = (reached?: (step: Step) => void) =>
    archiveMonths({ db: owner.db, keys: [key], folder, ...(reached && { reached }) }, until)
  const restore = (name: string, reached?: (step: Step) => void) =>
    restoreMonth({ db: owner.db, keys: [key], folder, ...(reached && { reached }) }, name)
  return { db, database, folder, rows, months, verify, archive, restore }
}

const intact = { rows: 15, faults: [] }

test('moves whole months into files, verifies across both, and restores what it moved', async () => {
  const { db, folder, rows, months, verify, archive, restore } = await openLog()
  const before = await rows()
  const made = await archive()
  // A seal of two entries belongs to the month of its second one.
  expect(made.map(({ name, rows }) => [name, rows])).toEqual([
    ['audit-2026-01-seal-1.jsonl.gz', 4],
    ['audit-2026-02-seal-3.jsonl.gz', 6],
  ])
  expect(await months()).toEqual(['03', '03', '03', '03', '03'])
  expect(await verify()).toEqual(intact)
  expect(await archive()).toEqual([])
  const [january, february] = made.map(({ name }) => name) as [string, string]
  expect((await stat(join(folder, january))).mode & 0o777).toBe(0o600)
  // The log goes on.
  await recordAudit(db, operator, {
    action: 'test.noted',
    kind: { entity: 'test', personal: [] },
    entityId: 'x',
    before: null,
    after: { n: 1 },
  })
  expect(await createSealer(db, [key])(signal, 120_000)).toMatchObject({ total: 16 })
  expect(await verify()).toEqual({ rows: 16, faults: [] })
  for (const name of [january, february]) expect((await restore(name)).name).toBe(name)
  expect((await rows()).slice(0, 15)).toEqual(before)
  expect(await listArchives(db)).toEqual([])
  expect(await verify()).toEqual({ rows: 16, faults: [] })
  // A month that was restored can be archived again, between others too.
  await archive()
  await restore(january)
  expect((await archive()).map(({ name }) => name)).toEqual([january])
  expect(await verify()).toEqual({ rows: 16, faults: [] })
})

test.each<[Step, number]>([
  ['written', 1],
  ['verified', 1],
  ['recorded', 1],
  ['removed', 1],
  ['removed', 2],
  ['written', 2],
  ['recorded', 2],
])('a crash after "%s" (the %d. time) loses nothing and doubles nothing', async (step, time) => {
  const { db, rows, verify, archive, restore } = await openLog()
  const before = await rows()
  let times = 0
  const crash = (reached: string) => {
    if (reached === step && ++times === time) throw new Error('crashed')
  }
  await expect(archive(crash)).rejects.toThrow('crashed')
  expect(await verify()).toEqual(intact)
  await archive()
  expect(await verify()).toEqual(intact)
  expect((await rows()).length).toBe(5)
  const archives = await listArchives(db)
  expect(archives.map(({ rows }) => rows)).toEqual([4, 6])
  await expect(
    restore(archives[1]?.name ?? '', () => {
      throw new Error('crashed')
    }),
  ).rejects.toThrow('crashed')
  expect(await verify()).toEqual(intact)
  for (const { name } of archives) await restore(name)
  expect(await rows()).toEqual(before)
  expect(await verify()).toEqual(intact)
})

test('names an archive that was edited, damaged or lost, and entries inserted in its place', async () => {
  const { database, folder, verify, archive, restore } = await openLog()
  const [january] = await archive()
  const { name = '' } = january ?? {}
  const file = join(folder, name)
  const bytes = await readFile(file)
  await writeFile(file, bytes.subarray(0, -9))
  expect((await verify()).faults).toEqual([`archive ${name}: edited`])
  await expect(restore(name)).rejects.toThrow('is not the file that was written')
  await rm(file)
  expect((await verify()).faults).toEqual([`archive ${name}: missing, or cannot be read`])
  await writeFile(file, bytes)
  expect(await verify()).toEqual(intact)
  await run(
    database.owner,
    `alter table audit_log disable trigger user;
     insert into audit_log (id, seq, action, entity, entity_id) values (gen_random_uuid(), 2, 'a', 'b', 'c')`,
  )
  expect((await verify()).faults).toEqual([expect.stringMatching(/^row .*: inserted \(position 2\)$/)])
})

test('archives nothing that was tampered with', async () => {
  const { database, db, months, archive } = await openLog()
  await run(
    database.owner,
    `alter table audit_log disable trigger user; update audit_log set action = 'test.other' where seq = 2`,
  )
  await expect(archive()).rejects.toThrow(/edited \(position 2\): verify the audit log/)
  expect([await listArchives(db), (await months()).length]).toEqual([[], 15])
})

test('the database lets nobody delete what is in no archive, and the service delete nothing', async () => {
  const { database, archive, restore } = await openLog()
  const [january] = await archive()
  await restore(january?.name ?? '')
  const remove = 'delete from audit_log where seq = 1'
  await expect(run(database.owner, remove)).rejects.toThrow('audit_log is append-only')
  await expect(run(database.service, remove)).rejects.toThrow('permission denied')
  await expect(run(database.service, 'delete from audit_archives')).rejects.toThrow('permission denied')
})

test('an archive holds no personal field, so that an erasure has nothing to erase in it', async () => {
  const { folder, archive } = await openLog()
  const [january] = await archive()
  const content = gunzipSync(await readFile(join(folder, january?.name ?? ''))).toString()
  expect(content).toContain('(personal)')
  expect(content).not.toMatch(/Zoé|Martin/)
})
