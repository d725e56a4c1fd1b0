import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld()
const { as, acteur, user, post, db } = world
const { claim } = claimsKit(world)
const moderator = await as('moderator')

test('GET /admin/acteurs/{id}/record returns 200 with the numbers of the last year', async () => {
  const club = await acteur()
  await user({ memberships: [{ acteur: club, role: 'owner' }] })
  await user({ memberships: [{ acteur: club }] })
  const its = { acteur_id: club.id }
  const shown = await insertPublication(world, its)
  await post(`/publications/${shown.id}/report`, {})
  await insertPublication(world, { ...its, moderation_status: 'rejected', valide: false })
  await insertPublication(world, { ...its, deleted_at: new Date() })
  await insertPublication(world, { ...its, created_at: new Date('2020-01-01') })
  const id = await claim({ acteur: club })
  await moderator.patch(`/admin/claims/${id}`, { status: 'rejected' })
  const latest = await db
    .selectFrom('publications')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('acteur_id', '=', club.id)
    .executeTakeFirstOrThrow()
  const { status, body } = await moderator.get(`/admin/acteurs/${club.id}/record`)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    ...{ id: club.id, nom: club.nom, created_at: club.created_at.toISOString(), members: 2, owners: 1 },
    publications: { created: 3, published: 1, rejected: 1, reported: 1, latest_at: latest.at.toISOString() },
    claims: { created: 1, approved: 0, rejected: 1 },
  })
})

test('GET /admin/acteurs/{id}/record returns 200 for one without activity, 404 for an unknown one', async () => {
  const { id } = await acteur({ deleted_at: new Date() })
  expect((await moderator.get(`/admin/acteurs/${id}/record`)).body.data).toMatchObject({
    ...{ members: 0, owners: 0 },
    publications: { created: 0, latest_at: null },
    claims: { created: 0 },
  })
  expect(await moderator.get(`/admin/acteurs/${uuidv7()}/record`)).toBeError(404, 'not_found')
  expect(await moderator.get(`/admin/acteurs/${id}/record?year=2025`)).toBeError(422, 'validation_failed')
})

test('GET /admin/acteurs/{id}/record returns 403 without one of the areas', async () => {
  const { id } = await acteur()
  expect(await (await as('support')).get(`/admin/acteurs/${id}/record`)).toBeError(403, 'admin_required')
  expect((await (await as('admin')).get(`/admin/acteurs/${id}/record`)).status).toBe(200)
})
