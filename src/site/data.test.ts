import { get } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { storedJours } from '../modules/publications/recurrence.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { fieldTexts } from './data-fields.ts'
import { type Dataset, datasets } from './datasets.ts'

const world = await openWorld({ env: { SITE_LICENCE: 'ODbL' } })
const { url, db } = world
const chambery = await world.commune({ nom: 'Chambéry', slug: 'chambery', code_insee: '73065' })
const other = await world.commune({ nom: 'Autre', slug: 'autre', code_insee: '01001' })
const formula = await insertPublication(world, {
  slug: 'formule',
  title: '=HYPERLINK("https://evil.example")',
  commune_id: chambery.id,
  date_debut: '2099-10-04',
})
await insertPublication(world, {
  ...{ slug: 'simple', title: 'Simple', commune_id: other.id },
  lieu: { nom: 'Salle', adresse: 'Rue, place', latitude: 45.5646, longitude: 5.9178 },
})
const recurrence = {
  ...{ regle: 'FREQ=WEEKLY;COUNT=4', exceptions: [], ajouts: ['2099-10-05', '2099-10-06'] },
  occurrences: [
    { date: '2099-10-11', reportee_au: '2099-10-12' },
    { date: '2099-10-18', reportee_au: null },
  ],
}
const series = { slug: 'serie', title: 'Série', commune_id: other.id, date_debut: '2099-10-04', recurrence }
await insertPublication(world, { ...series, jours: storedJours(series) })
await world.acteur({ slug: 'club', nom: 'Club', valide: true, commune_id: chambery.id })
await world.acteur({ slug: 'masque', nom: 'Secrète', valide: false, commune_id: chambery.id })
const elu = { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire', ordre: 1 }
await db
  .insertInto('elus')
  .values({ id: uuidv7(), commune_id: chambery.id, ...elu })
  .execute()
const info = { cle: 'horaires', libelle: 'Horaires', valeur: 'Lundi, 8 h 30', position: 0 }
await db
  .insertInto('commune_infos')
  .values({ id: uuidv7(), commune_id: chambery.id, ...info })
  .execute()
const dayMs = 86_400_000
for (const [titre, endedDaysAgo] of [
  ['Coupure', -1],
  ['Verglas', 3],
  ['Secrète', 40],
] as const) {
  const fin = new Date(Date.now() - endedDaysAgo * dayMs)
  const debut = new Date(fin.getTime() - dayMs)
  const alerte = { titre, message: 'Attention', niveau: 'info' as const, debut, fin }
  await db
    .insertInto('alertes')
    .values({ id: uuidv7(), commune_id: chambery.id, ...alerte })
    .execute()
}
await insertPublication(world, { slug: 'cachee', title: 'Secrète', commune_id: other.id, valide: false })
for (const { id } of [chambery, other])
  await db
    .insertInto('collectes')
    .values({
      ...{ id: uuidv7(), commune_id: id, type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte' },
      ...{ jours: ['mardi'], toutes_les_semaines: 1, dates: [], exceptions: '[]', position: 0 },
    } as never)
    .execute()

const open = (path: string) => fetch(`${url}/donnees${path}`)
const json = async (name: string) => (await (await open(`/${name}.json`)).json()) as Record<string, unknown>[]

test('the page names each file, its content and the licence', async () => {
  const text = await (await open('')).text()
  for (const [name, { placeOf }] of Object.entries<Dataset>(datasets))
    for (const format of ['csv', 'json', ...(placeOf ? ['geojson'] : [])])
      expect(text).toContain(`href="/donnees/${name}.${format}"`)
  expect(text).toContain('Licence : ODbL')
})

test.each([
  ['communes', 'slug', ['autre', 'chambery']],
  ['publications', 'slug', ['formule', 'serie', 'simple']],
  ['agenda', 'slug', ['formule', 'serie']],
  ['collectes', 'code_insee', ['01001', '73065']],
  ['defibrillateurs', 'nom', []],
  ['alertes', 'titre', ['Coupure', 'Verglas']],
  ['infos', 'valeur', ['Lundi, 8 h 30']],
  ['elus', 'fonction', ['Maire']],
  ['annuaire', 'slug', ['club']],
])(
  '%s are served as JSON and CSV to any site, and hold what the public sees',
  async (name, key, expected) => {
    const rows = await json(name)
    expect(rows.map((row) => row[key]).toSorted()).toEqual(expected)
    const csv = await open(`/${name}.csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('access-control-allow-origin')).toBe('*')
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`)
    const text = await csv.text()
    expect(text.split('\r\n').filter(Boolean)).toHaveLength(rows.length + 1)
    expect(text).not.toContain('Secrète')
  },
)

test('each column has a value of its own, with a decimal point, and is described on the page', async () => {
  const [head = '', ...lines] = (await (await open('/publications.csv')).text()).split('\r\n')
  expect(head.split(',')).toEqual(expect.arrayContaining(['lieu.latitude', 'lieu.longitude', 'commune.nom']))
  expect(lines.find((line) => line.includes('Simple'))).toContain(',Salle,"Rue, place",45.5646,5.9178,')
  for (const { columns } of Object.values<Dataset>(datasets))
    expect(columns.filter(({ name }) => fieldTexts[name] === undefined)).toEqual([])
  expect(await (await open('')).text()).toContain('<dt><code>lieu.latitude</code></dt>')
})

test('a series has a column for each of its parts', async () => {
  const [head = '', ...lines] = (await (await open('/publications.csv')).text()).split('\r\n')
  const cells = lines.find((line) => line.includes(',serie,'))?.split(',') ?? []
  const read = (name: string) => cells[head.split(',').indexOf(name)]
  expect(read('recurrence.regle')).toBe('FREQ=WEEKLY;COUNT=4')
  expect(read('recurrence.ajouts')).toBe('2099-10-05|2099-10-06')
  expect(read('recurrence.occurrences.date')).toBe('2099-10-11|2099-10-18')
  expect(read('recurrence.occurrences.reportee_au')).toBe('2099-10-12|')
})

test('what has a place is served as GeoJSON too', async () => {
  const response = await open('/publications.geojson')
  expect(response.headers.get('content-type')).toBe('application/geo+json; charset=utf-8')
  const { type, features } = (await response.json()) as { type: string; features: unknown[] }
  expect(type).toBe('FeatureCollection')
  expect(features).toEqual([
    {
      ...{ type: 'Feature', id: expect.any(String), properties: expect.objectContaining({ slug: 'simple' }) },
      geometry: { type: 'Point', coordinates: [5.9178, 45.5646] },
    },
  ])
  expect((await open('/communes.geojson')).status).toBeGreaterThanOrEqual(404)
})

test('the page says of when a file is, and its size', async () => {
  await (await open('/elus.csv')).text()
  expect(await statesOf('elus')).toContainEqual(expect.stringMatching(dateAndSize))
})

test('the page has date, size and licence of each data set, also of files that nobody has asked for', async () => {
  for (const name of Object.keys(datasets)) {
    await expect.poll(() => statesOf(name), { message: name }).toSatisfy(all(dateAndSize))
    expect(await sectionOf(name)).toContain('Licence : ODbL')
  }
})

const dateAndSize = /^du .* à .*, \d+.ko$/
const all = (pattern: RegExp) => (states: string[]) =>
  states.length > 1 && states.every((state) => pattern.test(state))

async function sectionOf(name: string): Promise<string> {
  const text = await (await open('')).text()
  return text.split('<section ').find((section) => section.includes(`<h2 id="${name}">`)) ?? ''
}

/** What the page says of the files of a data set. */
const statesOf = async (name: string) =>
  [...(await sectionOf(name)).matchAll(/<\/a> <span class="meta">([^<]*)/g)].map(([, state = '']) => state)

test('a publication has each value in one column', async () => {
  const [head = ''] = (await (await open('/publications.csv')).text()).split('\r\n')
  const columns = head.split(',')
  expect(columns).toEqual(expect.arrayContaining(['titre', 'type.id', 'acteur.id', 'commune.id']))
  for (const { columns } of Object.values<Dataset>(datasets)) {
    const names = columns.map(({ name }) => name.replace('title', 'titre').replaceAll('.', '_'))
    expect(names).toEqual([...new Set(names)])
  }
  const [row = {}] = await json('publications')
  for (const name of ['title', 'type_id', 'acteur_id', 'commune_id']) expect(row).not.toHaveProperty(name)
})

test('a text that a spreadsheet would execute is harmless, and a publication has its address', async () => {
  const { id, slug } = formula
  expect(await (await open('/publications.csv')).text()).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  const row = (await json('publications')).find((one) => one.id === id)
  expect(row).toMatchObject({ url: `http://localhost:3000/publications/${slug}`, titre: formula.title })
  for (const hidden of ['status', 'valide', 'deleted_at']) expect(row).not.toHaveProperty(hidden)
})

test('more rows than a batch come once each', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into collectes (id, commune_id, type_dechet, libelle, mode, jours, toutes_les_semaines, dates,
      exceptions, position)
    select gen_random_uuid(), ${chambery.id}, 'verre', 'n' || n, 'porte_a_porte', '{}', 1, '{}', '[]', n
    from generate_series(1, 2500) n returning id`.execute(db)
  world.setClock(new Date(Date.now() + 3_600_000).toISOString())
  const ids = (await json('collectes')).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(rows.every(({ id }) => ids.includes(id))).toBe(true)
})

test('restricted to communes, the files hold these only', async () => {
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([chambery.id])
  try {
    await expect.poll(async () => (await json('communes')).map(({ slug }) => slug)).toEqual(['chambery'])
    expect((await json('publications')).map(({ slug }) => slug)).toEqual(['formule'])
    expect(new Set((await json('collectes')).map(({ code_insee }) => code_insee))).toEqual(new Set(['73065']))
  } finally {
    await restrict(null)
  }
})

test('HEAD has the headers of a file and reads none of it', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`lock table collectes in access exclusive mode`.execute(tx)
    for (let time = 0; time < 10; time++) {
      const response = await fetch(`${url}/donnees/collectes.csv`, { method: 'HEAD' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toContain('collectes.csv')
      expect(response.headers.get('content-length')).toBeNull()
    }
  })
})

test('an unknown file is a 404, and a slow client holds no connection to the database', async () => {
  expect((await open('/mairies.csv')).status).toBeGreaterThanOrEqual(404)
  const slow = get(`${url}/donnees/collectes.json`, (response) => response.pause())
  await new Promise((resolve) => slow.once('response', resolve))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(db)
  expect(rows[0]?.count).toBe(0)
  slow.destroy()
})
