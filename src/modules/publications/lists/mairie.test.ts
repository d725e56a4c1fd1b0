import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { hiddenStates, insertPublication, restrictedSource } from '../publications.test-kit.ts'

const world = await openWorld()
const { commune, acteur, user, client, db } = world

type Listed = { id: string; title: string; moderation_reason: string | null; version: number }
const here = await openMairie(world)
const there = await openMairie(world)
const add = (title: string, acteur_id: string | null, commune_ids: string[], values = {}) =>
  insertPublication(world, { title, acteur_id, commune_id: commune_ids[0] ?? null, commune_ids, ...values })

const [a, b] = [here.commune.id, there.commune.id]
const statesOfOwn = Object.entries(hiddenStates)
for (const [name, state] of statesOfOwn) await add(`own, ${name}`, here.hall.id, [a], state)
await add('own', here.hall.id, [a], { moderation_reason: 'Relu' })
await add('own, elsewhere', here.hall.id, [b])
await add('the club’s', here.club.id, [a])
await add('the club’s, pending', here.club.id, [a], hiddenStates.pending)
await add('the club’s, deleted', here.club.id, [a], hiddenStates.deleted)
await add('the club’s, of two communes', here.club.id, [a, b])
await add('the club’s, of none', here.club.id, [])
await add('another club’s, here alone', there.club.id, [a])
await add('another club’s', there.club.id, [b])
await add('another mairie’s', there.hall.id, [a])
await add('of no acteur', null, [a])

const own = [
  'own',
  'own, elsewhere',
  ...statesOfOwn.filter(([name]) => name !== 'deleted').map(([name]) => `own, ${name}`),
].sort()
const supervised = ['another club’s, here alone', 'the club’s', 'the club’s, pending']

async function titles(query: string, caller = here.editor) {
  const { status, body } = await caller.get(`${here.path}${query}`)
  expect(status, query).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ title }: Listed) => title).sort()
}

test('GET /mairie/acteurs/{acteurId}/publications returns 200 with its own, except deleted ones', async () => {
  expect(await titles('')).toEqual(own)
  expect(await titles('?supervision=false')).toEqual(own)
  const { body } = await here.editor.get(`${here.path}?q=own`)
  expect(body.data.find(({ title }: Listed) => title === 'own')).toMatchObject({
    moderation_reason: 'Relu',
    version: 1,
    acteur: { id: here.hall.id },
    commune_ids: [a],
  })
})

test("supervision=true adds other acteurs' publications for its commune alone; only shows just those", async () => {
  expect(await titles('?supervision=true')).toEqual([...own, ...supervised].sort())
  expect(await titles('?supervision=only')).toEqual(supervised)
})

test("a moderation reason is shown to the acteur's members, not to the supervising mairie; report counts to neither", async () => {
  const told = await openMairie(world)
  for (const acteur of [told.hall, told.club]) {
    const { id } = await add(`de ${acteur.id}`, acteur.id, [told.commune.id], {
      moderation_status: 'rejected',
      valide: false,
      moderation_reason: 'Plainte de M. Untel',
    })
    await world.db
      .insertInto('publication_reports')
      .values({ id: uuidv7(), publication_id: id, caller_key: 'user x', day: '2026-11-20' })
      .execute()
  }
  const member = await user({ memberships: [{ acteur: told.club }] })
  const mine = await client({ token: member.token }).get('/me/publications')
  const lists = {
    member: mine.body.data,
    mairie: (await told.editor.get(`${told.path}?supervision=true`)).body.data,
    moderator: (await (await world.as('moderator')).get(`/admin/publications?commune_id=${told.commune.id}`))
      .body.data,
  }
  const reasonOf = (list: Listed[], { id }: { id: string }) =>
    list.find(({ title }) => title === `de ${id}`)?.moderation_reason
  expect(reasonOf(lists.member, told.club)).toBe('Plainte de M. Untel')
  expect(reasonOf(lists.mairie, told.hall)).toBe('Plainte de M. Untel')
  expect(reasonOf(lists.mairie, told.club)).toBeNull()
  expect(reasonOf(lists.moderator, told.club)).toBe('Plainte de M. Untel')
  for (const row of [...lists.member, ...lists.mairie]) expect(row).not.toHaveProperty('reports_open')
  expect(lists.moderator.map((row: { reports_open: number }) => row.reports_open)).toEqual([1, 1])
})

test.each(['deleted=true', 'deleted=only', 'deleted=constructor'])(
  'refuses filters of the back-office: %s',
  async (query) => {
    const answer = await here.editor.get(`${here.path}?${query}`)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toEqual([{ field: 'deleted', message: 'is not a known field' }])
  },
)

test('supervision ends when the commune names another mairie', async () => {
  const moved = await openMairie(world)
  await add('moving', moved.club.id, [moved.commune.id])
  const seen = async () =>
    (await moved.owner.get(`${moved.path}?supervision=only`)).body?.data?.map(({ title }: Listed) => title)
  expect(await seen()).toEqual(['moving'])
  const second = await commune({ mairie_actor_id: moved.hall.id })
  const updated = { mairie_actor_id: there.hall.id }
  await db.updateTable('communes').set(updated).where('id', '=', moved.commune.id).execute()
  expect(await seen()).toEqual([])
  await db.updateTable('communes').set({ mairie_actor_id: null }).where('id', '=', second.id).execute()
  expect(await moved.owner.get(moved.path)).toBeError(403, 'scope_violation')
})

test('a mairie of several communes supervises publications within them, listed once each', async () => {
  const mairie = await openMairie(world)
  const second = await commune({ mairie_actor_id: mairie.hall.id })
  await add('of both', mairie.club.id, [mairie.commune.id, second.id])
  await add('of the second', mairie.club.id, [second.id])
  await add('of the second and another', mairie.club.id, [second.id, b])
  const { body } = await mairie.owner.get(`${mairie.path}?supervision=true&sort=titre_asc`)
  expect(body.data.map(({ title }: Listed) => title)).toEqual(['of both', 'of the second'])
  expect(body.meta.total).toBe(2)
})

test('supports the filters of the back-office, combined', async () => {
  const type = '01998000-0000-7000-8000-000000000002'
  const mairie = await openMairie(world)
  const marked = await add('Marché', mairie.club.id, [mairie.commune.id], {
    type_id: type,
    en_avant: true,
    body: 'Pommes et poires',
  })
  await add('Travaux', mairie.hall.id, [mairie.commune.id])
  await add('Attente', mairie.club.id, [mairie.commune.id], hiddenStates.pending)
  await db
    .insertInto('publication_reports')
    .values({ id: uuidv7(), publication_id: marked.id, caller_key: 'x', day: sql`current_date` })
    .execute()
  const list = async (query: string) => {
    const { body } = await mairie.owner.get(`${mairie.path}?supervision=true&${query}`)
    return body.data.map(({ title }: Listed) => title).sort()
  }
  for (const query of [
    `type_id=${type}`,
    'en_avant=true',
    'reported=true',
    'q=pomme',
    'q=marche&valide=true',
  ])
    expect(await list(query), query).toEqual(['Marché'])
  expect(await list(`acteur_id=${mairie.club.id}`)).toEqual(['Attente', 'Marché'])
  expect(await list(`acteur_id=${mairie.hall.id}`)).toEqual(['Travaux'])
  expect(await list('moderation_status=pending')).toEqual(['Attente'])
  expect(await list('valide=false')).toEqual(['Attente'])
  expect(await list(`commune_id=${mairie.commune.id}&q=travaux`)).toEqual(['Travaux'])
  expect(await list(`commune_id=${b}`)).toEqual([])
})

test('sorts and pages, newest first by default', async () => {
  const mairie = await openMairie(world)
  for (const [index, title] of ['Bal', 'Attelage', 'Concert'].entries()) {
    const created_at = new Date(Date.now() - index * 60_000)
    await add(title, index === 1 ? mairie.club.id : mairie.hall.id, [mairie.commune.id], { created_at })
  }
  const list = async (query: string) => {
    const { body } = await mairie.owner.get(`${mairie.path}?supervision=true&${query}`)
    return [...body.data.map(({ title }: Listed) => title), body.meta.total]
  }
  expect(await list('')).toEqual(['Bal', 'Attelage', 'Concert', 3])
  expect(await list('sort=titre_asc')).toEqual(['Attelage', 'Bal', 'Concert', 3])
  expect(await list('sort=titre_desc&per_page=2&page=2')).toEqual(['Attelage', 3])
  expect(await list('page=7')).toEqual([3])
  const nothing = await openMairie(world)
  expect((await nothing.owner.get(nothing.path)).body).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 0 },
  })
})

test('GET /mairie/acteurs/{acteurId}/publications returns 422 for an invalid query', async () => {
  for (const query of ['page=0', 'sort=hasard', 'supervision=yes', 'moderation_status=draft', 'type_id=12'])
    expect(await here.owner.get(`${here.path}?${query}`)).toBeError(422, 'validation_failed')
})

test('an application restricted to communes sees only publications there', async () => {
  const mairie = await openMairie(world)
  const second = await commune({ mairie_actor_id: mairie.hall.id })
  await add('first', mairie.hall.id, [mairie.commune.id])
  await add('second', mairie.hall.id, [second.id])
  await add('the club’s first', mairie.club.id, [mairie.commune.id])
  const source = await restrictedSource(world, [second.id])
  const { token } = await user({ memberships: [{ acteur: mairie.hall, role: 'owner' }] })
  const restricted = client({ source, token })
  const { body } = await restricted.get(`${mairie.path}?supervision=true`)
  expect(body.data.map(({ title }: Listed) => title)).toEqual(['second'])
  expect(body.meta.total).toBe(1)
  const words = { title: 'Hors', body: 'champ' }
  const outside = await restricted.post(mairie.path, { ...words, commune_id: mairie.commune.id })
  expect(outside).toBeError(403, 'scope_violation')
  expect((await restricted.post(mairie.path, { ...words, commune_id: second.id })).status).toBe(201)
})

test('an administrator sees the same list of a mairie as its members', async () => {
  const admin = client({ source: 'backoffice', token: (await user({ roles: ['admin'] })).token })
  expect(await titles('?supervision=true', admin)).toEqual([...own, ...supervised].sort())
  const stranger = await acteur({ type: 'mairie' })
  expect(await admin.get(`/mairie/acteurs/${stranger.id}/publications`)).toBeError(403, 'scope_violation')
})

test('duplicates=true returns suspected duplicates of its list, grouped', async () => {
  const mairie = await openMairie(world)
  const group = (letter: string) => ({ duplicate_key: `s:${letter.repeat(32)}` })
  const at = (day: number) => ({ created_at: new Date(Date.UTC(2026, 9, day)) })
  await add('A1', mairie.hall.id, [mairie.commune.id], { ...group('a'), ...at(1) })
  await add('B1', mairie.hall.id, [mairie.commune.id], { ...group('b'), ...at(2) })
  await add('Alone', mairie.hall.id, [mairie.commune.id], { ...group('c'), ...at(3) })
  await add('B2', mairie.club.id, [mairie.commune.id], { ...group('b'), ...at(4) })
  await add('A2', mairie.hall.id, [mairie.commune.id], { ...group('a'), ...at(5) })
  await add('A3, elsewhere', there.club.id, [b], { ...group('a'), ...at(6) })
  const list = async (query: string) => {
    const { body } = await mairie.owner.get(`${mairie.path}?duplicates=true&${query}`)
    return body
  }
  const { data, meta } = await list('supervision=true')
  expect(data.map(({ title }: Listed) => title)).toEqual(['A2', 'A1', 'B2', 'B1'])
  expect(meta.total).toBe(4)
  expect(data[0]).toMatchObject({ ...group('a'), duplicate_reason: 'signature', duplicate_count: 3 })
  const second = await list('supervision=true&sort=created_at_asc&per_page=3&page=2')
  expect(second.data.map(({ title }: Listed) => title)).toEqual(['B2'])
  // Including members of a group whose other members it cannot see.
  expect((await list('')).data.map(({ title }: Listed) => title)).toEqual(['A2', 'A1', 'B1'])
})
