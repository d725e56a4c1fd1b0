import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import {
  hiddenStates,
  insertPublication,
  openAssociation,
  restrictedSource,
} from '../publications.test-kit.ts'

const world = await openWorld()
const { db, get } = world
const { commune, acteur } = await openAssociation(world)
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const publication = (values: Parameters<typeof insertPublication>[1] = {}) =>
  insertPublication(world, { acteur_id: acteur.id, commune_id: commune.id, ...values })
const idsOf = ({ body }: Awaited<ReturnType<typeof get>>) => body.data.map(({ id }: { id: string }) => id)
const ago = (minutes: number) => sql<Date>`now() - ${minutes} * interval '1 minute'`
const everywhere = (word: string) => [
  `/publications?q=${word}`,
  `/acteurs/${acteur.id}/publications?q=${word}`,
  `/communes/${commune.id}/publications?q=${word}`,
]

test('GET /publications/types returns 200 with all types in order', async () => {
  const { status, body } = await get('/publications/types')
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([
    'actualite',
    'evenement',
    'annonce',
    'alerte',
    'travaux',
    'association',
    'commerce',
  ])
})

test('GET /publications/{id} returns 200 with related data, and 304 on a match', async () => {
  const type_id = '01998000-0000-7000-8000-000000000002'
  const { id } = await publication({ type_id, date_debut: '2026-10-03', moderation_status: 'approved' })
  const answer = await get(`/publications/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({
    id,
    acteur: { id: acteur.id, nom: acteur.nom, slug: acteur.slug, type: 'association', badge: null },
    commune: { id: commune.id, slug: commune.slug, nom: commune.nom },
    type: { id: type_id, slug: 'evenement' },
    commune_id: commune.id,
    commune_ids: [commune.id],
    date_debut: '2026-10-03',
    status: 'approved',
    moderation_status: 'approved',
    deleted_at: null,
  })
  expect((await get(`/acteurs/${acteur.id}/publications`)).body.data[0]).toHaveProperty('deleted_at', null)
  for (const secret of ['moderation_reason', 'duplicate_key', 'version', 'reports_open', 'hidden_because']) {
    expect(answer.body.data).not.toHaveProperty(secret)
  }
  const etag = answer.headers.get('etag') ?? ''
  expect((await get(`/publications/${id}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('GET /publications/{id} returns 404', async () => {
  for (const id of [unknown, 'nonsense', `${unknown}0`, '%00', 'typesx']) {
    expect(await get(`/publications/${id}`)).toBeError(404, 'not_found')
  }
})

test.each(Object.entries(hiddenStates))(
  'a hidden publication is a 404 or absent on every path: %s',
  async (name, state) => {
    const word = `cache${name.replaceAll(' ', '')}`
    const { id } = await publication({ title: word, ...state })
    const [hidden, none] = [await get(`/publications/${id}`), await get(`/publications/${unknown}`)]
    expect(hidden).toBeError(404, 'not_found')
    expect(hidden.text).toBe(none.text)
    for (const path of everywhere(word)) {
      expect((await get(path)).body).toMatchObject({ data: [], meta: { total: 0 } })
    }
    expect((await world.post(`/publications/${id}/report`)).text).toBe(none.text)
  },
)

test('publications of an inactive or deleted acteur are hidden, and its list is a 404', async () => {
  for (const state of [{ active: false }, { deleted_at: new Date() }]) {
    const gone = await world.acteur({ commune_id: commune.id, valide: true, ...state })
    const { id } = await publication({ acteur_id: gone.id, title: 'Disparue' })
    expect(await get(`/publications/${id}`)).toBeError(404, 'not_found')
    expect(await get(`/acteurs/${gone.id}/publications`)).toBeError(404, 'not_found')
    expect((await get('/publications?q=disparue')).body.meta.total).toBe(0)
    expect((await get(`/communes/${commune.id}/publications?q=disparue`)).body.meta.total).toBe(0)
  }
})

test("a publication shows its acteur's current badge, and no commune if it has none", async () => {
  const badge = 'Association de l’année'
  const shop = await world.acteur({ type: 'commerce', badge, valide: true })
  const { id } = await publication({ acteur_id: shop.id, commune_id: null })
  const { data } = (await get(`/publications/${id}`)).body
  expect(data).toMatchObject({ acteur: { type: 'commerce', badge }, commune: null, commune_id: null })
})

test('a publication without an acteur is visible; a scheduled one becomes visible when due', async () => {
  const orphan = await publication({ acteur_id: null })
  expect((await get(`/publications/${orphan.id}`)).body.data.acteur).toBeNull()
  const { id } = await publication({
    moderation_status: 'approved',
    publie_le: sql<Date>`now() + interval '1 hour'`,
  })
  expect((await get(`/publications/${id}`)).status).toBe(404)
  await db
    .updateTable('publications')
    .set({ publie_le: ago(1) })
    .where('id', '=', id)
    .execute()
  expect((await get(`/publications/${id}`)).status).toBe(200)
})

test('GET /publications returns 200, featured first, then newest, page by page', async () => {
  const title = 'Rangement'
  const plain = [
    await publication({ title, publie_le: ago(3) }),
    await publication({ title, publie_le: ago(1) }),
  ]
  const past = await publication({ title, publie_le: ago(2), en_avant: true, featured_until: ago(1) })
  const featured = [
    await publication({ title, publie_le: ago(90), en_avant: true }),
    await publication({
      title,
      publie_le: ago(80),
      en_avant: true,
      featured_until: sql<Date>`now() + interval '1 hour'`,
    }),
  ]
  const expected = [featured[1], featured[0], plain[1], past, plain[0]].map((one) => one?.id)
  const all = await get('/publications?q=rangement')
  expect(idsOf(all)).toEqual(expected)
  expect(all.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 5 })
  expect(all.body.data[3]).toMatchObject({ en_avant: false, featured_until: null })
  for (const perPage of [1, 2, 3, 4]) {
    const pages = [1, 2, 3, 4, 5].map((page) =>
      get(`/publications?q=rangement&per_page=${perPage}&page=${page}`),
    )
    expect((await Promise.all(pages)).flatMap(idsOf)).toEqual(expected)
  }
  const beyond = await get('/publications?q=rangement&page=9007199254740991&per_page=500')
  expect(beyond.body).toMatchObject({ data: [], meta: { per_page: 100, last_page: 1, total: 5 } })
})

test('pages of a very long list have no gaps or overlaps', async () => {
  const place = await world.commune()
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into publications (id, slug, title, body, commune_id, moderation_status, valide, publie_le, en_avant, duplicate_key)
      select gen_random_uuid(), 'x', 'Longue', 'x', ${place.id}, 'published', true,
        date_trunc('second', now()) - (n / 3) * interval '1 minute', n % 500 = 7, 's:' || md5(n::text)
      from generate_series(1, 2100) n returning id, commune_id, publie_le, en_avant),
    linked as (insert into publication_communes (publication_id, commune_id) select id, commune_id from made)
    select id from made order by en_avant desc, publie_le desc, id desc`.execute(db)
  const pages = []
  for (let page = 1; page <= 22; page++)
    pages.push(await get(`/communes/${place.id}/publications?per_page=97&page=${page}`))
  expect(pages.flatMap(idsOf)).toEqual(rows.map(({ id }) => id))
  expect(pages[0]?.body.meta).toEqual({ current_page: 1, last_page: 22, per_page: 97, total: 2100 })
})

test('filters by commune, acteur, type and day, alone and combined', async () => {
  const [near, far] = [await world.commune(), await world.commune()]
  const other = await world.acteur()
  const type_id = '01998000-0000-7000-8000-000000000003'
  const a = await publication({
    commune_id: near.id,
    commune_ids: [near.id, far.id],
    type_id,
    date_debut: '2026-10-03',
  })
  const b = await publication({
    commune_id: far.id,
    acteur_id: other.id,
    date_debut: '2026-10-04',
    publie_le: ago(90),
  })
  const found = async (query: string) => idsOf(await get(`/publications?${query}`))
  expect(await found(`commune_id=${near.id}`)).toEqual([a.id])
  expect(await found(`commune_id=${far.id}`)).toEqual([a.id, b.id])
  expect(await found(`commune_id=${far.id.toUpperCase()}&acteur_id=${other.id}`)).toEqual([b.id])
  expect(await found(`commune_id=${far.id}&type_id=${type_id}`)).toEqual([a.id])
  expect(await found(`commune_id=${far.id}&date_debut_min=2026-10-04`)).toEqual([b.id])
  expect(await found(`commune_id=${far.id}&date_debut_max=2026-10-03`)).toEqual([a.id])
  expect(await found(`commune_id=${far.id}&date_debut_min=2026-10-05&q=publication`)).toEqual([])
  expect(await found(`commune_id=${unknown}`)).toEqual([])
  expect(
    idsOf(await get(`/acteurs/${other.id}/publications?commune_id=${far.id}&acteur_id=${acteur.id}`)),
  ).toEqual([b.id])
  expect(idsOf(await get(`/communes/${far.id}/publications?acteur_id=${other.id}`))).toEqual([b.id])
})

const association = await publication({
  title: "Assemblée de l'association",
  body: '<p>Élection du bureau à Saint-Étienne</p>',
})
const words = [
  'associatio',
  'ASSOCIATIONS',
  'assemblee',
  "l'association",
  'l’association',
  'élections bur',
  'bureau saint-eti',
  'assemblées de le',
  'Asso',
]
test.each(words)(
  'a search ignores accents, case and endings, and matches a prefix of the last word: %s',
  async (q) => {
    expect(idsOf(await get(`/publications?q=${encodeURIComponent(q)}`))).toContain(association.id)
  },
)

test.each(['associatxo', 'bur assemblée x', 'sociation', 'strong'])(
  'a search does not match: %s',
  async (q) => {
    expect(idsOf(await get(`/publications?q=${encodeURIComponent(q)}`))).not.toContain(association.id)
  },
)

test.each([
  "'",
  '\\',
  ':*',
  '&|!()<->',
  "a'b\\c:*",
  '%',
  '🍎',
  '<b>',
  '½',
  'ﬁ',
  '٣',
  'é'.normalize('NFD'),
  '\ud800',
  'a'.repeat(200),
  '- -',
  'http://x.fr/?a=b',
  '!!',
  "''''",
  'א',
])('a search treats %j as plain text', async (q) => {
  expect((await get(`/publications?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200)
})

test('a search without a word filters nothing', async () => {
  const all = (await get('/publications')).body.meta.total
  for (const q of ['', '%20', '!?', '%26']) {
    expect((await get(`/publications?q=${q}`)).body.meta.total).toBe(all)
  }
})

const badQueries = [
  'page=0',
  'page=a',
  'per_page=0',
  'commune_id=x',
  'acteur_id=1',
  'type_id=x',
  'date_debut_min=2026-02-30',
  'date_debut_max=0000-01-01',
  `q=${'a'.repeat(201)}`,
  'q=%00',
]
test.each(badQueries)('GET /publications returns 422: %s', async (query) => {
  const answer = await get(`/publications?${query}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(query.split('=')[0])
})

test('GET /acteurs/{acteurId}/publications returns 200, pinned ones first', async () => {
  const pinner = await world.acteur({ valide: true })
  const values = { acteur_id: pinner.id, commune_id: null }
  const old = await publication({ ...values, publie_le: ago(100), epingle: true })
  const older = await publication({ ...values, publie_le: ago(200), epingle: true })
  const recent = await publication({ ...values, publie_le: ago(1) })
  const featured = await publication({ ...values, publie_le: ago(50), en_avant: true })
  const answer = await get(`/acteurs/${pinner.id}/publications`)
  expect(answer.status).toBe(200)
  expect(idsOf(answer)).toEqual([old.id, older.id, recent.id, featured.id])
  expect(idsOf(await get(`/publications?acteur_id=${pinner.id}`))).toEqual([
    featured.id,
    recent.id,
    old.id,
    older.id,
  ])
})

test('GET /acteurs/{acteurId}/publications returns 404', async () => {
  for (const id of [unknown, 'nonsense'])
    expect(await get(`/acteurs/${id}/publications`)).toBeError(404, 'not_found')
})

test('GET /acteurs/{acteurId}/publications returns 422', async () => {
  expect(await get(`/acteurs/${acteur.id}/publications?page=0`)).toBeError(422, 'validation_failed')
})

test('GET /communes/{communeId}/publications returns 200', async () => {
  const place = await world.commune()
  const here = await publication({ commune_id: commune.id, commune_ids: [commune.id, place.id] })
  const answer = await get(`/communes/${place.id}/publications`)
  expect(answer.status).toBe(200)
  expect(idsOf(answer)).toEqual([here.id])
  expect((await get(`/communes/${(await world.commune()).id}/publications`)).body.data).toEqual([])
})

test('GET /communes/{communeId}/publications returns 404', async () => {
  for (const id of [unknown, commune.slug]) {
    expect(await get(`/communes/${id}/publications`)).toBeError(404, 'not_found')
  }
})

test('GET /communes/{communeId}/publications returns 422', async () => {
  expect(await get(`/communes/${commune.id}/publications?per_page=x`)).toBeError(422, 'validation_failed')
})

test('an application restricted to communes sees only their publications', async () => {
  const [inside, outside] = [await world.commune(), await world.commune()]
  const source = await restrictedSource(world, [inside.id])
  const one = await publication({ commune_id: outside.id, commune_ids: [outside.id, inside.id] })
  const other = await publication({ commune_id: outside.id, publie_le: ago(100) })
  const nowhere = await publication({ commune_id: null })
  const hidden = await publication({ commune_id: outside.id, valide: false })
  expect((await get(`/publications/${one.id}`, { source })).status).toBe(200)
  for (const { id } of [other, nowhere]) {
    expect(await get(`/publications/${id}`, { source })).toBeError(403, 'scope_violation')
    expect(await world.post(`/publications/${id}/report`, undefined, { source })).toBeError(
      403,
      'scope_violation',
    )
  }
  expect(await get(`/publications/${hidden.id}`, { source })).toBeError(404, 'not_found')
  expect(idsOf(await get('/publications', { source }))).toEqual([one.id])
  expect(idsOf(await get(`/communes/${outside.id}/publications`, { source }))).toEqual([one.id])
  expect(idsOf(await get(`/acteurs/${acteur.id}/publications`, { source }))).toEqual([one.id])
  const nothing = await restrictedSource(world, [])
  expect((await get('/publications', { source: nothing })).body.meta.total).toBe(0)
})

test('needs as many statements for 1, 20 and 100 rows', async () => {
  const place = await world.commune()
  const busy = await world.acteur({ valide: true })
  for (let index = 0; index < 100; index++) await publication({ acteur_id: busy.id, commune_id: place.id })
  for (const path of [
    '/publications?',
    `/communes/${place.id}/publications?`,
    `/acteurs/${busy.id}/publications?`,
  ]) {
    const counts = []
    for (const perPage of [1, 20, 100]) {
      const sent = await statementsAbout(/\b(publication|acteur|commune)/, async () => {
        expect((await get(`${path}per_page=${perPage}`)).body.data).toHaveLength(perPage)
      })
      counts.push(sent.length)
    }
    expect(new Set(counts).size, `${path} ${counts}`).toBe(1)
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[0]).toBeLessThanOrEqual(4)
  }
})
