import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { formOf, png } from '../../media/media.test-kit.ts'
import { deleteUnused } from '../../media/sweep.ts'
import { erasePerson } from '../../privacy/erase.ts'

const world = await openWorld({ keeps: true })
const { db, user, client, get, url } = world
const { hall, commune } = await openMairie(world)
const owner = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
const mayor = client({ source: 'mairie', token: owner.token })
const admin = await world.as('admin')
await db.updateTable('acteurs').set({ valide: true }).where('id', '=', hall.id).execute()

const send = async (fields: Record<string, string> = {}, color?: string) =>
  (await mayor.post('/media', formOf(await png(color), { acteur_id: hall.id, ...fields }))).body.data
    .id as string
const path = `/mairie/communes/${commune.id}`
const put = (values: object) => mayor.patch(path, values)
const read = async () => (await get(`/communes/${commune.slug}`)).body.data
const statusOf = async (picture: string) => (await fetch(`${url}/media/${picture}/400.webp`)).status

test('a mairie gives its commune a coat of arms and a photo, and takes them back', async () => {
  const [blason, photo] = [await send(), await send({ alt: 'La place' }, '#123')]
  expect([await statusOf(blason), await statusOf(photo)]).toEqual([404, 404])
  const { body } = await put({ blason, photo })
  expect(body.data).toMatchObject({
    blason: { id: blason, src: { 400: { webp: `/api/v1/media/${blason}/400.webp` } } },
    photo: { id: photo, alt: 'La place' },
  })
  expect((await mayor.get(path)).body.data.blason.id).toBe(blason)
  const full = await admin.get(`/admin/communes/${commune.id}/full`)
  expect(full.body.data.photo.id).toBe(photo)
  expect(await read()).toMatchObject({
    blason: { id: blason, src: { 400: { webp: `/media/${blason}/400.webp` } } },
    photo: { id: photo, alt: 'La place' },
  })
  expect([await statusOf(blason), await statusOf(photo)]).toEqual([200, 200])
  for (const sub of ['', '/agenda', '/elus']) {
    const page = await (await fetch(`${url}/communes/${commune.slug}${sub}`)).text()
    expect(page).toContain(`<img class="arms" src="/media/${blason}/400.webp"`)
    expect(page.includes(`/media/${photo}/`)).toBe(sub === '')
  }
  const [entry] = await db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('entity_id', '=', commune.id)
    .where('action', '=', 'commune.update')
    .execute()
  expect(entry).toEqual({ before: { blason: null, photo: null }, after: { blason, photo } })
  await put({ blason: null, photo: null })
  expect(await read()).toMatchObject({ blason: null, photo: null })
  expect([await statusOf(blason), await statusOf(photo)]).toEqual([404, 404])
})

test('a photo needs a description, which stays while it is shown', async () => {
  const bare = await send()
  const refused = await put({ photo: bare })
  expect(refused).toBeError(422, 'alt_required')
  expect(refused.body.details).toMatchObject([{ field: 'photo' }])
  expect(await admin.patch(`/admin/communes/${commune.id}`, { photo: bare })).toBeError(422, 'alt_required')
  await mayor.patch(`/media/${bare}`, { alt: 'Le lac' })
  expect((await put({ photo: bare })).status).toBe(200)
  expect(await mayor.patch(`/media/${bare}`, { alt: null })).toBeError(422, 'alt_required')
  await mayor.patch(`/media/${bare}`, { alt: 'Le port' })
  await expect.poll(async () => (await read()).photo.alt).toBe('Le port')
  await put({ photo: null })
})

test.each(['blason', 'photo'])('a picture of another acteur returns 422 as %s', async (field) => {
  const { body } = await admin.post('/media', formOf(await png(), { decorative: 'true' }))
  const answer = await put({ [field]: body.data.id })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toMatchObject([{ field }])
  expect((await admin.patch(`/admin/communes/${commune.id}`, { [field]: body.data.id })).status).toBe(200)
  await put({ [field]: null })
})

test.each(['blason', 'photo'])(
  'a picture stays while a commune shows it as %s, unless its sender is erased',
  async (field) => {
    const sender = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
    const form = formOf(await png('#a51'), { acteur_id: hall.id, alt: 'Une tour' })
    const picture = (await client({ token: sender.token }).post('/media', form)).body.data.id
    await put({ [field]: picture })
    const refused = await mayor.delete(`/media/${picture}`)
    expect(refused).toBeError(409, 'in_use')
    expect(refused.body.message).toContain(commune.nom)
    await sql`update media set unused_since = now() - interval '8 days' where id = ${picture}`.execute(db)
    await deleteUnused(db, 100)
    expect(await statusOf(picture)).toBe(200)
    const { jobs, config } = world
    const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
    await erasePerson(tools, { user: sender.id })
    // The erasure is no request, so each response may be cached until its own notification arrives.
    await expect.poll(async () => (await read())[field]).toBeNull()
    await expect.poll(() => statusOf(picture)).toBe(404)
  },
)
