import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
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
import { adminPerPage, pagingOf } from '../../platform/http/listing/paging.ts'
import { type CommunesAdminQuery, listManagedCommunes } from './admin-list.ts'

import { listCommunes } from './reading.ts'
import { halfPatterns, nearPatterns } from './search.ts'

const database = await cloneWithCommunes()
const { get, as, acteur, db, pool } = await openWorld({ database })
const admin = await as('admin')
const watched = watch(pool)

/** Loads all communes of the register; every tenth has a mairie. */
beforeAll(async () => {
  const { id } = await acteur({ type: 'mairie' })
  await db.updateTable('communes').set({ mairie_actor_id: id }).where('code_insee', 'like', '%7').execute()
  await gatherStatistics(database, ['communes', 'commune_gaps', 'commune_aliases', 'commune_former_names'])
}, 120_000)

const names = (rows: { nom: string }[]) => rows.map(({ nom }) => nom)
const found = async (query: string): Promise<string[]> => names((await get(`/communes?${query}`)).body.data)
const search = (q: string) => found(`q=${encodeURIComponent(q)}`)

test('exact names come first, then prefixes, then the rest, each by population', async () => {
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

test('five digits are a postal code, and an INSEE code only if no commune has that postal code', async () => {
  const { rows } = await sql<{ code: string; nom: string }>`
    select distinct on (c.code_insee) c.code_insee as code, c.nom
    from communes c join communes o on c.code_insee = any(o.codes_postaux)
    where not c.code_insee = any(c.codes_postaux) order by c.code_insee limit 1000`.execute(db)
  expect(rows.length).toBeGreaterThan(900)
  for (const { code } of rows.filter((_row, at) => at % 100 === 0)) {
    const { body } = await get(`/communes?q=${code}`)
    const codes = body.data.map(({ codes_postaux }: { codes_postaux: string[] }) => codes_postaux)
    expect(codes.length).toBeGreaterThan(0)
    for (const one of codes) expect(one).toContain(code)
  }
  expect(await search('69123')).toEqual(['Lyon'])
  // An arrondissement, by its INSEE code.
  expect(await search('69381')).toEqual(['Lyon'])
})

test.each([
  ['73000', 'Chambéry', '73000'],
  ['38100', 'Grenoble', '38100'],
  ['381', 'Grenoble', '38100'],
  ['73000 chambery', 'Chambéry', '73000'],
  ['69123', 'Lyon', null],
  // No commune has these: the nearest one that the commune has.
  ['75000', 'Paris', '75001'],
  ['38025 cedex 1', 'Grenoble', '38000'],
  ['marseille 13000', 'Marseille', null],
  ['grenoble', 'Grenoble', null],
])('a row says by which postal code a search found it: %s', async (q, nom, code_postal) => {
  const { data } = (await get(`/communes?q=${q}`)).body
  const row = data.find((one: { nom: string }) => one.nom === nom)
  expect(row).toMatchObject({ code_postal })
})

test('a row says which postal code a search found, whatever the code; without a search there is none', async () => {
  const { rows } = await sql<{ code: string }>`
    select distinct on (left(code, 2)) code from communes, unnest(codes_postaux) code order by left(code, 2), code desc`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(90)
  for (const { code } of rows) {
    const { data } = (await get(`/communes?q=${code}`)).body
    expect(data.map(({ code_postal }: { code_postal: string }) => code_postal)).toEqual(data.map(() => code))
  }
  expect((await get('/communes')).body.data[0]).not.toHaveProperty('code_postal')
})

test('also matches st and ste as saint and sainte', async () => {
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
])('finds a commune by %s: %s', async (_what, q, nom) => {
  expect(await search(q)).toContain(nom)
})

test.each([
  ['the town-wide code of Paris', '75000', 'Paris'],
  ['that of Lyon', '69000', 'Lyon'],
  ['that of Marseille', '13000', 'Marseille'],
  ['a postal code with CEDEX', '73000 CEDEX', 'Chambéry'],
  ['CEDEX and its office', '73011 Chambéry Cedex 2', 'Chambéry'],
  ['the code of an office alone', '38025 cedex 1', 'Grenoble'],
  ['a postal code and a name', '73000 chambery', 'Chambéry'],
  ['a name and a postal code', 'Chambéry 73000', 'Chambéry'],
  ['a name and a code of its département', 'marseille 13000', 'Marseille'],
  ['a name and a département', 'Chambéry, Savoie', 'Chambéry'],
  ['a name and a region', 'Chambéry, Auvergne-Rhône-Alpes', 'Chambéry'],
  ['a name and the code of a département', 'Saint-Denis (974)', 'Saint-Denis'],
  ['a name with a letter too few', 'marseile', 'Marseille'],
  ['a letter too many', 'chammbery', 'Chambéry'],
  ['another letter', 'grenable', 'Grenoble'],
  ['letters that changed places', 'bordaeux', 'Bordeaux'],
  ['a wrong first letter', 'narseille', 'Marseille'],
  ['one wrong letter in a former name', 'charbourg-octeville', 'Cherbourg-en-Cotentin'],
  ['one wrong letter and a département', 'chambry, Savoie', 'Chambéry'],
  ['a département', 'Haute-Savoie', 'Annecy'],
  ['a region', 'ile de france', 'Paris'],
  ['a département without its article', 'Réunion', 'La Réunion'],
  ['a département with an article', 'la haute savoie', 'Annecy'],
  ['an abbreviated département', 'seine st denis', 'Saint-Denis'],
  ['a name and a département without its article', 'Saint Denis, Réunion', 'Saint-Denis'],
  ['a name and a département without accents', 'st-denis (reunion)', 'Saint-Denis'],
  ['a name and an abbreviated département', 'Montreuil, seine st denis', 'Montreuil'],
  ['an arrondissement', 'Lyon 3ème', 'Lyon'],
  ['a former name with the same code', 'Bellegarde-sur-Valserine', 'Valserhône'],
  ['another one', 'cherbourg octeville', 'Cherbourg-en-Cotentin'],
  ['a third', 'Culoz', 'Culoz-Béon'],
])('GET /communes returns 200 for %s: %s', async (_what, q, nom) => {
  expect((await search(q))[0]).toBe(nom)
  const managed = await admin.get(`/admin/communes?q=${encodeURIComponent(q)}`)
  expect(managed.body.data[0].nom).toBe(nom)
  expect(managed.body.meta.total).toBeGreaterThan(0)
})

test('finds nothing for a name in the wrong département, or with two wrong letters', async () => {
  for (const q of ['Chambéry, Ain', 'Annecy 75001', 'marzzille', 'lyxn', '99999', 'cedex', '00000 cedex'])
    expect(await search(q), q).toEqual([])
})

test('finds the communes of a département by its name without the article', async () => {
  const total = async (q: string) =>
    (await admin.get(`/admin/communes?q=${encodeURIComponent(q)}`)).body.meta.total
  expect(await search('Réunion')).toEqual(expect.arrayContaining(['La Réunion', 'Saint-Paul']))
  expect(await total('Réunion')).toBe(await total('La Réunion'))
})

test('communes with the name of a département are listed before the communes in it', async () => {
  const { body } = await admin.get('/admin/communes?q=vienne&per_page=100')
  const found = names(body.data)
  expect(found[0]).toBe('Vienne')
  const isNamed = found.map((nom) => /vienne/i.test(nom))
  expect(isNamed.indexOf(false)).toBeGreaterThan(10)
  expect(found.indexOf('Poitiers')).toBeGreaterThan(found.findLastIndex((nom) => /(^|-)vienne\b/i.test(nom)))
  expect(body.meta.total).toBeGreaterThan(270)
})

test('a page past the last result is empty', async () => {
  expect(await found('q=chambery&page=9')).toEqual([])
  expect(await found('q=marseille&page=50')).toEqual([])
  expect((await found('q=marseile&page=2')).includes('Marseille')).toBe(false)
})

test('GET /communes returns 200 with the communes of a region', async () => {
  expect((await found('region=06&per_page=100')).length).toBe(17)
  expect(await found('region=84&q=lyon')).toContain('Lyon')
  expect(await found('region=11&q=lyon')).not.toContain('Lyon')
  expect(await get('/communes?region=x')).toBeError(422, 'validation_failed')
  expect((await admin.get('/admin/communes?region=06')).body.meta.total).toBe(17)
})

test('GET /communes returns 200 by INSEE code; that of a former commune leads to the present one', async () => {
  expect(await found('code_insee=75056')).toEqual(['Paris'])
  expect(await found('code_insee=75101')).toEqual(['Paris'])
  expect(await found('code_insee=59355')).toEqual(['Lille'])
  expect(await found('code_insee=00000')).toEqual([])
  expect(await found('code_insee=75101&departement=69')).toEqual([])
  expect(await get('/communes?code_insee=7505')).toBeError(422, 'validation_failed')
})

test('GET /admin/communes returns 200 with complete meta in each order, without population last', async () => {
  const list = async (query: string) => {
    const { status, body } = await admin.get(`/admin/communes?${query}`)
    expect(status).toBe(200)
    return body
  }
  const first = await list('')
  expect(first.meta).toEqual({
    current_page: 1,
    last_page: 1_399,
    per_page: 25,
    total: 34_969,
    next: expect.any(String),
    incomplete: { elus: 34_969, collectes: 34_969, infos: 34_969, mairie: expect.any(Number) },
  })
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

test('GET /admin/communes returns 200 filtered by whether a mairie is named', async () => {
  const total = async (mairie: string) =>
    (await admin.get(`/admin/communes?departement=01&mairie=${mairie}`)).body.meta.total
  const [without, having, both] = [await total('false'), await total('true'), await total('true,false')]
  expect(having).toBeGreaterThan(0)
  expect(without).toBeGreaterThan(0)
  expect(both).toBe(without + having)
})

test.each(['sort=slug_asc', 'mairie=yes', 'ids=', 'ids=12', 'code_insee=x', 'departement=x', 'page=0'])(
  'GET /admin/communes returns 422 for %s',
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
  { q: 'marseile' },
  { q: 'saint etiene du bois' },
  { q: '75000' },
  { q: '73000 chambery' },
  { q: 'Chambéry, Savoie' },
  { q: 'Haute-Savoie' },
  { q: 'Grand Est' },
  { region: '44' },
  { region: '84', q: 'lyon' },
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

test.each(queries)(
  'a page of communes uses an index and at most two rounds of statements: %j',
  async (query) => {
    const { rows, total } = await watching(() =>
      listManagedCommunes(watched.db, query, pagingOf({}, adminPerPage)),
    )
    expect(total).toBeGreaterThanOrEqual(rows.length)
    const listed = await watching(() => listCommunes(watched.db, query, pagingOf({}, adminPerPage)))
    if (query.sort === undefined && !query.ids && !query.mairie) expect(listed.length).toBe(rows.length)
  },
)

/** The statements of a list and its total, repeated if nothing was found. */
async function watching<T>(work: () => Promise<T>): Promise<T> {
  watched.statements.length = 0
  const result = await work()
  expect(watched.statements.length).toBeLessThanOrEqual(4)
  for (const statement of watched.statements) {
    const steps: Step[] = await explain(pool, statement)
    // A total without conditions counts all rows.
    if (statement.sql.includes('count(*)')) continue
    // Narrow rows, which fit in a few pages: an index is not always cheaper there.
    const registers = ['commune_aliases', 'commune_former_names', 'commune_gaps']
    expect(readWhole(steps).filter((table) => !registers.includes(table))).toEqual([])
    const others = steps.filter((step) => step['Relation Name'] !== 'commune_gaps')
    expect(Math.max(...others.map(visitedBy))).toBeLessThan(12_000)
  }
  return result
}

test('every text that differs by one letter fits a half of the search', () => {
  const fits = (text: string, pattern: string) =>
    new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(text)
  const letter = fc.constantFrom(...'aeinrst')
  const word = fc.array(letter, { minLength: 1, maxLength: 9 }).map((letters) => letters.join(''))
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(name, letter, (name, other) => {
      const halves = halfPatterns(name)
      for (const pattern of nearPatterns(name)) {
        const text = ` premier${pattern.slice(1, -1).replaceAll('_', other)}suite 73000`
        const ofName = text.replace(' premier', '')
        for (const one of [text.replace('premier', 'premier '), ofName])
          expect(
            halves.some((half) => fits(one, half)),
            `${name}: ${pattern}`,
          ).toBe(true)
      }
    }),
  )
})

test('a name of three words or more is found with one of them typed wrongly, whichever it is', async () => {
  expect(await search('sante foy les lyon')).toEqual(['Sainte-Foy-lès-Lyon'])
  expect(await search('saint etiene du bois')).toEqual(await search('saint etienne du bois'))
  expect(await search('saint georges de renains')).toEqual(['Saint-Georges-de-Reneins'])
})

test('words that match nothing are looked up by few patterns', async () => {
  const searches = ['plotekwurst vimbora', 'truvelinasse montrogue', 'saint-qwertzu', 'xqzvbnmlk']
  for (const q of [...searches, 'zagor belune tripoc madral']) {
    watched.statements.length = 0
    expect(await listCommunes(watched.db, { q }, pagingOf({}, adminPerPage))).toEqual([])
    expect(watched.statements).toHaveLength(2)
    for (const statement of watched.statements) {
      const steps = await explain(pool, statement)
      expect(readWhole(steps)).not.toContain('communes')
      const ofCommunes = steps.filter((step) => step['Relation Name'] === 'communes')
      expect(Math.max(...ofCommunes.map(visitedBy)), q).toBeLessThan(100)
      // Each pattern is compared with each name of the short registers.
      expect(statement.sql.split(/ like \$/).length, q).toBeLessThan(20)
      const searched = steps.filter(({ 'Index Name': index }) => index === 'communes_search')
      expect(searched.length, q).toBeLessThan(5)
      expect(
        Math.max(...searched.map(({ 'Index Name': _, ...step }) => step['Shared Hit Blocks'])),
        q,
      ).toBeLessThan(150)
    }
  }
})
