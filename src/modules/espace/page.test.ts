import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { mergeKit } from '../acteurs/merge/merge.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld()
const { acteur, commune, user, as, client, db, get } = world
const { runMerge } = mergeKit(world)
const admin = await as('admin')

type Options = NonNullable<Parameters<typeof user>[0]>
type Membership = NonNullable<Options['memberships']>[number]
async function member(of: Membership['acteur'], values: Omit<Membership, 'acteur'> = {}) {
  const made = await user({ memberships: [{ acteur: of, ...values }] })
  return { ...made, ...client({ token: made.token }) }
}
const pathOf = ({ id }: { id: string }) => `/me/acteurs/${id}`

test('GET /me/acteurs/{acteurId} returns 200 with the page, what the caller may do and the numbers', async () => {
  const place = await commune({ nom: 'Aval' })
  const club = await acteur({ valide: true, commune_id: place.id, horaires: 'Mo 09:00-12:00' })
  const owner = await member(club, { role: 'owner' })
  const later = new Date(Date.now() + 86_400_000)
  const published = { moderation_status: 'published', valide: true, publie_le: new Date(0) } as const
  const hidden = { valide: false, publie_le: null } as const
  const insert = (values: object) => insertPublication(world, { acteur_id: club.id, ...values })
  const reported = await insert(published)
  await insert({ ...hidden, moderation_status: 'pending' })
  await insert({ ...hidden, moderation_status: 'rejected' })
  await insert({ moderation_status: 'approved', valide: true, publie_le: later })
  await insert({ moderation_status: 'approved', valide: true, publie_le: null })
  await insert({ ...published, deleted_at: new Date() })
  await db
    .insertInto('publication_reports')
    .values({
      id: uuidv7(),
      publication_id: reported.id,
      category: 'wrong',
      caller_key: 'k',
      day: '2026-01-01',
    })
    .execute()
  const { status, body, headers } = await owner.get(pathOf(club))
  expect(status).toBe(200)
  expect(headers.get('etag')).toBe('"1"')
  expect(body.data).toMatchObject({
    id: club.id,
    horaires: 'Mo 09:00-12:00',
    commune: { id: place.id, slug: place.slug, nom: 'Aval' },
    mairie_of: [],
    role: 'owner',
    can: ['edit', 'members', 'publications', 'pin'],
    counts: { published: 1, pending: 1, rejected: 1, scheduled: 2, reported: 1 },
    members: [{ user_id: owner.id, is_self: true, status: 'member', role: 'owner' }],
    version: 1,
  })
})

test('an editor reads the page without its members, with what their permissions allow', async () => {
  const { hall, secretary, publisher, writer, editor } = await openMairie(world)
  const canOf = async (one: typeof editor) => (await one.get(pathOf(hall))).body.data.can
  expect(await canOf(editor)).toEqual([])
  expect(await canOf(publisher)).toEqual(['pin', 'moderate', 'alertes'])
  expect(await canOf(writer)).toEqual(['publications'])
  expect(await canOf(secretary)).toEqual(['alertes', 'commune'])
  expect((await publisher.get(pathOf(hall))).body.data).toMatchObject({
    members: null,
    role: 'editor',
    permissions: ['publish_publications'],
  })
})

test('GET /me/acteurs/{acteurId} returns 404 for a deleted or hidden acteur, 403 for the public one of others', async () => {
  const by = client({ token: (await user()).token })
  const [shown, hidden, gone] = [
    await acteur({ valide: true }),
    await acteur(),
    await acteur({ valide: true, deleted_at: new Date() }),
  ]
  const owner = await member(gone, { role: 'owner' })
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', {}],
  ] as const) {
    expect(await by.send(method, pathOf(shown), body)).toBeError(403, 'scope_violation')
    expect(await by.send(method, pathOf(hidden), body)).toBeError(404, 'not_found')
    expect(await owner.send(method, pathOf(gone), body)).toBeError(404, 'not_found')
    expect(await by.send(method, `/me/acteurs/${uuidv7()}`, body)).toBeError(404, 'not_found')
    expect(await by.send(method, '/me/acteurs/none', body)).toBeError(404, 'not_found')
  }
  expect((await admin.get(pathOf(hidden))).body.data).toMatchObject({ role: null, members: [] })
})

test('PATCH /me/acteurs/{acteurId} returns 200, shows the change to the public, and audits it', async () => {
  const club = await acteur({ valide: true })
  const editor = await member(club, { permissions: ['manage_page'] })
  const page = {
    description: 'Le jeudi soir.',
    telephone: '04 65 71 73 12',
    email: 'club@example.org',
    horaires: 'Mo-Fr 08:30-12:00,13:30-17:00; PH off',
  }
  const answer = await editor.patch(pathOf(club), page, { headers: { 'if-match': '"1"' } })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ ...page, version: 2, members: null })
  expect((await get(`/acteurs/${club.id}`)).body.data).toMatchObject(page)
  const rows = await db.selectFrom('audit_log').selectAll().where('entity_id', '=', club.id).execute()
  expect(rows).toMatchObject([
    {
      action: 'acteur.update',
      user_id: editor.id,
      after: { telephone: '(personal)', horaires: page.horaires },
    },
  ])
  expect(await editor.patch(pathOf(club), {}, { headers: { 'if-match': '"1"' } })).toBeError(
    412,
    'precondition_failed',
  )
})

test('PATCH /me/acteurs/{acteurId} returns 422 for hours nobody can evaluate and for what administrators decide', async () => {
  const club = await acteur()
  const owner = await member(club, { role: 'owner' })
  for (const body of [
    { horaires: 'le matin' },
    { siret: '218 601 946' },
    { horaires: '' },
    { email: 'two@example.org, three@example.org' },
    { site_web: 'example' },
    { nom: 'Autre' },
    { type: 'mairie' },
    { commune_id: null },
    { badge: 'Or' },
    { can_publish: true },
  ])
    expect(await owner.patch(pathOf(club), body), JSON.stringify(body)).toBeError(422, 'validation_failed')
  expect((await owner.patch(pathOf(club), { horaires: null })).status).toBe(200)
  expect(await admin.patch(`/admin/acteurs/${club.id}`, { horaires: 'le matin' })).toBeError(
    422,
    'validation_failed',
  )
})

test('an editor without manage_page gets 403, and so does somebody who was removed while editing', async () => {
  const club = await acteur({ valide: true })
  const publisher = await member(club, { permissions: ['publish_publications'] })
  expect(await publisher.patch(pathOf(club), { telephone: '1' })).toBeError(403, 'forbidden')
  const editor = await member(club, { permissions: ['manage_page'] })
  expect((await editor.get(pathOf(club))).body.data.can).toEqual(['edit'])
  await admin.patch(`/admin/users/${editor.id}`, { acteurs: [] })
  expect(await editor.patch(pathOf(club), { telephone: '1' })).toBeError(403, 'scope_violation')
})

test('a deactivated acteur stays open to its members, and cannot publish', async () => {
  const club = await acteur({ valide: true })
  const owner = await member(club, { role: 'owner' })
  await admin.patch(`/admin/acteurs/${club.id}/active`, { active: false })
  const { data } = (await owner.get(pathOf(club))).body
  expect(data).toMatchObject({ active: false, can: ['edit', 'members', 'pin'] })
  expect((await owner.patch(pathOf(club), { telephone: '1' })).status).toBe(200)
  await admin.delete(`/admin/acteurs/${club.id}`)
  expect(await owner.patch(pathOf(club), { telephone: '2' })).toBeError(404, 'not_found')
})

test('the id of an acteur that was merged meanwhile reads and changes its target', async () => {
  const [old, target] = [await acteur({ valide: true }), await acteur({ valide: true })]
  const owner = await member(old, { role: 'owner' })
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)
  await runMerge(old)
  expect((await owner.get(pathOf(old))).body.data).toMatchObject({ id: target.id, role: 'owner' })
  expect((await owner.patch(pathOf(old), { telephone: '1' })).body.data).toMatchObject({ id: target.id })
})

test('an application restricted to communes counts only their publications', async () => {
  const place = await commune()
  const club = await acteur({ commune_id: place.id })
  const owner = await member(club, { role: 'owner' })
  await insertPublication(world, { acteur_id: club.id, moderation_status: 'pending', valide: false })
  await db
    .insertInto('app_sources')
    .values({ code: 'elsewhere', label: 'Elsewhere', commune_ids: [(await commune()).id] })
    .execute()
  const { body } = await client({ token: owner.token, source: 'elsewhere' }).get(pathOf(club))
  expect(body.data.counts.pending).toBe(0)
  expect((await owner.get(pathOf(club))).body.data.counts.pending).toBe(1)
})
