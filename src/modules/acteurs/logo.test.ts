import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { formOf, pdf, png } from '../media/media.test-kit.ts'
import { deleteUnused } from '../media/sweep.ts'
import { erasePerson } from '../privacy/erase.ts'

const world = await openWorld({ keeps: true })
const { db, acteur, commune, user, client, get, url } = world
const place = await commune()
const admin = await world.as('admin')

/** An acteur with an owner, and a picture that the owner has sent for it. */
async function open(values: Parameters<typeof acteur>[0] = {}) {
  const club = await acteur({ valide: true, commune_id: place.id, ...values })
  const owner = client({ token: (await user({ memberships: [{ acteur: club, role: 'owner' }] })).token })
  const send = async (file: Buffer) =>
    (await owner.post('/media', formOf(file, { acteur_id: club.id }))).body.data.id as string
  const put = (logo: string | null) => owner.patch(`/me/acteurs/${club.id}`, { logo })
  return { club, owner, send, put, picture: await send(await png()) }
}
type Club = Awaited<ReturnType<typeof open>>
const statusOf = async (picture: string) => (await fetch(`${url}/media/${picture}/400.webp`)).status

test('an owner sets the logo of an acteur and removes it; everybody reads it', async () => {
  const { club, owner, put, picture, send } = await open()
  // Another picture, which the statements must not find.
  await send(await png('#f00'))
  expect(await statusOf(picture)).toBe(404)
  const { body } = await put(picture)
  const shown = { id: picture, width: 40, height: 30, alt: null }
  expect(body.data.logo).toMatchObject({
    ...shown,
    src: { 400: { webp: `/api/v1/media/${picture}/400.webp` } },
  })
  expect((await get(`/acteurs/${club.id}`)).body.data.logo).toMatchObject({
    ...shown,
    src: { 400: { webp: `/media/${picture}/400.webp` } },
  })
  const listed = (await get(`/communes/${place.id}/acteurs`)).body.data as { id: string; logo: object }[]
  expect(listed.find(({ id }) => id === club.id)?.logo).toMatchObject(shown)
  expect((await admin.get(`/admin/acteurs/${club.id}`)).body.data.logo).toMatchObject(shown)
  expect((await admin.get(`/admin/acteurs?ids=${club.id}`)).body.data[0].logo).toMatchObject(shown)
  expect(await statusOf(picture)).toBe(200)
  expect((await owner.get(`/media/${picture}`)).body.data.unused_since).toBeNull()
  const page = await (await fetch(`${url}/acteurs/${club.slug}`)).text()
  expect(page).toContain(`<img src="/media/${picture}/400.jpg"`)
  expect(page).toMatch(new RegExp(`"logo":"[^"]*/media/${picture}/400.jpg"`))
  const again = await admin.patch(`/admin/acteurs/${club.id}`, { logo: picture })
  expect(again.body.data?.logo, again.text).toMatchObject(shown)
  expect((await put(null)).body.data.logo).toBeNull()
  expect(await statusOf(picture)).toBe(404)
  const entries = await db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('entity_id', '=', club.id)
    .where('action', '=', 'acteur.update')
    .orderBy('seq')
    .execute()
  expect(entries).toMatchObject([
    { before: { logo: null }, after: { logo: picture } },
    { before: { logo: picture }, after: { logo: null } },
  ])
})

test.each<[string, (mine: Club) => Promise<string>]>([
  ['of another acteur', async () => (await open()).picture],
  ['that is a document', ({ send }) => send(pdf())],
  ['that does not exist', async ({ club }) => club.id],
])('a picture %s returns 422', async (_what, make) => {
  const mine = await open()
  const answer = await mine.put(await make(mine))
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toEqual([{ field: 'logo', message: 'must be a picture of this acteur' }])
})

test.each([{ active: false }, { valide: false }, { deleted_at: new Date() }])(
  'nobody sees the logo of an acteur that is not public: %j',
  async (values) => {
    const { club, put, picture } = await open()
    await put(picture)
    expect(await statusOf(picture)).toBe(200)
    await db.updateTable('acteurs').set(values).where('id', '=', club.id).execute()
    await expect.poll(() => statusOf(picture)).toBe(404)
  },
)

test('a logo is deleted neither by its sender nor by the sweep while an acteur shows it', async () => {
  const { club, owner, put, picture } = await open()
  await put(picture)
  const refused = await owner.delete(`/media/${picture}`)
  expect(refused).toBeError(409, 'in_use')
  expect(refused.body.message).toContain(club.nom)
  await sql`update media set unused_since = now() - interval '8 days' where id = ${picture}`.execute(db)
  expect(await deleteUnused(db, 100)).toBe(0)
  await put(null)
  await sql`update media set unused_since = now() - interval '8 days' where id = ${picture}`.execute(db)
  expect(await deleteUnused(db, 100)).toBe(1)
})

test('an erasure of its sender takes the logo away with its bytes', async () => {
  const { club, put } = await open()
  const { id, token } = await user({ memberships: [{ acteur: club, role: 'owner' }] })
  const form = formOf(await png('#923'), { acteur_id: club.id })
  const picture = (await client({ token }).post('/media', form)).body.data.id
  await put(picture)
  const { jobs, config } = world
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  await erasePerson(tools, { user: id })
  await expect.poll(async () => (await get(`/acteurs/${club.id}`)).body.data.logo).toBeNull()
  expect(await statusOf(picture)).toBe(404)
})

test('a description that changes is read at once', async () => {
  const { club, owner, put, picture } = await open()
  await put(picture)
  expect((await get(`/acteurs/${club.id}`)).body.data.logo.alt).toBeNull()
  await owner.patch(`/media/${picture}`, { alt: 'Une pomme' })
  await expect.poll(async () => (await get(`/acteurs/${club.id}`)).body.data.logo.alt).toBe('Une pomme')
})

test('a merge keeps the logo of the target, or gives it the other one', async () => {
  const [one, two, three] = [await open(), await open(), await open()]
  await one.put(one.picture)
  await admin.post(`/admin/acteurs/${one.club.id}/merge`, { into: two.club.id })
  expect((await get(`/acteurs/${two.club.id}`)).body.data.logo.id).toBe(one.picture)
  const [entry] = await db
    .selectFrom('audit_log')
    .select('after')
    .where('entity_id', '=', two.club.id)
    .execute()
  expect(entry?.after).toEqual({ merged: one.club.id, logo: one.picture })
  await three.put(three.picture)
  await admin.post(`/admin/acteurs/${three.club.id}/merge`, { into: two.club.id })
  expect((await get(`/acteurs/${two.club.id}`)).body.data.logo.id).toBe(one.picture)
  expect(await statusOf(three.picture)).toBe(404)
})
