import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertVerification } from './reading-queries.ts'
import { createSealer } from './rules.ts'
import { sealKey } from './seal.ts'

const secrets = [
  'the first key of the tests: long enough',
  'the second key of the tests: long enough',
] as const
const world = await openWorld({ env: { AUDIT_KEY: secrets[1] } })
const { as, db, database } = world
const admin = await as('admin')
const { signal } = new AbortController()
const [first, second] = secrets.map((secret) => sealKey(secret))

const record = () =>
  recordAudit(db, operator, {
    action: 'test.noted',
    kind: { entity: 'test', personal: [] },
    entityId: uuidv7(),
    before: null,
    after: { count: 1 },
  })
const seal = (...keys: (typeof first)[]) =>
  createSealer(
    db,
    keys.filter((key) => key !== undefined),
  )(signal, 120_000)
const read = async () => {
  const { status, text, body } = await admin.get('/admin/audit/seals')
  expect(status, text).toBe(200)
  return body.data
}
const lastEntry = async () =>
  (await db.selectFrom('audit_log').select('at').orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()).at

test('GET /admin/audit/seals returns 200 without times before anything is sealed or verified', async () => {
  await record()
  const state = await read()
  expect(state).toMatchObject({
    sealing: true,
    sealed_until: null,
    entries: 0,
    last_seal: null,
    faults: { total: 0, newest: [] },
    last_verification: null,
    keys: [],
  })
  expect(state.unsealed_since).not.toBeNull()
})

test('GET /admin/audit/seals returns until when the log is sealed, and since when it is not', async () => {
  await seal(first)
  const until = (await lastEntry()).toISOString()
  const sealed = await read()
  expect(sealed).toMatchObject({ sealed_until: until, unsealed_since: null, last_seal: { number: 1 } })
  expect(sealed.entries).toBeGreaterThan(0)
  await record()
  expect(await read()).toMatchObject({
    sealed_until: until,
    unsealed_since: (await lastEntry()).toISOString(),
  })
})

test('GET /admin/audit/seals lists the keys, newest first, and which of them the instance has', async () => {
  await seal(second, first)
  expect((await read()).keys).toMatchObject([
    { key_id: second?.id, first_seal: 2, last_seal: 2, known: true },
    { key_id: first?.id, first_seal: 1, last_seal: 1, known: false },
  ])
})

test('GET /admin/audit/seals returns the last verification and forged seals, which cover nothing', async () => {
  await insertVerification(db, { seals: 1, rows: 3, faults: 2 })
  await insertVerification(db, { seals: 2, rows: 4, faults: 0 })
  expect((await read()).last_verification).toMatchObject({ seals: 2, rows: 4, faults: 0 })
  await db.insertInto('audit_seal_faults').values({ number: 2, reason: 'altered' }).execute()
  expect(await read()).toMatchObject({
    last_seal: { number: 1 },
    faults: { total: 1, newest: [{ number: 2, reason: 'altered' }] },
    unsealed_since: expect.any(String),
  })
})

test.each(['support', 'moderator'] as const)('GET /admin/audit/seals returns 403 to %s', async (role) => {
  expect(await (await as(role)).get('/admin/audit/seals')).toBeError(403, 'admin_required')
})

test.each(['update audit_verifications set faults = 0', 'delete from audit_verifications'])(
  'verifications are append-only: %s',
  async (statement) => {
    for (const role of ['service', 'owner'] as const)
      await expect(run(database[role], statement)).rejects.toThrow(/permission denied|append-only/)
  },
)
