import { beforeAll, expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { readList } from '../../platform/http/listing/list.ts'
import { adminPerPage, pagingOf } from '../../platform/http/listing/paging.ts'
import {
  type CatalogueFilters,
  type ClosedPlaces,
  listByName,
  listHours,
  listNearest,
  listPublicOfCommune,
} from './listing.ts'
import { type ManagedQuery, managedList } from './managing.ts'

import { cellsOf, listClusters, listPoints, type MapQuery } from './map.ts'

import { listOfCommune } from './queries.ts'

const { pool, database } = await openWorld()
const { db, statements } = watch(pool)
const communeId = '0199c9a3-cccc-7000-8000-000000000005'

/** Distributed over France realistically: two thousand communes, few hidden devices, one common name. */
beforeAll(async () => {
  const id = (kind: string) => `('0199c9a3-${kind}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await run(
    database.owner,
    `insert into communes (id, slug, nom, code_insee, departement, region)
     select ${id('cccc')}, 'c-' || n, 'Commune ' || n, lpad(n::text, 5, '0'), '99', '99' from generate_series(0, 1999) n;
     insert into defibrillateurs (id, gid, nom, adresse, code_postal, commune_nom, code_insee, registre_code, latitude,
       longitude, disponibilite, etat_fonctionnement, mis_a_jour_le, retenu, statut_admin_france, statut_admin_commune,
       absent_depuis)
     select ${id('aaaa')}, n, case when n % 7 = 0 then 'Mairie ' else 'Gymnase ' end || md5(n::text), 'Rue ' || n % 900,
       lpad((n % 2000)::text, 5, '0'), 'Commune ' || n % 2000, lpad((n % 2000)::text, 5, '0'),
       lpad((n % 2000)::text, 5, '0'), 42 + (n % 2000) / 250.0 + (n % 97) / 5000.0, (n % 313) / 60.0 + (n % 89) / 5000.0,
       case n % 3 when 0 then '24/7' when 1 then 'Mo-Fr 08:00-18:00' end,
       case when n % 40 = 0 then 'Hors service' else 'En fonctionnement' end,
       now() - n * interval '1 minute', n % 40 <> 0,
       case when n % 3000 = 0 then 'masque' else 'actif' end, case when n % 2500 = 0 then 'a_verifier' else 'actif' end,
       case when n % 800 = 0 then now() end
     from generate_series(1, 40000) n;`,
  )
  await gatherStatistics(database, ['communes', 'defibrillateurs'])
}, 120_000)

const paging = pagingOf({}, adminPerPage)
const place = { lat: 45.5, lon: 2.5, rayon: 10_000 }

/** Bounds the rows visited. A list of all of France reads its index and counts through it. */
async function visits(most: number, countsAll = false): Promise<void> {
  expect(statements).toHaveLength(1)
  const [statement = { sql: '', parameters: [] }] = statements.splice(0)
  const steps = await explain(pool, statement)
  expect(readWhole(steps)).not.toContain('defibrillateurs')
  // Where counting stops is a step that visits nothing itself.
  const visiting = steps.filter((step) => step['Node Type'] !== 'Limit')
  expect(visiting.filter((step) => visitedBy(step) >= most)).toHaveLength(countsAll ? 1 : 0)
}

test.each<[CatalogueFilters, number]>([
  [{ place: null }, 100],
  [{ place }, 300],
  // PostgreSQL 15 reads the whole circle and sorts it.
  [{ place: { ...place, rayon: 50_000 } }, 2_000],
  [{ place, q: 'mairie' }, 1_100],
  [{ q: 'c4ca4238', place: null }, 300],
  [{ q: 'mairie commune 1234', place: null }, 1_000],
  [{ q: 'nowhere', place: null }, 300],
  [{ code_insee: '00005', place: null }, 300],
  [{ code_insee: '00005', q: 'gymnase', place: null }, 300],
])('a page of the catalogue goes by an index, in one statement: %j', async (asked, most) => {
  const closed = [{ departement: '00', disponibilite: 'Mo-Fr 08:00-18:00' }]
  const { place } = asked
  const list = (closed: ClosedPlaces) =>
    place === null ? listByName(db, asked, closed, paging) : listNearest(db, asked, place, closed, paging)
  const countsAll = Object.keys(asked).length === 1 && place === null
  const { rows, total } = await list([])
  await visits(most, countsAll)
  expect(total).toBeGreaterThanOrEqual(rows.length)
  await list(place || asked.code_insee ? closed : [])
  await visits(most, countsAll)
})

test.each<CatalogueFilters>([{ place }, { code_insee: '00005', place: null }])(
  'the hours of what could be listed are read by an index: %j',
  async (asked) => {
    expect((await listHours(db, asked)).length).toBeGreaterThan(0)
    await visits(1_100)
  },
)

test('reads the devices of a commune by an index', async () => {
  expect((await listPublicOfCommune(db, communeId)).length).toBeGreaterThan(5)
  await visits(300)
  expect((await listOfCommune(db, communeId)).length).toBeGreaterThan(5)
  await visits(300)
})

test.each<[string | null, ManagedQuery]>([
  [null, {}],
  [null, { sort: 'nom_desc' }],
  [null, { sort: 'commune_nom_asc' }],
  [null, { sort: 'commune_nom_desc' }],
  [null, { sort: 'mis_a_jour_le_asc' }],
  [null, { sort: 'mis_a_jour_le_desc' }],
  [null, { q: 'c4ca4238' }],
  [null, { code_insee: '00005', sort: 'mis_a_jour_le_desc' }],
  [null, { statut_admin: ['masque'] }],
  [null, { statut_admin: ['masque', 'a_verifier'] }],
  [null, { etat_fonctionnement: ['Hors service'] }],
  [null, { etat_fonctionnement: ['Inconnu'] }],
  [null, { etat_fonctionnement: ['Hors service', 'Absent momentanément'] }],
  [null, { absent: [true] }],
  [null, { absent: [false] }],
  [communeId, {}],
  [communeId, { statut_admin: ['a_verifier'], sort: 'nom_desc' }],
])('a page of the back-office goes by an index, in one statement: %s %j', async (commune, query) => {
  const { rows } = await readList(db, managedList(commune), query, { ...paging, isCounted: false })
  await visits(3_000)
  const { total } = await readList(db, managedList(commune), query, paging)
  expect(total).toBeGreaterThanOrEqual(rows.length)
  statements.length = 0
})

const france = [-5.5, 41, 10, 51.5]
test.each<Omit<MapQuery, 'bbox' | 'zoom'>>([
  {},
  { statut_admin: ['masque'] },
  { etat_fonctionnement: ['Hors service'], absent: [false] },
  { q: 'c4ca4238' },
  { code_insee: '00005' },
])('a map of all France reads counted cells or an index, in one statement: %j', async (filters) => {
  const box = { west: -5.5, south: 41, east: 10, north: 51.5 }
  await listClusters(db, cellsOf(box, 5), { bbox: france, zoom: 5, ...filters })
  expect(statements.map(({ sql }) => sql.includes('from defibrillateur_map_cells'))).toEqual([
    !('q' in filters || 'code_insee' in filters),
  ])
  // Fewer cells than devices, and far fewer where these are not spread evenly.
  await visits(20_000)
})

test('a map close up reads the devices of its box by an index', async () => {
  const box = { west: 2.3, south: 45.4, east: 2.6, north: 45.6 }
  const query = { bbox: [], zoom: 12 }
  expect((await listClusters(db, cellsOf(box, 12), query)).length).toBeGreaterThan(3)
  await visits(4_000)
  expect((await listPoints(db, box, query))?.length).toBeGreaterThan(3)
  await visits(4_000)
})
