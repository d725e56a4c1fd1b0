import { beforeAll, expect, test } from 'vitest'
import { cloneWithCommunes } from '../../../test/support/many/communes.ts'
import {
  explain,
  gatherStatistics,
  readWhole,
  type Step,
  visitedBy,
  watch,
} from '../../../test/support/plans.ts'
import { openWorld } from '../../../test/support/world.ts'
import { adminPerPage, pagingOf } from '../../platform/http/paging.ts'
import { countManagedCommunes, listManagedCommunes } from './listing/queries.ts'
import type { CommunesAdminQuery } from './listing/schema.ts'
import { listCommunes } from './reading/queries.ts'

const database = await cloneWithCommunes()
const { get, as, acteur, db, pool } = await openWorld({ database })
const admin = await as('admin')
const watched = watch(pool)

/** All communes of the register; every tenth has a mairie. */
beforeAll(async () => {
  const { id } = await acteur({ type: 'mairie' })
  await db.updateTable('communes').set({ mairie_actor_id: id }).where('code_insee', 'like', '%7').execute()
  await gatherStatistics(database, ['communes', 'commune_aliases'])
}, 120_000)

const names = (rows: { nom: string }[]) => rows.map(({ nom }) => nom)
const found = async (query: string): Promise<string[]> => names((await get(`/communes?${query}`)).body.data)
const search = (q: string) => found(`q=${encodeURIComponent(q)}`)

test('the very name comes first, then names that begin so, then the rest, in each more people first', async () => {
  expect((await search('paris')).slice(0, 5)).toEqual([
    'Paris',
    'Parisot',
    'Parisot',
    "Paris-l'Hôpital",
    'Cormeilles-en-Parisis',
  ])
  const [first, ...others] = await search('vienne')
  expect(first).toBe('Vienne')
  expect(others[0]).toMatch(/^Vienne-/)
  expect((await search('saint denis')).slice(0, 3)).toEqual(['Saint-Denis', 'Saint-Denis', 'Saint-Denis'])
  expect((await search('havre'))[0]).toBe('Le Havre')
})

test('st and ste are read as saint and sainte too', async () => {
  expect(await search('st etienne du bois')).toEqual(await search('Saint-Étienne-du-Bois'))
  expect((await search('St-Denis'))[0]).toBe('Saint-Denis')
  expect((await search('ste foy les lyon'))[0]).toBe('Sainte-Foy-lès-Lyon')
  expect((await search('fontenay st'))[0]).toMatch(/^Fontenay-Saint-/)
  const begun = await search('st')
  expect(begun[0]).toBe('Strasbourg')
  expect(begun.some((nom) => nom.startsWith('Saint-'))).toBe(true)
  expect((await search('stras'))[0]).toBe('Strasbourg')
})

test.each([
  ['the name of a former commune', 'lomme', 'Lille'],
  ['that of an arrondissement', 'Lyon 3e', 'Lyon'],
  ['an INSEE code', '75056', 'Paris'],
  ['that of an arrondissement', '75118', 'Paris'],
  ['a Corsican one', '2a004', 'Ajaccio'],
  ['the beginning of one', '7505', 'Paris'],
  ['a postal code', '73000', 'Chambéry'],
])('a commune is found by %s: %s', async (_what, q, nom) => {
  expect(await search(q)).toContain(nom)
})

test('GET /communes answers 200 by INSEE code; that of a former commune leads to the present one', async () => {
  expect(await found('code_insee=75056')).toEqual(['Paris'])
  expect(await found('code_insee=75101')).toEqual(['Paris'])
  expect(await found('code_insee=59355')).toEqual(['Lille'])
  expect(await found('code_insee=00000')).toEqual([])
  expect(await found('code_insee=75101&departement=69')).toEqual([])
  expect(await get('/communes?code_insee=7505')).toBeError(422, 'validation_failed')
})

test('GET /admin/communes answers 200 with whole meta, in each order, what has no population last', async () => {
  const list = async (query: string) => {
    const { status, body } = await admin.get(`/admin/communes?${query}`)
    expect(status).toBe(200)
    return body
  }
  const first = await list('')
  expect(first.meta).toEqual({ current_page: 1, last_page: 1_399, per_page: 25, total: 34_969 })
  expect(first.data[0]).toMatchObject({ nom: 'Aast', version: 1, mairie_actor_id: null })
  expect(names((await list('sort=population_desc&per_page=3')).data)).toEqual(['Paris', 'Marseille', 'Lyon'])
  const { population } = (await list('sort=population_asc')).data[0]
  expect(population).toBe(0)
  for (const sort of ['population_asc', 'population_desc']) {
    const [last] = (await list(`sort=${sort}&per_page=1&page=34969`)).data
    expect(last.population, sort).toBeNull()
  }
  expect((await list('sort=code_insee_asc')).data[0].code_insee).toBe('01001')
  expect((await list('sort=nom_desc')).data[0].nom).toMatch(/^Zu/)
  expect((await list('q=paris')).data[0].nom).toBe('Paris')
  expect((await list('q=paris&sort=population_asc&per_page=1')).data[0].nom).toBe("Paris-l'Hôpital")
  const { id } = (await list('code_insee=75101')).data[0]
  expect(names((await list(`ids=${id},${first.data[0].id.toUpperCase()}`)).data)).toEqual(['Aast', 'Paris'])
  expect(names((await list(`ids=${id}&departement=69`)).data)).toEqual([])
})

test('GET /admin/communes answers 200 with those that have a mairie, or those without', async () => {
  const total = async (mairie: string) =>
    (await admin.get(`/admin/communes?departement=01&mairie=${mairie}`)).body.meta.total
  const [without, having, both] = [await total('false'), await total('true'), await total('true,false')]
  expect(having).toBeGreaterThan(0)
  expect(without).toBeGreaterThan(0)
  expect(both).toBe(without + having)
})

test.each(['sort=slug_asc', 'mairie=yes', 'ids=', 'ids=12', 'code_insee=x', 'departement=x', 'page=0'])(
  'GET /admin/communes answers 422 to %s',
  async (query) => {
    const answer = await admin.get(`/admin/communes?${query}`)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toMatch(new RegExp(`^${query.split('=')[0]}`))
  },
)

const queries: CommunesAdminQuery[] = [
  {},
  { q: 'paris' },
  { q: 'st' },
  { q: '7' },
  { q: '75101' },
  { q: 'nowhere' },
  { departement: '2A' },
  { code_insee: '75101' },
  { mairie: [true] },
  { mairie: [false] },
  { mairie: [true], departement: '01' },
  { ids: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'] },
  { sort: 'nom_desc' },
  { sort: 'population_asc' },
  { sort: 'population_desc' },
  { sort: 'code_insee_asc' },
  { sort: 'code_insee_desc' },
  { sort: 'population_desc', mairie: [true] },
  { sort: 'code_insee_asc', q: 'saint' },
]

test.each(queries)('a page of communes goes by an index, in one statement: %j', async (query) => {
  watched.statements.length = 0
  const rows = await listManagedCommunes(watched.db, query, pagingOf({}, adminPerPage))
  await expectIndexed()
  expect(await countManagedCommunes(watched.db, query)).toBeGreaterThanOrEqual(rows.length)
  watched.statements.length = 0
  await listCommunes(watched.db, query, pagingOf({}, adminPerPage))
  await expectIndexed()
})

async function expectIndexed(): Promise<void> {
  expect(watched.statements).toHaveLength(1)
  const [statement = { sql: '', parameters: [] }] = watched.statements
  const steps: Step[] = await explain(pool, statement)
  expect(readWhole(steps)).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(12_000)
}
