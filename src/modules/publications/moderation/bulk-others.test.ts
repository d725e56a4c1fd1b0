import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { db } = world
const moderator = await world.as('moderator')
const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
const bulk = (verb: string, body: object) => moderator.patch(`/admin/publications/bulk/${verb}`, body)
const resultsOf = ({ body }: { body: { data: { result: string }[] } }) =>
  body.data.map(({ result }) => result)
const row = (id: string) =>
  db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const undo = (id: string) => moderator.post(`/admin/decisions/${id}/undo`)

test('PATCH /admin/publications/bulk/moderate returns changed for an outdated version', async () => {
  const [same, other] = [await insertPublication(world, pending), await insertPublication(world, pending)]
  await db.updateTable('publications').set({ title: 'Corrigé' }).where('id', '=', other.id).execute()
  const answer = await bulk('moderate', {
    ids: [same.id, other.id],
    versions: { [same.id.toUpperCase()]: 1, [other.id]: 1 },
    moderation_status: 'published',
  })
  expect(resultsOf(answer)).toEqual(['updated', 'changed'])
  expect(answer.body.meta).toMatchObject({ updated: 1, changed: 1 })
  expect(answer.body.data[1].previous).toBeNull()
  expect((await row(other.id)).moderation_status).toBe('pending')
})

test('PATCH /admin/publications/bulk/delete and restore return 200 and can be undone', async () => {
  const [one, gone] = [
    await insertPublication(world),
    await insertPublication(world, { deleted_at: new Date() }),
  ]
  const ids = [one.id, gone.id, uuidv7()]
  const deleted = await bulk('delete', { ids })
  expect(resultsOf(deleted)).toEqual(['updated', 'unchanged', 'not_found'])
  expect((await row(one.id)).deleted_at).not.toBeNull()
  expect((await undo(deleted.body.meta.decision_id)).body.data).toEqual([{ id: one.id, result: 'undone' }])
  expect((await row(one.id)).deleted_at).toBeNull()
  const restored = await bulk('restore', { ids })
  expect(resultsOf(restored)).toEqual(['unchanged', 'updated', 'not_found'])
  expect((await row(gone.id)).deleted_at).toBeNull()
  await undo(restored.body.meta.decision_id)
  expect((await row(gone.id)).deleted_at).toEqual(gone.deleted_at)
})

test('PATCH /admin/publications/bulk/feature returns 200 and skips deleted publications', async () => {
  const [one, gone] = [
    await insertPublication(world),
    await insertPublication(world, { deleted_at: new Date() }),
  ]
  const featured_until = '2090-01-01T08:00:00.000Z'
  const answer = await bulk('feature', { ids: [one.id, gone.id], en_avant: true, featured_until })
  expect(resultsOf(answer)).toEqual(['updated', 'deleted'])
  expect(await row(one.id)).toMatchObject({ en_avant: true, featured_until: new Date(featured_until) })
  expect((await row(gone.id)).en_avant).toBe(false)
})

test('PATCH /admin/publications/bulk/delete, restore and feature return 422 for an invalid body', async () => {
  const { id } = await insertPublication(world)
  const past = { en_avant: true, featured_until: '2020-01-01T08:00:00Z' }
  for (const verb of ['delete', 'restore', 'feature']) {
    expect(await bulk(verb, { ids: [] })).toBeError(422, 'validation_failed')
    expect(await bulk(verb, { ids: ['x'] })).toBeError(422, 'validation_failed')
    expect(await bulk(verb, { ids: [id], versions: { [id]: 'x' } })).toBeError(422, 'validation_failed')
    const [other, more] = [uuidv7(), verb === 'feature' && { en_avant: true }]
    const misnamed = await bulk(verb, { ids: [id], versions: { [id]: 1, [other]: 1 }, ...more })
    expect(misnamed).toBeError(422, 'validation_failed')
    expect(misnamed.body.details).toMatchObject([{ field: `versions.${other}` }])
  }
  expect(await bulk('feature', { ids: [id], ...past })).toBeError(422, 'validation_failed')
})

const keep = (id: string, body: object) => moderator.post(`/admin/publications/${id}/keep`, body)

test('POST /admin/publications/{id}/keep returns 200: one published, the others rejected, undone together', async () => {
  const [kept, other] = [await insertPublication(world, pending), await insertPublication(world)]
  const answer = await keep(kept.id.toUpperCase(), { reject: [other.id], reason: 'Doublon' })
  expect(answer.status).toBe(200)
  expect(resultsOf(answer)).toEqual(['updated', 'updated'])
  expect(await row(kept.id)).toMatchObject({ moderation_status: 'published', moderation_reason: null })
  expect(await row(other.id)).toMatchObject({ moderation_status: 'rejected', moderation_reason: 'Doublon' })
  expect((await undo(answer.body.meta.decision_id)).body.meta.undone).toBe(2)
  expect((await row(kept.id)).moderation_status).toBe('pending')
  expect((await row(other.id)).moderation_status).toBe('published')
})

test('a repeated id has one result, with the state before the decision', async () => {
  const [one, other] = [await insertPublication(world, pending), await insertPublication(world)]
  const first = (id: string) => ({ id, result: 'updated', previous: expect.any(Object) })
  const kept = await keep(one.id, { reject: [other.id, other.id.toUpperCase()] })
  expect(kept.body).toMatchObject({
    data: [first(one.id), first(other.id)],
    meta: { updated: 2, unchanged: 0 },
  })
  expect(kept.body.data[1].previous.moderation_status).toBe('published')
  for (const [name, more] of [
    ['feature', { en_avant: true }],
    ['delete', {}],
    ['restore', {}],
  ] as const) {
    const { body } = await bulk(name, { ids: [one.id, one.id], ...more })
    expect(body).toMatchObject({ data: [first(one.id)], meta: { updated: 1, unchanged: 0 } })
    expect(body.data, name).toHaveLength(1)
  }
})

test('POST /admin/publications/{id}/keep returns 404 or 409 and changes nothing if one is missing or deleted', async () => {
  const kept = await insertPublication(world, pending)
  const gone = await insertPublication(world, { deleted_at: new Date() })
  expect(await keep(kept.id, { reject: [uuidv7()] })).toBeError(404, 'not_found')
  expect(await keep(uuidv7(), { reject: [kept.id] })).toBeError(404, 'not_found')
  expect(await keep(kept.id, { reject: [gone.id] })).toBeError(409, 'conflict')
  expect((await row(kept.id)).moderation_status).toBe('pending')
})

test('POST /admin/publications/{id}/keep returns 422 if it is itself to be rejected', async () => {
  const { id } = await insertPublication(world)
  expect(await keep(id, { reject: [id.toUpperCase()] })).toBeError(422, 'validation_failed')
  expect(await keep(id, { reject: [] })).toBeError(422, 'validation_failed')
})

const close = (id: string) => moderator.post(`/admin/publications/${id}/reports/close`)
const openReports = async (id: string) =>
  (await moderator.get(`/admin/publications/${id}`)).body.data.reports_open

test('POST /admin/publications/{id}/reports/close returns 200 and changes nothing else; its undo reopens them', async () => {
  const { id } = await insertPublication(world)
  await world.post(`/publications/${id}/report`, {})
  const before = await row(id)
  const answer = await close(id)
  expect(answer.body.data).toMatchObject({ reports_open: 0, decision_id: expect.any(String), version: 1 })
  expect(await row(id)).toEqual(before)
  expect((await close(id)).body.data.decision_id).toBeNull()
  expect((await undo(answer.body.data.decision_id)).body.meta.undone).toBe(1)
  expect(await openReports(id)).toBe(1)
})

test('POST /admin/publications/{id}/reports/close returns 404, 409 for a deleted one, and 422 for a body', async () => {
  expect(await close(uuidv7())).toBeError(404, 'not_found')
  const { id } = await insertPublication(world, { deleted_at: new Date() })
  expect(await close(id)).toBeError(409, 'conflict')
  expect(await moderator.post(`/admin/publications/${id}/reports/close`, { x: 1 })).toBeError(
    422,
    'validation_failed',
  )
})

test('PATCH /admin/publications/bulk/close-reports closes those of several, and one undo reopens all', async () => {
  const reported = [await insertPublication(world), await insertPublication(world)]
  for (const { id } of reported) await world.post(`/publications/${id}/report`, {})
  const other = await insertPublication(world)
  const gone = await insertPublication(world, { deleted_at: new Date() })
  const before = await row(reported[0]?.id ?? '')
  const all = [...reported, other, gone]
  const { body } = await bulk('close-reports', { ids: [...all.map(({ id }) => id), uuidv7()] })
  expect(body.data.map(({ result }: { result: string }) => result)).toEqual([
    'updated',
    'updated',
    'unchanged',
    'deleted',
    'not_found',
  ])
  expect(body.meta).toMatchObject({ updated: 2, unchanged: 1, deleted: 1, not_found: 1 })
  expect(await row(before.id)).toEqual(before)
  expect(await Promise.all(reported.map(({ id }) => openReports(id)))).toEqual([0, 0])
  expect((await undo(body.meta.decision_id)).body.meta.undone).toBe(2)
  expect(await Promise.all(reported.map(({ id }) => openReports(id)))).toEqual([1, 1])
})

test('PATCH /admin/publications/bulk/close-reports leaves a publication that has a newer version as it is', async () => {
  const { id, version } = await insertPublication(world)
  await world.post(`/publications/${id}/report`, {})
  const { body } = await bulk('close-reports', { ids: [id], versions: { [id]: version + 1 } })
  expect(body).toMatchObject({ data: [{ result: 'changed' }], meta: { changed: 1, decision_id: null } })
  expect(await openReports(id)).toBe(1)
  expect(await bulk('close-reports', { ids: [] })).toBeError(422, 'validation_failed')
})
