import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { operator } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import { uuidv7 } from '../../platform/uuid.ts'

const { as, db, commune, database } = await openWorld()
const admin = await as('admin')

const kind = { entity: 'commune', personal: [] }
const record = (entityId: string, action: string) =>
  recordAudit(db, operator, {
    action,
    kind,
    entityId,
    before: { a: 1, b: 2 },
    after: { a: 1, b: 3 },
  })

test('GET /admin/audit returns 200 with the newest first, by each filter', async () => {
  const id = uuidv7()
  await record(id, 'test.first')
  const between = new Date(Date.now() + 5).toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await record(id, 'test.second')
  const actions = async (query: string) => {
    const { status, body } = await admin.get(`/admin/audit?entity_id=${id}&${query}`)
    expect(status).toBe(200)
    return body.data.map(({ action }: { action: string }) => action)
  }
  expect(await actions('')).toEqual(['test.second', 'test.first'])
  expect((await admin.get(`/admin/audit?entity_id=${id.toUpperCase()}`)).body.data).toHaveLength(2)
  expect(await actions('action=test.first')).toEqual(['test.first'])
  expect(await actions('action=test.first,test.second')).toEqual(['test.second', 'test.first'])
  expect(await actions('action=test.first&action=test.third')).toEqual(['test.first'])
  expect(await actions('sort=at_asc')).toEqual(['test.first', 'test.second'])
  expect(await actions('sort=at_desc')).toEqual(['test.second', 'test.first'])
  const { body: all } = await admin.get(`/admin/audit?entity_id=${id}`)
  expect(await actions(`ids=${all.data[1].id},${uuidv7()}`)).toEqual(['test.first'])
  expect(await actions('entity=commune')).toHaveLength(2)
  expect(await actions('entity=user,commune')).toHaveLength(2)
  expect(await actions('entity=user')).toEqual([])
  expect(await actions(`since=${between}`)).toEqual(['test.second'])
  expect(await actions(`until=${between}`)).toEqual(['test.first'])
  expect(await actions(`user_id=${uuidv7()}`)).toEqual([])
  const { body } = await admin.get(`/admin/audit?entity_id=${id}&per_page=1&page=2`)
  expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2, next: null })
  expect(body.data[0]).toMatchObject({
    action: 'test.first',
    user_id: null,
    before: { b: 2 },
    after: { b: 3 },
  })
})

test('GET /admin/audit returns 200 and an empty page without matching entries', async () => {
  const { body } = await admin.get('/admin/audit?action=never')
  expect(body).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 0, next: null },
  })
})

const unreadable = [
  'sort=action_asc',
  'ids=1',
  'since=yesterday',
  'until=2016-12-31T23:59:60Z',
  'user_id=1',
  'page=0',
]
test.each(unreadable)('GET /admin/audit returns 422 for %s', async (query) => {
  expect(await admin.get(`/admin/audit?${query}`)).toBeError(422, 'validation_failed')
})

test.each(['support', 'moderator'] as const)('the audit log is not accessible to %s', async (role) => {
  expect(await (await as(role)).get('/admin/audit')).toBeError(403, 'admin_required')
})

test.each([
  ["update audit_log set action = 'x'", 'service'],
  ['delete from audit_log', 'service'],
  ['truncate audit_log', 'service'],
  ["update audit_log set action = 'x'", 'owner'],
  ['delete from audit_log', 'owner'],
  ['truncate audit_log', 'owner'],
] as const)('the audit log is append-only: %s, as %s', async (statement, role) => {
  await record(uuidv7(), 'test.kept')
  await expect(run(database[role], statement)).rejects.toThrow(/permission denied|append-only/)
})

test('a change and its audit entry are committed together or not at all', async () => {
  const { id } = await commune()
  const failing = db.transaction().execute(async (tx) => {
    await tx.updateTable('communes').set({ population: 7 }).where('id', '=', id).execute()
    await record(id, 'test.rolled-back')
    throw new Error('crash')
  })
  await expect(failing).rejects.toThrow('crash')
  const { population } = await db
    .selectFrom('communes')
    .select('population')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(population).toBeNull()
})

test('a change without effect writes no audit entry', async () => {
  const id = uuidv7()
  const same = {
    kind,
    entityId: id,
    before: { a: [1], version: 1 },
    after: { a: [1], version: 2 },
  } as const
  await recordAudit(db, operator, { action: 'test.nothing', ...same })
  expect(await db.selectFrom('audit_log').select('id').where('entity_id', '=', id).execute()).toEqual([])
})

test('an audit entry cannot be backdated by any role', async () => {
  const id = uuidv7()
  const before = Date.now()
  for (const connection of [database.service, database.owner]) {
    await run(
      connection,
      `insert into audit_log (id, at, action, entity, entity_id)
       values (gen_random_uuid(), '2020-01-01', 'test.back', 'commune', '${id}')`,
    )
  }
  const rows = await db.selectFrom('audit_log').select('at').where('entity_id', '=', id).execute()
  expect(rows).toHaveLength(2)
  for (const { at } of rows) expect(at.getTime()).toBeGreaterThanOrEqual(before - 1)
})
