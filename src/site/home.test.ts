import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole } from '../../test/support/plans.ts'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld } from '../../test/support/world.ts'
import { insertAddresses } from '../modules/addresses/addresses.test-kit.ts'
import { departements } from '../modules/communes/departements.ts'
import { insertDefibrillateur } from '../modules/defibrillateurs/defibrillateurs.test-kit.ts'
import outlines from './home/departements.json' with { type: 'json' }

const world = await openWorld()
const { url, db } = world
await world.commune({
  nom: 'Chambéry',
  slug: 'chambery',
  code_insee: '73065',
  latitude: 45.5646,
  longitude: 5.9178,
})
await world.commune({
  nom: 'Bassens',
  slug: 'bassens',
  code_insee: '73031',
  latitude: 45.578,
  longitude: 5.94,
})
await world.commune({ nom: 'Lyon', slug: 'lyon', code_insee: '69123', latitude: 45.7578, longitude: 4.832 })
await world.commune({ nom: 'Sans centre', slug: 'sans-centre', code_insee: '73999' })
const near = { latitude: 45.565, longitude: 5.918, code_insee: '73065', adresse: '1 rue Haute' }
await insertDefibrillateur(db, {
  ...near,
  nom: 'Gymnase',
  disponibilite: 'Mo-Su 00:00-24:00',
  latitude: 45.568,
})
await insertDefibrillateur(db, { ...near, nom: 'Fermé', disponibilite: 'Mo-Su 03:00-03:01' })
await insertDefibrillateur(db, { ...near, nom: 'Inconnu', disponibilite: null, latitude: 45.566 })
await insertDefibrillateur(db, {
  nom: 'Ici',
  code_insee: '73999',
  commune_nom: 'Sans centre',
})

const open = (path: string) => fetch(`${url}${path}`, { redirect: 'manual' })
const read = async (path: string) => (await open(path)).text()
const titles = (text: string) =>
  [...text.matchAll(/<h[23][^>]*>(?:<a [^>]*>)?([^<]*)/g)].map(([, title = '']) => title)

test('the home has a map of the départements and the list of all, in few bytes', async () => {
  const text = await read('/')
  const [map = ''] = /<nav class="map".*?<\/nav>/s.exec(text) ?? []
  const linked = [...map.matchAll(/<a href="\/communes\?departement=(\w+)" aria-label="([^"]+)">/g)].map(
    ([, code]) => code,
  )
  expect(linked).toEqual(departements.map(({ code }) => code).filter((code) => code in outlines.paths))
  expect(linked).toHaveLength(96)
  expect(gzipSync(map).length).toBeLessThan(15_000)
  const list = text.slice(text.indexOf('</nav>', text.indexOf('class="map"')))
  for (const { code } of departements) expect(list).toContain(`href="/communes?departement=${code}"`)
})

test('the outlines of neighbours share their points, so that no gap is between them', () => {
  const pointsOf = (path = '') => {
    const points: string[] = []
    for (const ring of path.split('z').filter(Boolean)) {
      const [x0 = 0, y0 = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number)
      let [x, y] = [x0, y0]
      points.push(`${x} ${y}`)
      for (let at = 0; at < steps.length; at += 2) {
        x += steps[at] ?? 0
        y += steps[at + 1] ?? 0
        points.push(`${x} ${y}`)
      }
    }
    return points
  }
  const { paths } = outlines
  const owners = new Map<string, Set<string>>()
  for (const [code, path] of Object.entries(paths))
    for (const point of pointsOf(path)) owners.set(point, (owners.get(point) ?? new Set()).add(code))
  // The Creuse touches no sea and no border: others have each of its points.
  for (const point of pointsOf(paths['23'])) expect(owners.get(point)?.size).toBeGreaterThan(1)
})

test('"Mes bacs" leads to the collections of a commune', async () => {
  expect(await read('/communes?pour=collectes')).toContain(
    '<input type="hidden" name="pour" value="collectes">',
  )
  expect((await open('/communes?pour=collectes&q=chambery')).headers.get('location')).toBe(
    '/communes/chambery/collectes',
  )
  expect(await read('/communes?pour=collectes&q=s')).toContain('href="/communes/sans-centre/collectes"')
  expect((await open('/communes?pour=rien')).status).toBe(422)
})

test('a position finds the nearest communes first, and is not cached', async () => {
  const text = await read('/autour?lat=45.577&lon=5.939')
  expect(titles(text)).toEqual(['Communes', 'Bassens', 'Chambéry', 'Défibrillateurs'])
  expect(text).toContain('href="/defibrillateurs?lat=45.577&amp;lon=5.939"')
  // Lyon is 85 km away, Toulon 270 km.
  const far = await read('/autour?lat=43.125&lon=5.93')
  expect(far).toContain('aucune commune à moins de 50 km')
  expect(far).not.toContain('href="/communes/chambery"')
  for (const query of ['?lat=91&lon=0', '?lat=x&lon=0'])
    expect((await open(`/autour${query}`)).status, query).toBe(422)
  for (const query of ['', '?lat=45'])
    expect((await open(`/autour${query}`)).headers.get('location')).toBe('/communes')
})

test('the nearest communes come from an index', async () => {
  await sql`
    insert into communes (id, slug, nom, code_insee, departement, region, latitude, longitude)
    select gen_random_uuid(), 'c-' || n, 'C' || n, '01' || to_char(n, 'FM000'), '01', '84', 45 + n / 1000.0, 5 from generate_series(0, 299) n
    union all
    select gen_random_uuid(), 'd-' || n, 'D' || n, '02' || to_char(n, 'FM000'), '02', '84', 46 + n / 1000.0, 4 from generate_series(0, 299) n`.execute(
    db,
  )
  await gatherStatistics(world.database, ['communes'])
  const sent = await statementsAbout(/globe_point/, () => read('/autour?lat=45.5&lon=4.9'))
  expect(sent).toHaveLength(1)
  const steps = (await Promise.all(sent.map((statement) => explain(world.pool, statement)))).flat()
  expect(readWhole(steps)).not.toContain('communes')
})

test('around a position, defibrillators that are closed come last', async () => {
  const text = await read('/defibrillateurs?lat=45.565&lon=5.918')
  expect(titles(text)).toEqual(['Inconnu', 'Gymnase', 'Fermé'])
})

test.each([
  ['chambery', ['Autour de Chambéry', 'Inconnu', 'Gymnase', 'Fermé']],
  ['sans centre', ['Ici']],
  ['73999', ['Autour de Sans centre', 'Ici']],
  ['gymnase', ['Gymnase']],
  ['nulle part', []],
])('defibrillators for "%s": by their words, else around the commune of this name', async (q, expected) => {
  expect(titles(await read(`/defibrillateurs?q=${encodeURIComponent(q)}`))).toEqual(expected)
})

test('an address leads to the defibrillators near it, and the page says what it took the words for', async () => {
  await insertAddresses(db, '73065;Rue Basse;12;bis;5.918;45.569', '69123;Rue Secrète;1;;4.832;45.757')
  const titlesFor = async (q: string) => titles(await read(`/defibrillateurs?q=${encodeURIComponent(q)}`))
  expect(await titlesFor('12 bis, r. basse, Chambéry')).toEqual([
    ...['Près de 12 bis Rue Basse, Chambéry', 'Gymnase', 'Inconnu', 'Fermé'],
  ])
  expect(await titlesFor('1 rue secrète, chambéry')).toEqual([])
})

test('only pages with a button for the position have its script', async () => {
  for (const path of ['/', '/defibrillateurs']) {
    const { headers } = await open(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await read(path)).toMatch(/<script type="module" src="\/site\/[\w-]+\.js"/)
  }
  expect((await open('/communes/chambery/agenda')).headers.get('content-security-policy')).not.toContain(
    'script-src',
  )
})
