import { get } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

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
await insertPublication(world, { slug: 'simple', title: 'Simple', commune_id: other.id })
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
  for (const name of ['communes', 'publications', 'agenda', 'collectes', 'defibrillateurs'])
    for (const format of ['csv', 'json']) expect(text).toContain(`href="/donnees/${name}.${format}"`)
  expect(text).toContain('Licence : ODbL')
})

test.each([
  ['communes', 'slug', ['autre', 'chambery']],
  ['publications', 'slug', ['formule', 'simple']],
  ['agenda', 'slug', ['formule']],
  ['collectes', 'code_insee', ['01001', '73065']],
  ['defibrillateurs', 'nom', []],
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
