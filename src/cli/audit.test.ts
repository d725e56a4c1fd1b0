import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorld, run as runAs } from '../../test/support/world.ts'
import { findLastVerification } from '../modules/audit/seals/reading-queries.ts'
import { createSealer } from '../modules/audit/seals/rules.ts'
import { sealKey } from '../modules/audit/seals/seal.ts'
import { operator } from '../platform/access/caller.ts'
import { recordAudit } from '../platform/audit/record.ts'
import { run } from './audit.ts'
import { openCommandWorld } from './command.test-kit.ts'

const world = await openWorld()
const { db, database } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)
const secret = 'the key of the tests: long enough to be one'
const keyed = { ...env, AUDIT_KEY: secret }
const folder = await mkdtemp(join(tmpdir(), 'parvis-audit-'))
afterAll(() => rm(folder, { recursive: true }))

async function seal(rows: number) {
  const kind = { entity: 'test', personal: [] }
  for (let n = 0; n < rows; n++)
    await recordAudit(db, operator, {
      action: 'test.noted',
      kind,
      entityId: `${n}`,
      before: null,
      after: { n },
    })
  await createSealer(db, [sealKey(secret)])(new AbortController().signal, 120_000)
}
const file = async (content: string) => {
  const path = join(folder, 'anchors.jsonl')
  await writeFile(path, content)
  return path
}

test('anchor prints the last seal if there is one', async () => {
  expect(await call('anchor')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing is sealed without AUDIT_KEY'),
  })
  expect(await call('anchor', keyed)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no seal yet'),
  })
  await seal(3)
  const { code, stdout, stderr } = await call('anchor')
  expect({ code, stderr }).toEqual({ code: 0, stderr: named })
  expect(JSON.parse(stdout)).toMatchObject({ seal: 1, rows: 3, key: sealKey(secret).id })
})

test('verify exits with 0 for an intact log, also against stored anchors', async () => {
  const said = { code: 0, stdout: '3 rows in 1 seals are as they were sealed.\n', stderr: named }
  expect(await call('verify', keyed)).toEqual(said)
  const anchors = (await call('anchor')).stdout
  expect(await call(['verify', '--anchor', await file(`${anchors}\n${anchors}`)], keyed)).toEqual(said)
  const runs = await db.selectFrom('audit_verifications').select(['seals', 'rows', 'faults']).execute()
  expect(runs).toEqual([
    { seals: 1, rows: 3, faults: 0 },
    { seals: 1, rows: 3, faults: 0 },
  ])
})

test('verify exits with 1 and names tampered entries, and a truncation by the anchor', async () => {
  await seal(2)
  const anchors = await file((await call('anchor')).stdout)
  const asOwner = (statement: string) =>
    runAs(
      database.owner,
      `alter table audit_log disable trigger user; alter table audit_seals disable trigger user; ${statement}`,
    )
  await asOwner(
    'delete from audit_seals where number = 2; delete from audit_log where seq > (select last_seq from audit_seals)',
  )
  expect(await call('verify', keyed)).toMatchObject({ code: 0 })
  expect(await call(['verify', '--anchor', anchors], keyed)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^seal 2: truncated.*\n1 fault in 1 seals of 3 rows\.\n$/),
  })
  await asOwner("update audit_log set action = 'test.other'")
  expect(await call('verify', keyed)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^(row .*: edited .*\n){3}3 faults in 1 seals of 3 rows\.\n/),
  })
  expect(await findLastVerification(db)).toMatchObject({ seals: 1, rows: 3, faults: 3 })
})

test.each([
  ['', 'Name what to do: verify, anchor, archive, or restore and one file.'],
  ['seal', 'Name what to do: verify, anchor, archive, or restore and one file.'],
  ['restore --archives /tmp', 'Name what to do: verify, anchor, archive, or restore and one file.'],
  ['anchor --anchor x', '--anchor is no option of anchor.'],
  ['archive', 'Name the folder of the archives: --archives <folder>.'],
  ['archive --archives /nowhere', '/nowhere is no folder.'],
  ['archive --archives /tmp --keep 1', '--keep must be a number of months from 2 to 1200.'],
  ['verify --anchor /nowhere/x', 'The file /nowhere/x cannot be read (ENOENT).'],
  ['verify', 'Set AUDIT_KEY: the audit log is verified with it.'],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test.each(['', '{}', 'seal 1', '{"seal": 1, "rows": 1, "last_seq": 1, "mac": "x"}'])(
  'a file with "%s" is refused: exit code 2',
  async (content) => {
    const said = await call(['verify', '--anchor', await file(content)], keyed)
    expect(said).toMatchObject({ code: 2, stderr: expect.stringMatching(/(no|not an) anchor\.\n$/) })
  },
)

test('--help prints the usage; a key that is too short is refused', async () => {
  expect(await call('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run audit --') })
  expect(await call('verify', { ...env, AUDIT_KEY: 'short' })).toMatchObject({
    code: 2,
    stderr: 'AUDIT_KEY must be one or several keys of 32 bytes or more, separated by commas.\n',
  })
})

test('archive moves old months as the owner, verify reads them, restore brings them back', async () => {
  const { db, database } = await openWorld()
  const { call, env } = await openCommandWorld({ ...world, db, database }, run)
  const own = { ...env, AUDIT_KEY: secret }
  const kind = { entity: 'test', personal: [] }
  for (const entityId of ['old', 'new'])
    await recordAudit(db, operator, { action: 'test.noted', kind, entityId, before: null, after: { n: 1 } })
  await runAs(
    database.owner,
    `alter table audit_log disable trigger user;
     update audit_log set at = '2020-01-05T10:00:00Z' where entity_id = 'old';
     alter table audit_log enable trigger user`,
  )
  await createSealer(db, [sealKey(secret)], { batch: 1 })(new AbortController().signal, 120_000)
  const archives = await mkdtemp(join(tmpdir(), 'parvis-archives-'))
  const words = ['--archives', archives]
  const name = 'audit-2020-01-seal-1.jsonl.gz'
  expect(await call(['archive', ...words], { ...own, MIGRATE_DATABASE_URL: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Set MIGRATE_DATABASE_URL'),
  })
  expect(await call(['archive', ...words], own)).toMatchObject({ code: 0, stdout: `${name}: 1 rows\n` })
  expect((await call(['archive', ...words], own)).stdout).toMatch(
    /^No whole month before \d{4}-\d\d is in the log\.\n$/,
  )
  expect(await call('verify', own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name their folder, --archives <folder>'),
  })
  const intact = { code: 0, stdout: '2 rows in 2 seals are as they were sealed.\n' }
  expect(await call(['verify', ...words], own)).toMatchObject(intact)
  expect(await call(['restore', ...words, name], own)).toMatchObject({ code: 0 })
  expect(await call(['restore', ...words, name], own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Not done: ${name} is not an archive of this audit log.`),
  })
  expect(await call('verify', own)).toMatchObject(intact)
  await rm(archives, { recursive: true })
})
