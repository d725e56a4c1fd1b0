import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { db, as } = world
const admin = await as('admin')
const moderator = await as('moderator')
const path = '/admin/publications/bulk/moderate'

const pending = { moderation_status: 'pending', valide: false, publie_le: null }
const make = (values: Parameters<typeof insertPublication>[1] = pending) => insertPublication(world, values)
async function makeIds(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  const rows = ids.map((id) => ({
    id,
    slug: id,
    title: 'Fête',
    body: 'Samedi',
    duplicate_key: `s:${id.replaceAll('-', '')}`,
    ...pending,
  }))
  await db.insertInto('publications').values(rows).execute()
  return ids
}
const report = (ids: string[]) =>
  db
    .insertInto('publication_reports')
    .values(
      ids.map((publication_id) => ({
        id: uuidv7(),
        publication_id,
        caller_key: uuidv7(),
        day: '2026-11-20',
      })),
    )
    .execute()
const auditEntries = (ids: string[]) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', 'in', ids).orderBy('entity_id').execute()

test('PATCH /admin/publications/bulk/moderate returns 200 with one result per publication, in the order given', async () => {
  const { id: waiting } = await make()
  const { id: published } = await make({})
  const { id: deleted } = await make({ ...pending, deleted_at: new Date() })
  const unknown = uuidv7()
  await report([published])
  const shown = { moderation_status: 'published', valide: true }
  const ids = [unknown, published, waiting, deleted, waiting, waiting.toUpperCase(), unknown]
  const { status, body } = await moderator.patch(path, { ids, moderation_status: 'published' })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      { id: unknown, result: 'not_found', previous: null },
      { id: published, result: 'unchanged', previous: shown },
      { id: waiting, result: 'updated', previous: { moderation_status: 'pending', valide: false } },
      { id: deleted, result: 'deleted', previous: null },
    ],
    meta: { updated: 1, unchanged: 1, not_found: 1, deleted: 1, changed: 0, decision_id: expect.any(String) },
  })
  const rows = await auditEntries([waiting, published, deleted])
  expect(rows).toHaveLength(2)
  const afterOf = (id: string) => rows.find(({ entity_id }) => entity_id === id)?.after
  expect(afterOf(waiting)).toMatchObject({ moderation_status: 'published', valide: true })
  // Only its reports and the central decision changed.
  expect(afterOf(published)).toEqual({ reports_closed: 1, decided_centrally: true })
  expect((await admin.get(`/admin/publications/${published}`)).body.data.reports_open).toBe(0)
})

test('PATCH /admin/publications/bulk/moderate schedules several publications for one time, and one undo takes it back', async () => {
  const ids = [(await make()).id, (await make()).id]
  const publie_le = '2090-01-01T08:00:00.000Z'
  const { status, body } = await moderator.patch(path, { ids, moderation_status: 'approved', publie_le })
  expect(status).toBe(200)
  const times = async () =>
    (await db.selectFrom('publications').select('publie_le').where('id', 'in', ids).execute()).map(
      (row) => row.publie_le,
    )
  expect(await times()).toEqual([new Date(publie_le), new Date(publie_le)])
  await moderator.post(`/admin/decisions/${body.meta.decision_id}/undo`)
  expect(await times()).toEqual([null, null])
})

test('PATCH /admin/publications/bulk/moderate returns 422 for a time that cannot be, and changes nothing', async () => {
  const { id: waiting } = await make()
  const { id: seen } = await make({ ...pending, publie_le: new Date('2026-01-01T08:00:00Z') })
  const schedule = (ids: string[], publie_le: string, moderation_status = 'approved') =>
    moderator.patch(path, { ids, moderation_status, publie_le })
  const later = '2090-01-01T08:00:00Z'
  for (const answer of [
    await schedule([waiting], '2020-01-01T08:00:00Z'),
    await schedule([waiting], later, 'published'),
    await schedule([waiting, seen], later),
  ]) {
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toMatchObject([{ field: 'publie_le' }])
  }
  const { body } = await admin.get(`/admin/publications/${waiting}`)
  expect(body.data).toMatchObject({ moderation_status: 'pending', publie_le: null })
})

test('a change of one field counts as updated; reports are closed for unchanged publications too', async () => {
  const { id: hidden } = await make({ valide: false })
  const { id: approved } = await make({ moderation_status: 'approved' })
  const ids = [hidden, approved]
  const decide = async () => {
    await report(ids)
    const { body } = await admin.patch(path, { ids, moderation_status: 'published' })
    return body.data.map(({ result }: { result: string }) => result)
  }
  const versions = () => db.selectFrom('publications').select('version').where('id', 'in', ids).execute()
  expect([await decide(), await versions()]).toEqual([
    Array(2).fill('updated'),
    Array(2).fill({ version: 2 }),
  ])
  expect([await decide(), await versions()]).toEqual([
    Array(2).fill('unchanged'),
    Array(2).fill({ version: 2 }),
  ])
  const after = (await auditEntries(ids)).map((row) => row.after)
  expect(after.filter((told) => isDeepStrictEqual(told, { reports_closed: 1 }))).toHaveLength(2)
})

test('the previous values in the response suffice to undo', async () => {
  const states = [
    { moderation_status: 'pending', valide: false, publie_le: null },
    { moderation_status: 'rejected', valide: false },
    { moderation_status: 'approved', valide: true },
    { moderation_status: 'published', valide: true },
    { moderation_status: 'published', valide: false },
  ]
  const ids = []
  for (const state of states) ids.push((await make(state)).id)
  const { body } = await admin.patch(path, { ids, moderation_status: 'pending' })
  expect(body.data.map(({ result }: { result: string }) => result)).toEqual([
    'unchanged',
    ...Array(4).fill('updated'),
  ])
  for (const { id, previous } of body.data) {
    const { moderation_status, valide } = previous
    await admin.patch(path, { ids: [id], moderation_status })
    const after = (await admin.get(`/admin/publications/${id}`)).body.data
    if (after.valide !== valide) await admin.patch(`/admin/publications/${id}/valide`, { valide })
  }
  const rows = await db
    .selectFrom('publications')
    .select(['moderation_status', 'valide'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  expect(rows).toEqual(states.map(({ moderation_status, valide }) => ({ moderation_status, valide })))
})

test('a bulk decision stores its reason and keeps existing times', async () => {
  const scheduled = await make({ ...pending, publie_le: new Date('2099-01-01') })
  const ids = [scheduled.id, ...(await makeIds(2))]
  await admin.patch(path, { ids, moderation_status: 'rejected', reason: 'Doublon' })
  const read = () =>
    db
      .selectFrom('publications')
      .select(['moderation_status', 'moderation_reason', 'valide', 'publie_le'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
  const rejected = { moderation_status: 'rejected', moderation_reason: 'Doublon', valide: false }
  expect(await read()).toMatchObject([
    { ...rejected, publie_le: scheduled.publie_le },
    { ...rejected, publie_le: null },
    { ...rejected, publie_le: null },
  ])
  await admin.patch(path, { ids, moderation_status: 'approved' })
  expect(await read()).toMatchObject([
    { moderation_status: 'approved', moderation_reason: null, valide: true, publie_le: scheduled.publie_le },
    { publie_le: null },
    { publie_le: null },
  ])
})

test.each([
  ['ids', { ids: [], moderation_status: 'published' }],
  ['ids', { ids: Array.from({ length: 101 }, () => uuidv7()), moderation_status: 'published' }],
  ['ids.1', { ids: [uuidv7(), '12'], moderation_status: 'published' }],
  ['moderation_status', { ids: [uuidv7()], moderation_status: 'gone' }],
  ['publie_le', { ids: [uuidv7()], moderation_status: 'published', publie_le: null }],
])('PATCH /admin/publications/bulk/moderate returns 422: %s', async (field, body) => {
  const answer = await admin.patch(path, body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
})

test('needs as many statements for a hundred publications as for one', async () => {
  const counts = []
  for (const size of [1, 20, 100]) {
    const ids = await makeIds(size)
    await report(ids)
    const made = await statementsAbout(/publication|audit_log/, async () => {
      const { body } = await admin.patch(path, { ids, moderation_status: 'published' })
      expect(body.meta.updated).toBe(size)
    })
    counts.push(made.length)
    expect(await auditEntries(ids)).toHaveLength(size)
  }
  expect(counts).toEqual([7, 7, 7])
})

test('two concurrent bulk decisions on the same publications in opposite orders both complete', async () => {
  const ids = await makeIds(100)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      admin.patch(path, { ids, moderation_status: 'rejected' }),
      moderator.patch(path, { ids: ids.toReversed(), moderation_status: 'published' }),
      ...ids.slice(0, 3).map((id) => admin.patch(`/admin/publications/${id}/valide`, { valide: true })),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  // The last one decided everything but the three decided alone.
  const statuses = await db
    .selectFrom('publications')
    .select('moderation_status')
    .where('id', 'in', ids.slice(3))
    .groupBy('moderation_status')
    .execute()
  expect(statuses).toHaveLength(1)
})

test('one failure rolls back all', async () => {
  const ids = await makeIds(3)
  await run(
    world.database.owner,
    `alter table audit_log add constraint not_this check (entity_id <> '${ids[2]}')`,
  )
  const answer = await admin.patch(path, { ids, moderation_status: 'published' })
  await run(world.database.owner, 'alter table audit_log drop constraint not_this')
  expect(answer).toBeError(500, 'internal_error')
  expect(await auditEntries(ids)).toEqual([])
  const rows = await db.selectFrom('publications').select('version').where('id', 'in', ids).execute()
  expect(rows).toEqual([{ version: 1 }, { version: 1 }, { version: 1 }])
})
