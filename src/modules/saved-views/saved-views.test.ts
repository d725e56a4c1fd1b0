import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { maxViews } from './module.ts'

const { as, db, user, client } = await openWorld()
const moderator = await as('moderator')
const colleague = await as('moderator')
const view = { list: 'publications', name: 'Signalées', query: 'reported=true' }
type View = { id: string; name: string; mine: boolean }

test('POST /me/views returns 201; GET /me/views returns 200 with own ones and those shared with a role', async () => {
  const own = (await moderator.post('/me/views', view)).body.data
  const shared = (await moderator.post('/me/views', { ...view, name: 'Partagée', role: 'moderator' })).body
    .data
  const seen = async (client: typeof moderator) =>
    (await client.get('/me/views?list=publications')).body.data.map(({ id, mine }: View) => ({ id, mine }))
  expect(await seen(moderator)).toEqual([
    { id: shared.id, mine: true },
    { id: own.id, mine: true },
  ])
  expect(await seen(colleague)).toEqual([{ id: shared.id, mine: false }])
  expect(await seen(await as('support'))).toEqual([])
  expect((await moderator.get('/me/views?list=claims')).body.data).toEqual([])
})

test('POST /me/views returns 422 for a role the caller does not have and for an unknown list', async () => {
  expect(await moderator.post('/me/views', { ...view, role: 'admin' })).toBeError(422, 'validation_failed')
  expect(await moderator.post('/me/views', { ...view, list: 'A B' })).toBeError(422, 'validation_failed')
  expect(await moderator.get('/me/views?list=A%20B')).toBeError(422, 'validation_failed')
})

test('POST /me/views returns 409 above the limit', async () => {
  const { id, token } = await user({ roles: ['support'] })
  const one = client({ source: 'backoffice', token })
  await sql`insert into saved_views (id, user_id, list, name, query)
    select gen_random_uuid(), ${id}, 'publications', 'Vue ' || n, '' from generate_series(2, ${maxViews}) n`.execute(
    db,
  )
  expect((await one.post('/me/views', view)).status).toBe(201)
  expect(await one.post('/me/views', { ...view, name: 'Vides' })).toBeError(409, 'conflict')
})

test('POST /me/views returns 409 for a name that the caller already uses for this list', async () => {
  const named = { ...view, name: 'En attente' }
  const both = await Promise.all([moderator.post('/me/views', named), moderator.post('/me/views', named)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const other = { ...named, name: ' En attente ', query: 'status=pending' }
  expect(await moderator.post('/me/views', other)).toBeError(409, 'view_name_taken')
  expect((await moderator.post('/me/views', { ...named, list: 'claims' })).status).toBe(201)
  expect((await colleague.post('/me/views', named)).status).toBe(201)
})

test('DELETE /me/views/{id} returns 200 for one’s own view and 404 for others', async () => {
  const { id } = (await moderator.post('/me/views', { ...view, name: 'À nous', role: 'moderator' })).body.data
  expect(await colleague.delete(`/me/views/${id}`)).toBeError(404, 'not_found')
  expect((await moderator.delete(`/me/views/${id}`)).body.data.id).toBe(id)
  expect(await moderator.delete(`/me/views/${id}`)).toBeError(404, 'not_found')
})
