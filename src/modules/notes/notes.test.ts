import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7, uuidv7At } from '../../platform/formats/uuid.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { deleteOldNotes } from './module.ts'

const world = await openWorld()
const { as, db } = world
const admin = await as('admin')
const moderator = await as('moderator')
const support = await as('support')
const about = async () => ({ kind: 'publication', id: (await insertPublication(world)).id })
const listPath = ({ kind, id }: { kind: string; id: string }) => `/admin/notes?kind=${kind}&id=${id}`

test('POST /admin/notes returns 201, and GET /admin/notes returns 200 with the newest first', async () => {
  const record = await about()
  const first = await moderator.post('/admin/notes', { ...record, body: ' À vérifier. ' })
  expect(first.status).toBe(201)
  const second = await admin.post('/admin/notes', { ...record, body: 'Vérifié.' })
  const { body } = await moderator.get(listPath(record))
  expect(body.meta).toMatchObject({ total: 2, per_page: 25 })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.body.data.id, first.body.data.id])
  expect(body.data[1]).toMatchObject({ body: 'À vérifier.', can: ['delete'], created_by_user: { nom: null } })
  expect(body.data[0].can).toEqual([])
})

test('POST and GET /admin/notes return 403 without permission for the area of the record', async () => {
  const record = await about()
  expect(await support.post('/admin/notes', { ...record, body: 'Bonjour' })).toBeError(403, 'admin_required')
  expect(await support.get(listPath(record))).toBeError(403, 'admin_required')
  const nobody = await as()
  expect(await nobody.get(listPath(record))).toBeError(403, 'admin_required')
})

test('POST and GET /admin/notes return 404 for an unknown record', async () => {
  const record = { kind: 'commune', id: uuidv7() }
  expect(await admin.post('/admin/notes', { ...record, body: 'Bonjour' })).toBeError(404, 'not_found')
  expect(await admin.get(listPath(record))).toBeError(404, 'not_found')
})

test('POST and GET /admin/notes return 422 for an invalid kind, id or text', async () => {
  const record = await about()
  for (const wrong of [{ kind: 'alerte' }, { id: 'x' }, { body: ' ' }, { body: 'x'.repeat(2_001) }])
    expect(await admin.post('/admin/notes', { ...record, body: 'Bonjour', ...wrong })).toBeError(
      422,
      'validation_failed',
    )
  expect(await admin.get('/admin/notes?kind=publication')).toBeError(422, 'validation_failed')
})

test('DELETE /admin/notes/{id} returns 200 to its author, 403 to a colleague, 404 afterwards', async () => {
  const { body } = await moderator.post('/admin/notes', { ...(await about()), body: 'Bonjour' })
  const path = `/admin/notes/${body.data.id}`
  expect(await admin.delete(path)).toBeError(403, 'forbidden')
  expect((await admin.get(path)).body.data).toMatchObject({ body: 'Bonjour', can: [] })
  expect(await support.get(path)).toBeError(403, 'admin_required')
  expect((await moderator.delete(path)).body.data.body).toBe('Bonjour')
  expect(await moderator.delete(path)).toBeError(404, 'not_found')
  expect(await moderator.get(path)).toBeError(404, 'not_found')
})

test('of two concurrent deletions one returns 200 and the other 404', async () => {
  const { body } = await moderator.post('/admin/notes', { ...(await about()), body: 'Bonjour' })
  const remove = () => moderator.delete(`/admin/notes/${body.data.id}`)
  const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 404])
})

test('retention deletes notes after RETENTION_NOTES months', async () => {
  const record = await about()
  const { body } = await moderator.post('/admin/notes', { ...record, body: 'Nouvelle' })
  const author = body.data.created_by
  const old = { id: uuidv7At(Date.now()), kind: record.kind, record_id: record.id, body: 'Vieille' }
  const created_at = new Date(Date.now() - 750 * 86_400_000)
  await db
    .insertInto('notes')
    .values({ ...old, created_by: author, created_at })
    .execute()
  expect(await deleteOldNotes(db, 24, 100)).toBe(1)
  const { data } = (await moderator.get(listPath(record))).body
  expect(data.map(({ body }: { body: string }) => body)).toEqual(['Nouvelle'])
})
