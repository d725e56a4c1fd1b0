import { expect, test } from 'vitest'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { hiddenStates, insertPublication, restrictedSource } from '../publications.test-kit.ts'
import { sorts } from './sorts.ts'

const world = await openWorld()
const { db } = world
const commune = await world.commune()
const elsewhere = await world.commune()
const [club, shop, gone, foreign] = await Promise.all([
  world.acteur({ commune_id: commune.id }),
  world.acteur({ active: false }),
  world.acteur({ deleted_at: new Date() }),
  world.acteur(),
])
const me = await world.user({
  memberships: [{ acteur: club, role: 'owner' }, { acteur: shop }, { acteur: gone, role: 'owner' }],
})
const mine = world.client({ source: 'public', token: me.token })
const type_id = '01998000-0000-7000-8000-000000000002'

const add = (title: string, acteur_id: string | null, values: object = {}) =>
  insertPublication(world, { title, acteur_id, ...values })
for (const [name, state] of Object.entries(hiddenStates)) await add(`du club, ${name}`, club.id, state)
const shown = await add('du club', club.id, {
  commune_id: commune.id,
  type_id,
  moderation_reason: 'Relu',
  decided_centrally: true,
})
await add('du club, ailleurs', club.id, { commune_id: elsewhere.id })
const closed = await add('de la boutique', shop.id)
const left = await add('d’un disparu', gone.id)
const others = await add('d’un autre', foreign.id)
const nobodys = await add('de personne', null)

const all = [
  'de la boutique',
  'du club',
  'du club, ailleurs',
  ...Object.keys(hiddenStates)
    .filter((name) => name !== 'deleted')
    .map((name) => `du club, ${name}`),
].sort()

async function titles(query: string, caller = mine): Promise<string[]> {
  const { status, body } = await caller.get(`/me/publications${query}`)
  expect(status, query).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ title }: { title: string }) => title).sort()
}

test("GET /me/publications returns 200 with the publications of the caller's acteurs, except deleted ones", async () => {
  expect(await titles('')).toEqual(all)
  const { body } = await mine.get('/me/publications')
  expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 25, total: all.length })
  const rowOf = (title: string) => body.data.find((row: { title: string }) => row.title === title)
  expect(rowOf('du club')).toMatchObject({ moderation_reason: 'Relu', version: 1, hidden_because: [] })
  expect(rowOf('de la boutique').hidden_because).toEqual(['acteur_inactive'])
  expect(rowOf('du club, pending').hidden_because).toEqual(['not_valid', 'pending'])
  expect(await titles('', world.client({ token: (await world.user()).token }))).toEqual([])
})

test("an administrator sees their own acteurs' publications only", async () => {
  const { token } = await world.user({ roles: ['admin'], memberships: [{ acteur: shop }] })
  expect(await titles('', world.client({ source: 'backoffice', token }))).toEqual(['de la boutique'])
})

test.each<[string, string[]]>([
  [`?acteur_id=${shop.id}`, ['de la boutique']],
  [`?acteur_id=${foreign.id}`, []],
  [`?acteur_id=${gone.id}`, []],
  [`?commune_id=${commune.id}`, ['du club']],
  [`?type_id=${type_id}`, ['du club']],
  ['?moderation_status=pending', ['du club, pending']],
  ['?moderation_status=pending,rejected', ['du club, pending', 'du club, rejected']],
  ['?q=boutique', ['de la boutique']],
])('GET /me/publications%s', async (query, expected) => expect(await titles(query)).toEqual(expected))

test('GET /me/publications supports the sorts of the back-office, page by page', async () => {
  for (const sort of sorts) {
    const ids = async (page: number, perPage: number) =>
      (await mine.get(`/me/publications?sort=${sort}&per_page=${perPage}&page=${page}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    const whole = await ids(1, 100)
    expect(whole).toHaveLength(all.length)
    expect([...(await ids(1, 5)), ...(await ids(2, 5))]).toEqual(whole)
  }
  const { body } = await mine.get('/me/publications?sort=titre_asc')
  const titlesAsListed = body.data.map(({ title }: { title: string }) => title)
  expect(titlesAsListed[0]).toBe('de la boutique')
})

test('GET /me/publications returns 401, 403 and 422', async () => {
  expect(await world.get('/me/publications')).toBeError(401, 'unauthenticated')
  await db.insertInto('app_sources').values({ code: 'shut', label: 'Shut', active: false }).execute()
  for (const path of ['/me/publications', `/me/publications/${shown.id}`])
    expect(await mine.get(path, { source: 'shut' })).toBeError(403, 'scope_violation')
  for (const query of ['sort=newest', 'deleted=true', 'acteur_id=12', 'moderation_status=gone', 'page=0'])
    expect(await mine.get(`/me/publications?${query}`)).toBeError(422, 'validation_failed')
})

test('GET /me/publications/{id} returns 200 with its version for If-Match', async () => {
  const answer = await mine.get(`/me/publications/${shown.id}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body.data).toMatchObject({ title: 'du club', moderation_reason: 'Relu', version: 1 })
  expect((await mine.get(`/me/publications/${closed.id}`)).body.data.hidden_because).toEqual([
    'acteur_inactive',
  ])
  const headers = { 'if-match': answer.headers.get('etag') ?? '' }
  const path = `/publications/${shown.id}`
  expect((await mine.patch(path, { epingle: true }, { headers })).status).toBe(200)
  expect(await mine.patch(path, { epingle: false }, { headers })).toBeError(412, 'precondition_failed')
})

test('GET /me/publications/{id} returns 401, and 404 for foreign or deleted ones', async () => {
  expect(await world.get(`/me/publications/${shown.id}`)).toBeError(401, 'unauthenticated')
  const deleted = await add('Supprimée', club.id, hiddenStates.deleted)
  for (const id of [others.id, nobodys.id, left.id, deleted.id, uuidv7(), 'nonsense'])
    expect(await mine.get(`/me/publications/${id}`)).toBeError(404, 'not_found')
})

test('an application restricted to communes sees only publications there', async () => {
  const source = await restrictedSource(world, [elsewhere.id])
  const { token } = me
  expect(await titles('', world.client({ source, token }))).toEqual(['du club, ailleurs'])
  expect(await mine.get(`/me/publications/${shown.id}`, { source })).toBeError(403, 'scope_violation')
})

test('GET /me/publications needs as many statements for one row as for all', async () => {
  const counts = []
  for (const size of [1, 100])
    counts.push(
      (await statementsAbout(/from publications p/, () => mine.get(`/me/publications?per_page=${size}`)))
        .length,
    )
  // The total, and the page.
  expect(counts).toEqual([2, 2])
})
