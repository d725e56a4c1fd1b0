import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { client, user, db } = world
const here = await openMairie(world)
const there = await openMairie(world)
const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }
const mine = () => insertPublication(world, { acteur_id: here.hall.id, commune_id: here.commune.id })
const theClubs = () =>
  insertPublication(world, {
    acteur_id: here.club.id,
    commune_id: here.commune.id,
    moderation_status: 'pending',
    valide: false,
    publie_le: null,
  })

const signedIn = async (options: Parameters<typeof user>[0]) =>
  client({ source: 'mairie', token: (await user(options)).token })

const callers = {
  nobody: client({ source: 'mairie' }),
  'a bad token': client({ source: 'mairie', token: 'nonsense' }),
  'no application': client({ source: null }),
  'a user without membership': await signedIn({}),
  'a member of another mairie': there.owner,
  'a member of a non-mairie acteur': here.clubOwner,
  'a moderator': await signedIn({ roles: ['moderator'] }),
  'somebody of the support': await signedIn({ roles: ['support'] }),
  'an editor without permission': here.editor,
  'an editor with manage_publications': here.writer,
  'an editor with publish_publications': here.publisher,
  'an owner': here.owner,
  'a member who is a moderator': here.moderatingMember,
  'an admin': await signedIn({ roles: ['admin'] }),
  'a platform admin': await signedIn({ roles: ['platform_admin'] }),
}

const answers: Record<keyof typeof callers, string> = {
  nobody: '401 401 401 401',
  'a bad token': '401 401 401 401',
  'no application': '400 400 400 400',
  'a user without membership': '403 403 403 403',
  'a member of another mairie': '403 403 403 403',
  'a member of a non-mairie acteur': '403 403 403 403',
  'a moderator': '403 403 403 403',
  'somebody of the support': '403 403 403 403',
  'an editor without permission': '200 403 403 403',
  'an editor with manage_publications': '200 201 403 403',
  'an editor with publish_publications': '200 403 200 200',
  'an owner': '200 201 200 200',
  'a member who is a moderator': '200 403 403 403',
  'an admin': '200 201 200 200',
  'a platform admin': '200 201 200 200',
}

test.each(Object.entries(answers))(
  '%s: list, create, moderate its own, moderate what it supervises: %s',
  async (name, expected) => {
    const caller = callers[name as keyof typeof callers]
    const decision = { moderation_status: 'published' }
    const seen = [
      await caller.get(here.path),
      await caller.post(here.path, content),
      await caller.patch(`${here.path}/${(await mine()).id}/moderate`, decision),
      await caller.patch(`${here.path}/${(await theClubs()).id}/moderate`, decision),
    ]
    expect(seen.map(({ status }) => status).join(' ')).toBe(expected)
    const [listed, created, own, supervised] = seen.map(({ body }) => body.error)
    if (listed !== undefined) expect([created, own, supervised]).toEqual([listed, listed, listed])
    // Right mairie without the permission: writing is forbidden, deciding is a scope violation.
    else expect(['forbidden', 'scope_violation', undefined]).toEqual(expect.arrayContaining([created, own]))
  },
)

test('POST /mairie/acteurs/{acteurId}/publications returns 201, published if the mairie can_publish', async () => {
  const answer = await here.writer.post(here.path, { ...content, body: '<p onclick="x()">Venez !</p>' })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.body.data).toMatchObject({
    title: content.title,
    body: '<p>Venez !</p>',
    acteur_id: here.hall.id,
    commune_id: here.commune.id,
    commune_ids: [here.commune.id],
    status: 'published',
    valide: true,
  })
  expect((await world.get(`/publications/${answer.body.data.id}`)).status).toBe(200)
  const auditEntries = await db
    .selectFrom('audit_log')
    .select(['action', 'app_source'])
    .where('entity_id', '=', answer.body.data.id)
    .execute()
  expect(auditEntries).toEqual([{ action: 'publication.create', app_source: 'mairie' }])
})

test('POST /mairie/acteurs/{acteurId}/publications returns 422 for an invalid body and for an acteur_id', async () => {
  for (const body of [
    {},
    { title: 'Sans texte' },
    { ...content, title: '' },
    { ...content, type_id: uuidv7() },
  ])
    expect(await here.owner.post(here.path, body)).toBeError(422, 'validation_failed')
  const named = await here.owner.post(here.path, { ...content, acteur_id: here.hall.id })
  expect(named).toBeError(422, 'validation_failed')
  expect(named.body.details[0].field).toBe('acteur_id')
})

test('a mairie can only write within its commune, even through an administrator', async () => {
  for (const caller of [here.owner, callers['an admin']]) {
    const elsewhere = await caller.post(here.path, { ...content, commune_id: there.commune.id })
    expect(elsewhere).toBeError(403, 'scope_violation')
    const both = { ...content, commune_ids: [here.commune.id, there.commune.id] }
    expect(await caller.post(here.path, both)).toBeError(403, 'scope_violation')
  }
})

test('a mairie that can_publish can schedule publications, also through an administrator', async () => {
  const quiet = await openMairie(world, { can_publish: false })
  const publie_le = new Date(Date.now() + 86_400_000).toISOString()
  for (const caller of [here.writer, callers['an admin']]) {
    const { body } = await caller.post(here.path, { ...content, publie_le })
    expect(body.data).toMatchObject({ acteur_id: here.hall.id, status: 'approved', valide: true, publie_le })
  }
  for (const caller of [quiet.owner, callers['an admin']])
    expect(await caller.post(quiet.path, { ...content, publie_le })).toBeError(422, 'validation_failed')
})

test.each([
  ['GET /mairie/acteurs/{acteurId}/publications answers 404', 'GET', ''],
  ['POST /mairie/acteurs/{acteurId}/publications answers 404', 'POST', ''],
  [
    'PATCH /mairie/acteurs/{acteurId}/publications/{publicationId}/moderate returns 404',
    'PATCH',
    `/${uuidv7()}/moderate`,
  ],
])('%s for an unknown acteur', async (_title, method, rest) => {
  const body = { GET: undefined, POST: content, PATCH: { moderation_status: 'rejected' } }[method]
  for (const id of [uuidv7(), 'nonsense']) {
    for (const caller of [here.owner, callers['an admin']]) {
      const answer = await caller.send(method, `/mairie/acteurs/${id}/publications${rest}`, body)
      expect(answer).toBeError(404, 'not_found')
    }
  }
})

test('an acteur that is not a mairie has no such routes, even for its owner and an administrator', async () => {
  const path = `/mairie/acteurs/${here.club.id}/publications`
  for (const caller of [here.clubOwner, callers['an admin']]) {
    expect(await caller.get(path)).toBeError(403, 'scope_violation')
    expect(await caller.post(path, content)).toBeError(403, 'scope_violation')
  }
})
