import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { movePublications } from '../module.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { duplicateKey } from '../writing/duplicates.ts'

const world = await openWorld()
const { db, as } = world
const moderator = await as('moderator')
const colleague = await as('moderator')
const admin = await as('admin')

type Values = Parameters<typeof insertPublication>[1]
const newKey = () => `s:${randomBytes(16).toString('hex')}`
/** A group of suspected duplicates. */
async function group(count = 2, values: Values = {}) {
  const duplicate_key = newKey()
  const ids = []
  for (let n = 0; n < count; n++) ids.push((await insertPublication(world, { duplicate_key, ...values })).id)
  return {
    duplicate_key,
    ids,
    join: (more: Values = {}) => insertPublication(world, { duplicate_key, ...more }),
  }
}
const distinguish = (ids: string[], by = moderator) =>
  by.patch('/admin/publications/bulk/distinguish', { ids })
const undo = (id: string, by = moderator) => by.post(`/admin/decisions/${id}/undo`)
const change = (id: string, values: object) =>
  db.updateTable('publications').set(values).where('id', '=', id).execute()

/** Lists which of these publications wait for a decision, by the list with and without its groups, and their total. */
async function unsettled(ids: string[]): Promise<string[]> {
  const path = `/admin/publications?unsettled=true&sort=created_at_asc&ids=${ids}`
  const [alone, grouped] = [await admin.get(path), await admin.get(`${path}&duplicates=true`)]
  const listed = [alone, grouped].map(({ body }) => body.data.map(({ id }: { id: string }) => id).toSorted())
  expect(listed[0]).toEqual(listed[1])
  expect([alone.body.meta.total, grouped.body.meta.total]).toEqual([listed[0].length, listed[0].length])
  return listed[0]
}

test('PATCH /admin/publications/bulk/distinguish returns 200 and settles the group, which an undo brings back', async () => {
  const { ids } = await group(3, { moderation_status: 'pending', valide: false, publie_le: null })
  expect(await unsettled(ids)).toEqual(ids.toSorted())
  const answer = await distinguish([...ids, (ids[0] ?? '').toUpperCase()])
  expect(answer.status).toBe(200)
  expect(answer.body.meta).toMatchObject({ updated: 3, unchanged: 0, decision_id: expect.any(String) })
  expect(await unsettled(ids)).toEqual([])
  // Nothing else changes, and the group is listed among all suspected duplicates.
  const { data } = (await admin.get(`/admin/publications?duplicates=true&ids=${ids}`)).body
  expect(data).toHaveLength(3)
  for (const row of data)
    expect(row).toMatchObject({ moderation_status: 'pending', version: 1, duplicate_count: 3 })
  const undone = await undo(answer.body.meta.decision_id)
  expect(undone.body.meta).toEqual({ undone: 3, changed_since: 0 })
  expect(await unsettled(ids)).toEqual(ids.toSorted())
})

test('a settled group that is settled again stays as it is, without a second decision', async () => {
  const { ids } = await group()
  const { decision_id } = (await distinguish(ids)).body.meta
  const again = await distinguish(ids, colleague)
  expect(again.status).toBe(200)
  expect(again.body.meta).toMatchObject({ updated: 0, unchanged: 2, decision_id: null })
  await undo(decision_id)
  expect(await unsettled(ids)).toHaveLength(2)
})

test('a publication that joins brings the group back, until it is rejected or the group settled again', async () => {
  const { ids, join } = await group()
  await distinguish(ids)
  const joined = await join()
  const all = [...ids, joined.id]
  expect(await unsettled(all)).toHaveLength(3)
  await change(joined.id, { moderation_status: 'rejected', valide: false })
  expect(await unsettled(all)).toEqual([])
  await change(joined.id, { moderation_status: 'pending' })
  const { decision_id } = (await distinguish(all)).body.meta
  expect(await unsettled(all)).toEqual([])
  // The undo restores the decision before: without the third, the group is settled.
  await undo(decision_id)
  expect(await unsettled(all)).toHaveLength(3)
  await change(joined.id, { deleted_at: new Date() })
  expect(await unsettled(all)).toEqual([])
})

test('a publication that was rejected when the group was settled brings it back, one that was compared does not', async () => {
  const { ids, join } = await group()
  const rejected = await join({ moderation_status: 'rejected', valide: false })
  await distinguish(ids)
  const [first = ''] = ids
  for (const values of [{ deleted_at: new Date() }, { deleted_at: null }]) await change(first, values)
  expect(await unsettled([...ids, rejected.id])).toEqual([])
  await change(rejected.id, { moderation_status: 'pending' })
  expect(await unsettled([...ids, rejected.id])).toHaveLength(3)
})

test('two settled groups that become one are to be decided again', async () => {
  const [one, other] = [await group(), await group()]
  await distinguish(one.ids)
  await distinguish(other.ids)
  for (const id of other.ids) await change(id, { duplicate_key: one.duplicate_key })
  expect(await unsettled([...one.ids, ...other.ids])).toHaveLength(4)
})

test('a settled group stays settled when its acteur is merged into another', async () => {
  const [from, into] = [await world.acteur(), await world.acteur()]
  const words = { source_url: null, type_id: null, title: 'Marché', body: 'Le samedi', date_debut: null }
  const { title, body } = words
  const values = {
    title,
    body,
    acteur_id: from.id,
    duplicate_key: duplicateKey({ ...words, acteur_id: from.id }),
  }
  const ids = [(await insertPublication(world, values)).id, (await insertPublication(world, values)).id]
  await distinguish(ids)
  const author = { user: null, source: null, requestId: null }
  await db
    .transaction()
    .execute((tx) => movePublications(tx, {} as never, { from: from.id, into: into.id, author }, 100))
  const keys = await db.selectFrom('publications').select('duplicate_key').where('id', 'in', ids).execute()
  const duplicate_key = duplicateKey({ ...words, acteur_id: into.id })
  expect(keys).toEqual([{ duplicate_key }, { duplicate_key }])
  expect(await unsettled(ids)).toEqual([])
})

test('an undo leaves publications that a later decision found distinct, and works although the text has changed', async () => {
  const { ids, join } = await group()
  const first = (await distinguish(ids)).body.meta.decision_id
  const joined = await join()
  const second = (await distinguish([...ids, joined.id])).body.meta.decision_id
  expect((await undo(first)).body.meta).toEqual({ undone: 0, changed_since: 2 })
  await change(joined.id, { title: 'Autre titre' })
  expect((await undo(second)).body.meta).toEqual({ undone: 3, changed_since: 0 })
  expect((await undo(first)).body.meta).toEqual({ undone: 2, changed_since: 0 })
  expect(await unsettled(ids)).toHaveLength(2)
})

test('an undo does not make a decision before a change of the text undoable', async () => {
  const { ids } = await group(2, { moderation_status: 'pending', valide: false, publie_le: null })
  const [id = ''] = ids
  const publish = { moderation_status: 'published' }
  const published = (await moderator.patch(`/admin/publications/${id}/moderate`, publish)).body.data
    .decision_id
  const { decision_id } = (await distinguish(ids)).body.meta
  await change(id, { title: 'Autre titre' })
  expect((await undo(decision_id)).body.meta.undone).toBe(2)
  expect((await undo(published)).body.meta).toEqual({ undone: 0, changed_since: 1 })
})

test('PATCH /admin/publications/bulk/distinguish returns 404 for an unknown publication', async () => {
  const { ids } = await group()
  expect(await distinguish([...ids, uuidv7()])).toBeError(404, 'not_found')
  expect(await unsettled(ids)).toHaveLength(2)
})

test('PATCH /admin/publications/bulk/distinguish returns 409 if the group has changed meanwhile', async () => {
  const { ids, join } = await group(3)
  const [first = '', second = ''] = ids
  const isRefused = async (some: string[]) => {
    expect(await distinguish(some)).toBeError(409, 'conflict')
    expect(
      await db.selectFrom('distinct_publications').selectAll().where('publication_id', 'in', some).execute(),
    ).toEqual([])
  }
  await isRefused([first, second])
  await isRefused([first, first])
  await isRefused([...ids, (await insertPublication(world)).id])
  await isRefused([...ids, (await join({ moderation_status: 'rejected', valide: false })).id])
  await isRefused([...ids, (await join({ deleted_at: new Date() })).id])
  await change(first, { duplicate_key: newKey() })
  await isRefused(ids)
  expect((await distinguish(ids.slice(1))).status).toBe(200)
})

test('PATCH /admin/publications/bulk/distinguish returns 403 without the role and 422 for an invalid body', async () => {
  const { ids } = await group()
  expect(await distinguish(ids, await as('support'))).toBeError(403, 'admin_required')
  const [first = ''] = ids
  for (const invalid of [[], [first], ['x', first], Array.from({ length: 1_001 }, () => uuidv7())])
    expect(await distinguish(invalid)).toBeError(422, 'validation_failed')
})

test('of concurrent decisions on one group, one is recorded', async () => {
  for (let round = 0; round < 5; round++) {
    const { ids } = await group(4)
    const answers = await Promise.all([
      distinguish(ids),
      distinguish(ids.toReversed(), colleague),
      distinguish(ids, admin),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const updated = answers.map(({ body }) => body.meta.updated)
    expect(updated.toSorted()).toEqual([0, 0, 4])
    expect(await unsettled(ids)).toEqual([])
  }
})

test('a decision that meets a rejection or a joining publication settles or leaves the group, never half of it', async () => {
  for (let round = 0; round < 5; round++) {
    const { ids, join } = await group(3)
    const [first = ''] = ids
    const [answer, , joined] = await Promise.all([
      distinguish(ids),
      colleague.patch(`/admin/publications/${first}/moderate`, { moderation_status: 'rejected' }),
      join(),
    ])
    expect([200, 409]).toContain(answer.status)
    expect(await unsettled([...ids, joined.id])).toHaveLength(3)
    await change(joined.id, { deleted_at: new Date() })
    expect(await unsettled(ids)).toHaveLength(answer.status === 200 ? 0 : 2)
  }
})
