import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { acteur, user, client, as, db, get } = world
const club = await acteur({ nom: 'Club', valide: true })
const member = (permissions: ('manage_publications' | 'publish_publications')[]) =>
  user({ memberships: [{ acteur: club, permissions }] }).then(({ token }) =>
    client({ source: 'public', token }),
  )
const author = await member(['manage_publications'])
const reader = await member(['publish_publications'])
const foreign = await as()
const moderator = await as('moderator')

/** A publication that the author deleted. */
async function deleted(values: object = {}) {
  const { id } = await insertPublication(world, { acteur_id: club.id, ...values })
  expect((await author.delete(`/publications/${id}`)).status).toBe(200)
  return id
}
const restore = (id: string, by = author) => by.patch(`/publications/${id}/restore`)
const bin = async (by = author): Promise<string[]> =>
  (await by.get(`/me/publications?deleted=only&acteur_id=${club.id}`)).body.data.map(
    ({ id }: { id: string }) => id,
  )

test('PATCH /publications/{id}/restore returns 200: the publication is as it was, and the public sees it again', async () => {
  const id = await deleted()
  expect(await get(`/publications/${id}`)).toBeError(404, 'not_found')
  expect(await bin()).toEqual([id])
  const { status, body } = await restore(id)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id, deleted_at: null, hidden_because: [] })
  expect((await get(`/publications/${id}`)).status).toBe(200)
  expect(await bin()).toEqual([])
  expect((await restore(id)).body.data.version, 'a double click').toBe(body.data.version)
})

test('PATCH /publications/{id}/restore returns 403 to members who could not delete it, 404 to others', async () => {
  const id = await deleted()
  expect(await restore(id, reader)).toBeError(403, 'forbidden')
  expect(await restore(id, foreign)).toBeError(404, 'not_found')
  expect((await restore(id)).status).toBe(200)
})

test('members restore nothing that a moderator deleted, also if they had deleted it before', async () => {
  const id = await deleted()
  await moderator.patch(`/admin/publications/${id}/restore`)
  await moderator.delete(`/admin/publications/${id}`)
  expect(await restore(id)).toBeError(404, 'not_found')
  expect(await bin()).toEqual([])
})

test('members restore what they deleted for 30 days; a moderator later too', async () => {
  const id = await deleted()
  const age = (days: number) =>
    sql`update publications set deleted_at = deleted_at - make_interval(days => ${days}::int),
      withdrawn_at = withdrawn_at - make_interval(days => ${days}::int) where id = ${id}`.execute(db)
  await age(29)
  expect(await bin()).toEqual([id])
  await age(1)
  expect(await bin()).toEqual([])
  expect(await restore(id)).toBeError(404, 'not_found')
  expect((await moderator.patch(`/admin/publications/${id}/restore`)).status).toBe(200)
})

test('a publication that is restored keeps its slug, whatever was published meanwhile', async () => {
  const id = await deleted({ title: 'Loto' })
  const { slug } = (await moderator.get(`/admin/publications/${id}`)).body.data
  await insertPublication(world, { acteur_id: club.id, title: 'Loto' })
  expect((await restore(id)).body.data.slug).toBe(slug)
})

test('what is restored for an acteur that was deactivated meanwhile stays hidden with it', async () => {
  const shop = await acteur({ valide: true })
  const { token } = await user({ memberships: [{ acteur: shop, role: 'owner' }] })
  const owner = client({ source: 'public', token })
  const { id } = await insertPublication(world, { acteur_id: shop.id })
  await owner.delete(`/publications/${id}`)
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', shop.id).execute()
  expect((await restore(id, owner)).body.data.hidden_because).toEqual(['acteur_inactive'])
  expect(await get(`/publications/${id}`)).toBeError(404, 'not_found')
})
