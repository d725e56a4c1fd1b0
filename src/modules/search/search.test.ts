import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { insertDefibrillateur } from '../defibrillateurs/defibrillateurs.test-kit.ts'
import { failedEvent, knownSubscription } from '../payments/payments.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import type { Found } from './routes.admin.ts'

const world = await openWorld()
const { as, db } = world
const admin = await as('admin')
const { claim } = claimsKit(world)

type Client = Awaited<ReturnType<typeof as>>
const find = async (q: string, by: Client = admin): Promise<Found[]> => {
  const { status, body, text } = await by.get(`/admin/search?q=${encodeURIComponent(q)}`)
  expect(status, text).toBe(200)
  return body.data
}
const idsOf = (found: Found[]) => found.map(({ id }) => id)

const commune = await world.commune({
  nom: 'Pomerol',
  code_insee: '33328',
  codes_postaux: ['33500'],
  population: 600,
})
const acteur = await world.acteur({
  nom: 'Pomme d’Api',
  slug: 'pomme-d-api',
  commune_id: commune.id,
  valide: true,
})
const publication = await insertPublication(world, { title: 'Fête de la pomme', acteur_id: acteur.id })
const zoe = await world.user({ nom: 'Zoé Pommier', email: 'zoe@pomme.example' })
const claimId = await claim({ acteur, email: 'zoe@pomme.example' })
const { body: thread } = await world.post('/support/messages', {
  email: 'zoe@pomme.example',
  subject: 'Pommes perdues',
  body: 'Bonjour',
})
const source = {
  id: uuidv7(),
  nom: 'Pommes du jour',
  type: 'rss',
  url: 'https://feed.example/pommes',
  deleted_at: null as Date | null,
}
await db.insertInto('import_sources').values(source).execute()
const subscription = await knownSubscription(db, { id: 'sub_pomme', customer: 'cus_pomme' })
await db.updateTable('subscriptions').set({ acteur_id: acteur.id }).where('id', '=', subscription).execute()
const defibrillateur = await insertDefibrillateur(db, { nom: 'Salle de la Pomme', commune_nom: 'Pomerol' })

test('GET /admin/search returns 200 with records of every kind, ignoring case and accents', async () => {
  const found = await find('POMM')
  expect(Object.fromEntries(found.map(({ kind, id }) => [kind, id]))).toEqual({
    publication: publication.id,
    acteur: acteur.id,
    user: zoe.id,
    claim: claimId,
    thread: thread.data.id,
    import_source: source.id,
    subscription,
    defibrillateur: defibrillateur.id,
  })
  expect(found.find(({ kind }) => kind === 'publication')).toEqual({
    kind: 'publication',
    id: publication.id,
    label: 'Fête de la pomme',
    detail: 'Pomme d’Api',
    exact: false,
  })
  expect(idsOf(await find('pomer'))).toEqual([commune.id, defibrillateur.id])
})

test.each([
  ['an id', publication.id, [publication.id]],
  ['an id in capitals', acteur.id.toUpperCase(), [acteur.id]],
  ['a code of a commune', '33328', [commune.id]],
  ['a postal code', '33500', [commune.id]],
  ['a slug', 'pomme-d-api', [acteur.id]],
  ['an address', 'Zoe@Pomme.example', [zoe.id, claimId]],
  ['the id of a subscription at the provider', 'sub_pomme', [subscription]],
  ['the id of a customer at the provider', 'cus_pomme', [subscription]],
  ['the code of a defibrillator', defibrillateur.gid, [defibrillateur.id]],
])('GET /admin/search finds %s first, as exact', async (_what, q, ids) => {
  const exact = (await find(q)).filter((found) => found.exact)
  expect(idsOf(exact).sort()).toEqual(ids.toSorted())
  expect(
    idsOf(await find(q))
      .slice(0, ids.length)
      .sort(),
  ).toEqual(ids.toSorted())
})

test('GET /admin/search finds records of a name before those whose name begins with it, then texts', async () => {
  const named = await world.acteur({ nom: 'Ressourcerie' })
  const begins = await world.acteur({ nom: 'Ressourcerie du Lac' })
  const titled = await insertPublication(world, { title: 'La ressourcerie', body: 'Un lieu.' })
  const of = { title: 'Troc', body: 'Chaque samedi à la ressourcerie.' }
  const mentions = [await insertPublication(world, of), await insertPublication(world, of)]
  const found = await find('ressourcerie')
  expect(idsOf(found).slice(0, 2)).toEqual([named.id, begins.id])
  expect(idsOf(found).slice(2).sort()).toEqual([titled.id, ...mentions.map(({ id }) => id)].sort())
})

test('GET /admin/search finds a publication of this title, however many newer texts have the word', async () => {
  const { id } = await insertPublication(world, { title: 'Guinguette', created_at: new Date(0) })
  for (let n = 0; n < 6; n++) await insertPublication(world, { title: `Bal ${n}`, body: 'À la guinguette.' })
  const found = await find('guinguette')
  expect(found).toHaveLength(5)
  expect(found[0]).toMatchObject({ id, label: 'Guinguette' })
})

test('GET /admin/search finds a payment event by its id, for those who open payments', async () => {
  const id = await failedEvent(db)
  expect(await find(id)).toEqual([
    { kind: 'payment_event', id, label: id, detail: 'customer.subscription.updated', exact: true },
  ])
  expect(await find(id, await as('moderator'))).toEqual([])
})

test('GET /admin/search finds the publications whose text contains a mail address', async () => {
  const body = 'Inscriptions : loto.pommes@vergers.example, places limitées.'
  const { id } = await insertPublication(world, { title: 'Loto', body })
  await insertPublication(world, { title: 'Loto des vergers', body: 'Inscriptions sur place.' })
  expect(idsOf(await find('loto.pommes@vergers.example'))).toEqual([id])
})

test('GET /admin/search finds a thread by its number and by the address of its sender', async () => {
  const { number } = await db
    .selectFrom('support_threads')
    .select('number')
    .where('id', '=', thread.data.id)
    .executeTakeFirstOrThrow()
  expect((await find(`#${number}`))[0]).toMatchObject({ kind: 'thread', id: thread.data.id, exact: true })
  expect(idsOf(await find('zoe@pomme.example'))).toContain(thread.data.id)
})

test('GET /admin/search finds a commune by the code of one that joined it', async () => {
  await db
    .insertInto('commune_aliases')
    .values({ code_insee: '33999', commune_id: commune.id, nom: 'Catusseau', type: 'deleguee' })
    .execute()
  expect(await find('33999')).toMatchObject([{ id: commune.id, exact: true }])
  expect(idsOf(await find('catuss'))).toEqual([commune.id])
})

test('GET /admin/search omits kinds without permission for the caller’s roles', async () => {
  const kinds = async (...roles: Parameters<typeof as>) =>
    new Set((await find('pomme', await as(...roles))).map(({ kind }) => kind))
  expect(await kinds('moderator')).toEqual(new Set(['publication', 'claim']))
  expect(await kinds('support')).toEqual(new Set(['thread']))
  expect(await find(acteur.id, await as('moderator'))).toEqual([])
  expect(await (await as()).get('/admin/search?q=pomme')).toBeError(403, 'admin_required')
})

test('GET /admin/search returns at most five per kind, names that start with the text first', async () => {
  const named = []
  for (let n = 0; n < 7; n++) named.push(await world.acteur({ nom: `Cerise ${n}` }))
  const inside = await world.acteur({ nom: 'La Cerise' })
  const found = await find('cerise')
  expect(idsOf(found)).toEqual(idsOf(named as unknown as Found[]).slice(0, 5))
  await db
    .deleteFrom('acteurs')
    .where('id', '=', named[0]?.id ?? '')
    .execute()
  for (const { id } of named.slice(1, 4)) await db.deleteFrom('acteurs').where('id', '=', id).execute()
  expect(idsOf(await find('cerise')).at(-1)).toBe(inside.id)
})

test('GET /admin/search returns an acteur before the claims and subscriptions that have its name', async () => {
  const kinds = (await find('pomme d api')).map(({ kind }) => kind)
  const last = kinds.filter((kind) => kind === 'claim' || kind === 'subscription')
  expect(last.length).toBeGreaterThan(1)
  expect(kinds.indexOf('acteur')).toBeLessThan(kinds.indexOf('claim'))
  expect(kinds.indexOf('acteur')).toBeLessThan(kinds.indexOf('subscription'))
})

test('GET /admin/search finds deleted publications and acteurs by id only, and deleted sources not at all', async () => {
  const deleted = { deleted_at: new Date() }
  const gone = await insertPublication(world, { title: 'Mirabelle', ...deleted })
  const closed = await world.acteur({ nom: 'Mirabelle', ...deleted })
  const stopped = { ...source, id: uuidv7(), nom: 'Mirabelle', ...deleted, actif: false }
  await db.insertInto('import_sources').values(stopped).execute()
  expect(await find('mirabelle')).toEqual([])
  expect(idsOf(await find(gone.id))).toEqual([gone.id])
  expect(idsOf(await find(closed.id))).toEqual([closed.id])
  expect(await find(stopped.id)).toEqual([])
})

test('GET /admin/search does not find an erased account by its id', async () => {
  const { id } = await world.user()
  expect(idsOf(await find(id))).toEqual([id])
  await admin.post('/admin/people/erase', { user_id: id })
  expect(await find(id)).toEqual([])
})

test('GET /admin/search finds nothing by punctuation alone, and no character is a wildcard', async () => {
  for (const q of ['%', '_', "'", '@', '漢字', 'pom%api', '\\']) expect(await find(q), q).toEqual([])
})

test('GET /admin/search returns 422 for a missing or too long text', async () => {
  for (const q of ['', '%20', 'x'.repeat(201)])
    expect(await admin.get(`/admin/search?q=${q}`)).toBeError(422, 'validation_failed')
  expect(await admin.get('/admin/search')).toBeError(422, 'validation_failed')
})
