import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const { get, commune, acteur, db } = await openWorld()

test('GET /communes returns 200 with 15 rows by name and meta {page, per_page}', async () => {
  for (let i = 0; i < 17; i++) await commune({ nom: `Élan ${String(i).padStart(2, '0')}`, departement: '01' })
  const first = await get('/communes?departement=01')
  expect(first.status).toBe(200)
  expect(first.body.meta).toEqual({ page: 1, per_page: 15 })
  expect(first.body.data.map(({ nom }: { nom: string }) => nom)).toEqual(
    Array.from({ length: 15 }, (_, i) => `Élan ${String(i).padStart(2, '0')}`),
  )
  expect(Object.keys(first.body.data[0])).toEqual([
    'id',
    'slug',
    'nom',
    'code_insee',
    'codes_postaux',
    'departement',
  ])
  const second = await get('/communes?departement=01&page=2')
  expect(second.body.data).toHaveLength(2)
})

test('GET /communes returns 200 and an empty list past the end, however far', async () => {
  for (const page of ['100', '999999999', '90071992547409910']) {
    const answer = await get(`/communes?page=${page}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual([])
  }
})

test('GET /communes limits per_page to 100 and shows that in meta', async () => {
  expect((await get('/communes?per_page=5000')).body.meta).toEqual({ page: 1, per_page: 100 })
})

test.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=',
  'per_page=abc',
  'per_page=0',
  'departement=x',
  'q=a%00b',
  'page=1&page=2',
])('GET /communes returns 422 for %s', async (query) => {
  const answer = await get(`/communes?${query}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(query.split('=')[0])
})

test('GET /communes ignores unknown parameters', async () => {
  expect((await get('/communes?nonsense=1')).status).toBe(200)
})

test('GET /communes matches postal codes, and names without accents, case, hyphens and ligatures', async () => {
  await commune({ nom: "L'Haÿ-les-Roses", codes_postaux: ['94240'], departement: '94' })
  await commune({ nom: 'Œuilly', codes_postaux: ['02160'], departement: '02' })
  await commune({ nom: 'Saint-Étienne-du-Bois', codes_postaux: ['01370', '01371'], departement: '01' })
  const found = async (q: string) =>
    (await get(`/communes?q=${encodeURIComponent(q)}`)).body.data.map(({ nom }: { nom: string }) => nom)
  expect(await found('hay')).toEqual(["L'Haÿ-les-Roses"])
  expect(await found("L'HAŸ LES ROSES")).toEqual(["L'Haÿ-les-Roses"])
  expect(await found('oeuil')).toEqual(['Œuilly'])
  expect(await found('ŒUILLY')).toEqual(['Œuilly'])
  expect(await found('saint etienne du')).toEqual(['Saint-Étienne-du-Bois'])
  expect(await found('etienne')).toEqual(['Saint-Étienne-du-Bois'])
  expect(await found('tienne')).toEqual([])
  expect(await found('01371')).toEqual(['Saint-Étienne-du-Bois'])
  expect(await found('9424')).toEqual(["L'Haÿ-les-Roses"])
  expect(await found('0%')).not.toContain('Œuilly%')
  expect(await found('xyzzy_%')).toEqual([])
  expect(await found('日本')).toEqual([])
  expect(await found('%-')).not.toEqual([])
  expect(await found('%-')).toEqual((await get('/communes')).body.data.map(({ nom }: { nom: string }) => nom))
})

test('GET /communes/{slug} returns 200 with every field', async () => {
  const { id } = await commune({
    slug: 'ambronay',
    nom: 'Ambronay',
    code_insee: '01007',
    latitude: 46,
    longitude: 5.3,
  })
  const { status, body } = await get('/communes/ambronay')
  expect(status).toBe(200)
  expect(body.data).toEqual({
    id,
    slug: 'ambronay',
    nom: 'Ambronay',
    code_insee: '01007',
    codes_postaux: [],
    departement: '99',
    region: '99',
    population: null,
    latitude: 46,
    longitude: 5.3,
    nom_affiche: null,
    couleur: null,
    blason: null,
    photo: null,
    mairie_actor_id: null,
  })
})

test('GET /communes/{slug} returns 200 by id too, in any letter case', async () => {
  const { id, slug } = await commune()
  const { text } = await get(`/communes/${slug}`)
  for (const name of [id, id.toUpperCase()]) {
    const answer = await get(`/communes/${name}`)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text })
  }
  expect(await get('/communes/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e')).toBeError(404, 'not_found')
})

test.each(['nowhere', 'AMBRONAY', 'a%00b', '%ff', 'a'.repeat(300), encodeURIComponent("' or 1=1")])(
  'GET /communes/{slug} returns 404 for %s',
  async (slug) => {
    expect(await get(`/communes/${slug}`)).toBeError(404, 'not_found')
  },
)

test('two communes of one name have different slugs, enforced by the database', async () => {
  await commune({ slug: 'twin' })
  await expect(commune({ slug: 'twin' })).rejects.toThrow('communes_slug_key')
})

test('only an acteur of type mairie can be named, and its type is then fixed', async () => {
  const shop = await acteur({ type: 'commerce' })
  await expect(commune({ mairie_actor_id: shop.id })).rejects.toThrow('communes_mairie')
  const mairie = await acteur({ type: 'mairie' })
  await commune({ mairie_actor_id: mairie.id })
  await expect(
    db.updateTable('acteurs').set({ type: 'autre' }).where('id', '=', mairie.id).execute(),
  ).rejects.toThrow('communes_mairie')
})

test('GET /communes prefers the commune that has a code over one that has it as an alias', async () => {
  const [living, other] = [await commune({ code_insee: '80001' }), await commune()]
  const alias = { code_insee: '80001', commune_id: other.id, nom: 'Ancienne', type: 'deleguee' }
  await db.insertInto('commune_aliases').values(alias).execute()
  const { body } = await get('/communes?code_insee=80001')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([living.id])
})
