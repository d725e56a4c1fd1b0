import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertDefibrillateur } from '../modules/defibrillateurs/defibrillateurs.test-kit.ts'

const world = await openWorld()
const { url, db } = world
world.setClock('2027-03-10T10:00:00Z')
const chambery = await world.commune({
  ...{ nom: 'Chambéry', slug: 'chambery', code_insee: '73065', latitude: 45.5646, longitude: 5.9178 },
})
await world.commune({ nom: 'Lyon', slug: 'lyon', code_insee: '69123', latitude: 45.7578, longitude: 4.832 })
const near = { code_insee: '73065', adresse: '1 rue <Haute>' }
await insertDefibrillateur(db, {
  ...{ ...near, nom: 'Gare & place', disponibilite: '24/7', latitude: 45.5711, longitude: 5.9191 },
})
await insertDefibrillateur(db, {
  ...{ ...near, nom: 'Gymnase', disponibilite: 'Mo-Su 20:00-22:00', latitude: 45.569, longitude: 5.925 },
})
await insertDefibrillateur(db, {
  ...{ ...near, nom: 'Caché', latitude: 45.569, longitude: 5.925, statut_admin_commune: 'masque' },
})
await insertDefibrillateur(db, { ...near, nom: 'Loin', latitude: 46.5, longitude: 5.9 })

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })
const read = async (path: string) => (await open(path)).text()
const area = (query: string) => open(`/defibrillateurs/carte.json?${query}`)

test('an area has the rows of its devices as the list shows them, nearest first, without hidden ones and without distances', async () => {
  const response = await area('lat=45.57&lon=5.92&rayon=5000')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  const { total, rows, communes } = (await response.json()) as {
    total: number
    rows: string
    communes: unknown[]
  }
  expect(total).toBe(2)
  expect([...rows.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
    'Gare &amp; place',
    'Gymnase',
  ])
  expect([...rows.matchAll(/class="(state[^"]*)"/g)].map(([, name]) => name)).toEqual([
    'state open',
    'state closed',
  ])
  expect(rows).toContain('href="geo:45.5711,5.9191"')
  expect(rows).toContain('1 rue &lt;Haute&gt;')
  expect(rows).not.toMatch(/\d+ m\)/)
  expect(communes[0]).toEqual({ nom: 'Chambéry', latitude: 45.5646, longitude: 5.9178 })
})

test('an area with more devices than the map shows says how many there are', async () => {
  const many = Array.from({ length: 105 }, (_, n) => ({
    ...near,
    nom: `D ${n}`,
    latitude: 48 + n / 10_000,
    longitude: 2,
  }))
  for (const one of many) await insertDefibrillateur(db, one)
  const { total, rows } = (await (await area('lat=48&lon=2&rayon=5000')).json()) as {
    total: number
    rows: string
  }
  expect(total).toBe(105)
  expect(rows.match(/<li>/g)).toHaveLength(100)
})

test.each([
  '',
  'lat=45',
  'lat=45&lon=5',
  'lat=91&lon=5&rayon=10',
  'lat=45&lon=5&rayon=50001',
  'lat=45&lon=5&rayon=0',
])('an area needs a place and a radius that there can be: %s', async (query) => {
  expect((await area(query)).status).toBe(422)
})

test('only communes that the site shows are named on the map', async () => {
  const set = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await set([chambery.id])
  try {
    const { communes } = (await (await area('lat=45.7&lon=4.8&rayon=5000')).json()) as {
      communes: { nom: string }[]
    }
    expect(communes.map(({ nom }) => nom)).toEqual(['Chambéry'])
  } finally {
    await set(null)
  }
})

const viewOf = (text: string) => {
  const [button = ''] = /<button[^>]*data-carte=[^>]*>/.exec(text) ?? []
  return Object.fromEntries(
    [...button.matchAll(/data-(lat|lon|ici)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
}

test('the button of the map is hidden until its script shows it, and says where the map begins', async () => {
  const commune = await read('/communes/chambery/defibrillateurs')
  expect(commune).toMatch(
    /<button type="button"[^>]* data-carte="\/site\/[\w-]{20}\.js"[^>]* hidden>Voir la carte</,
  )
  expect(viewOf(commune)).toEqual({ lat: '45.5646', lon: '5.9178' })
  expect(viewOf(await read('/defibrillateurs'))).toEqual({})
  expect(viewOf(await read('/defibrillateurs?lat=45.57&lon=5.92'))).toEqual({
    ...{ lat: '45.57', lon: '5.92', ici: 'Vous êtes ici' },
  })
  expect(viewOf(await read('/defibrillateurs?q=Chamb%C3%A9ry'))).toEqual({ lat: '45.5646', lon: '5.9178' })
  expect(viewOf(await read('/defibrillateurs?q=gare'))).toEqual({})
})

test('MapLibre comes from the site, compressed, as its package has it, and no page names it', async () => {
  const page = await read('/defibrillateurs')
  const [, mapPath = ''] = /data-carte="([^"]+)"/.exec(page) ?? []
  const map = await read(mapPath)
  const { files } = JSON.parse(/^globalThis\.carte = (\{.*\})$/m.exec(map)?.[1] ?? '') as {
    files: Record<string, string>
  }
  const dist = new URL('../../node_modules/maplibre-gl/dist/', import.meta.url)
  for (const [key, name] of [
    ['library', 'maplibre-gl.mjs'],
    ['worker', 'maplibre-gl-worker.mjs'],
  ] as const) {
    const path = files[key] ?? ''
    expect(path).toMatch(/^\/site\/[\w-]{20}\.js$/)
    expect(page).not.toContain(path)
    const response = await open(path, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(await response.text()).toBe(readFileSync(new URL(name, dist), 'utf8'))
  }
  expect(await (await open(files.outlines ?? '')).json()).toMatchObject({ type: 'FeatureCollection' })
  expect((await open(files.styles ?? '')).headers.get('content-type')).toContain('text/css')
})

test('a typo that begins the name of another commune leads to both, and takes neither for certain', async () => {
  await world.commune({
    nom: 'Chambéria',
    slug: 'chamberia',
    code_insee: '39092',
    latitude: 46.46,
    longitude: 5.55,
  })
  const page = await read('/defibrillateurs?q=Chamberi')
  expect(page).not.toContain('Autour de Chambéria')
  expect(page).toContain('<a href="/defibrillateurs?q=Chamb%C3%A9ria">Chambéria (')
  expect(page).toContain('<a href="/defibrillateurs?q=Chamb%C3%A9ry">Chambéry (')
  const communes = await read('/communes?q=Chamberi')
  expect([...communes.matchAll(/href="(\/communes\/cham\w+)"/g)].map(([, path]) => path)).toEqual([
    '/communes/chamberia',
    '/communes/chambery',
  ])
  expect(await read('/recherche?q=Chamberi')).toContain('href="/communes/chambery"')
  // Named in full, it is meant.
  expect(await read('/defibrillateurs?q=Chamb%C3%A9ria')).toContain('Autour de Chambéria')
})
