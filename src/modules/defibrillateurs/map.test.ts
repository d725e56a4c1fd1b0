import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertDefibrillateur } from './defibrillateurs.test-kit.ts'

const { as, db, commune } = await openWorld()
const admin = await as('admin')
const statuts = ['actif', 'masque', 'a_verifier'] as const
const etats = ['En fonctionnement', 'Hors service', null] as const

type Device = Awaited<ReturnType<typeof insertDefibrillateur>>
let devices: Device[] = []
const stored = () => db.selectFrom('defibrillateurs').selectAll().execute()
const map = (query: string) => admin.get(`/admin/defibrillateurs-france/map?${query}`)

/** The same devices in each run: crowds, single ones, overseas, on both sides of the antimeridian, without a place. */
const random = ((seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
})(17)
const around = (center: number, spread: number) => center + (random() - 0.5) * spread
const somewhere = (): [number, number] => [around(0, 180), around(0, 360)]
const places: (() => [number, number])[] = [
  () => [around(46.5, 9), around(2.5, 12)],
  () => [around(48.85, 0.2), around(2.35, 0.3)],
  () => [48.8566, 2.3522],
  () => [around(-21.1, 0.6), around(55.5, 0.6)],
  () => [around(4, 3), around(-53, 3)],
  () => [around(-17, 4), random() < 0.5 ? around(179, 2) : around(-179, 2)],
  somewhere,
]

beforeAll(async () => {
  await commune({ code_insee: '73065' })
  const edges: [number, number][] = [
    [0, 180],
    [0, -180],
    [90, 0],
    [-90, 0],
    [0, 0],
    [45, 0],
  ]
  const all = [...edges, ...Array.from({ length: 500 }, (_, n) => (places[n % places.length] ?? somewhere)())]
  for (const [n, [latitude, longitude]] of all.entries())
    await insertDefibrillateur(db, {
      latitude,
      longitude,
      nom: `${n % 3 === 0 ? 'Mairie' : 'Gymnase'} ${n}`,
      code_insee: n % 5 === 0 ? '73065' : null,
      statut_admin_france: statuts[n % 7] ?? 'actif',
      etat_fonctionnement: etats[n % 3] ?? null,
      absent_depuis: n % 11 === 0 ? new Date() : null,
    })
  await insertDefibrillateur(db, { nom: 'Mairie sans lieu' })
  devices = await stored()
})

type Filter = { name: string; query: string; keeps: (device: Device) => boolean }
const filters: Filter[] = [
  { name: 'none', query: '', keeps: () => true },
  {
    name: 'status',
    query: '&statut_admin=masque',
    keeps: ({ statut_admin_france: s }) => s === 'masque',
  },
  {
    name: 'several statuses',
    query: '&statut_admin=masque,a_verifier',
    keeps: ({ statut_admin_france: s }) => s !== 'actif',
  },
  {
    name: 'condition',
    query: '&etat_fonctionnement=Hors service',
    keeps: ({ etat_fonctionnement: e }) => e === 'Hors service',
  },
  { name: 'absent', query: '&absent=true', keeps: ({ absent_depuis: at }) => at !== null },
  { name: 'present', query: '&absent=false', keeps: ({ absent_depuis: at }) => at === null },
  { name: 'either', query: '&absent=true,false', keeps: () => true },
  { name: 'words', query: '&q=mairie', keeps: ({ nom }) => nom?.startsWith('Mairie') ?? false },
  { name: 'commune', query: '&code_insee=73065', keeps: ({ code_insee }) => code_insee === '73065' },
  {
    name: 'two filters',
    query: '&statut_admin=actif&absent=false',
    keeps: (device) => device.statut_admin_france === 'actif' && device.absent_depuis === null,
  },
]

/** Counts by hand: each device in its cell, the cells that touch the box. */
function countByHand(box: number[], zoom: number, keeps: Filter['keeps']) {
  const [west = 0, south = 0, east = 0, north = 0] = box
  const x = (longitude: number, size: number) => Math.floor(((longitude + 180) / 360) * size)
  const y = (latitude: number, size: number) => Math.floor(((latitude + 90) / 252) * size)
  const ranges = west < east ? [[west, east]] : [[west, 180], [-180, east]] // biome-ignore format: two ranges
  let size = 2 ** (zoom + 3)
  const touched = () =>
    ranges.reduce((sum, [from = 0, to = 0]) => sum + x(to, size) - x(from, size) + 1, 0) *
    (y(north, size) - y(south, size) + 1)
  while (touched() > 2_000) size /= 2
  const cells = new Map<string, Device[]>()
  for (const device of devices) {
    if (device.longitude === null || device.latitude === null || !keeps(device)) continue
    const [column, row] = [x(device.longitude, size), y(device.latitude, size)]
    const isInside =
      row >= y(south, size) &&
      row <= y(north, size) &&
      ranges.some(([from = 0, to = 0]) => column >= x(from, size) && column <= x(to, size))
    if (isInside) cells.set(`${column} ${row}`, [...(cells.get(`${column} ${row}`) ?? []), device])
  }
  const mean = (values: (number | null)[]) =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length
  return [...cells.values()].map((cell) => ({
    count: cell.length,
    latitude: mean(cell.map(({ latitude }) => latitude)),
    longitude: mean(cell.map(({ longitude }) => longitude)),
  }))
}

type Cluster = { count: number; latitude: number; longitude: number }
/** Rounds to what a sum of millionths keeps. */
const comparable = (clusters: Cluster[]) =>
  clusters
    .map(({ count, latitude, longitude }) => `${count} ${latitude.toFixed(4)} ${longitude.toFixed(4)}`)
    .sort()
/** Means that round differently in the fourth decimal are a ten-thousandth apart. */
function expectSame(found: Cluster[], expected: Cluster[], what: string) {
  const order = (all: Cluster[]) =>
    all.toSorted((one, other) => one.latitude - other.latitude || one.longitude - other.longitude)
  expect(found.length, what).toBe(expected.length)
  const [mine, theirs] = [order(found), order(expected)]
  if (comparable(found).join() === comparable(expected).join()) return
  for (const [n, cluster] of mine.entries()) {
    expect(cluster.count, what).toBe(theirs[n]?.count)
    expect(cluster.latitude, what).toBeCloseTo(theirs[n]?.latitude ?? Number.NaN, 4)
    expect(cluster.longitude, what).toBeCloseTo(theirs[n]?.longitude ?? Number.NaN, 4)
  }
}

/** In ten-thousandths, so that no number is written with an exponent. */
const degrees = (least: number, most: number) =>
  fc.integer({ min: least * 10_000, max: most * 10_000 }).map((value) => value / 10_000)
const boxes = fc
  .tuple(degrees(-180, 180), degrees(-90, 90), degrees(-180, 180), degrees(-90, 90))
  .map(([west, one, east, other]) => [west, Math.min(one, other), east, Math.max(one, other)])
  .filter(([west = 0, south = 0, east = 0, north = 0]) => west !== east && south < north)
const nearby = fc
  .tuple(degrees(-2, 6), degrees(42, 50), degrees(0.01, 3))
  .map(([west, south, size]) =>
    [west, south, west + size, south + size].map((value) => Number(value.toFixed(4))),
  )

test('clusters and points of any box, zoom and filter are those counted by hand', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(boxes, nearby),
      fc.integer({ min: 0, max: 22 }),
      fc.constantFrom(...filters),
      async (box, zoom, { query, keeps }) => {
        const { status, body, text } = await map(`bbox=${box.join(',')}&zoom=${zoom}${query}`)
        expect(status, text).toBe(200)
        const { clusters, points, total } = body.data
        if (zoom < 14) {
          expect(points).toEqual([])
          expectSame(clusters, countByHand(box, zoom, keeps), `${box} ${zoom} ${query}`)
          expect(total).toBe(clusters.reduce((sum: number, { count }: Cluster) => sum + count, 0))
        } else {
          const [west = 0, south = 0, east = 0, north = 0] = box
          const inside = devices.filter(
            (device) =>
              keeps(device) &&
              device.longitude !== null &&
              device.latitude !== null &&
              device.latitude >= south &&
              device.latitude <= north &&
              (west < east
                ? device.longitude >= west && device.longitude <= east
                : device.longitude >= west || device.longitude <= east),
          )
          expect(clusters).toEqual([])
          expect(points.map(({ id }: Device) => id).sort()).toEqual(inside.map(({ id }) => id).sort())
          expect(total).toBe(inside.length)
        }
      },
    ),
    { numRuns: propertyRuns() },
  )
}, 60_000)

test('GET /admin/defibrillateurs-france/map returns 200 with all of the world, each device with a place once', async () => {
  const placed = devices.filter(({ longitude }) => longitude !== null).length
  for (const zoom of [0, 3, 9, 10, 13])
    expect((await map(`bbox=-180,-90,180,90&zoom=${zoom}`)).body.data.total).toBe(placed)
})

test('GET /admin/defibrillateurs-france/map returns 200 with both sides of the antimeridian', async () => {
  const { body } = await map('bbox=178,-20,-178,-14&zoom=15')
  const sides = new Set(body.data.points.map(({ longitude }: Device) => Math.sign(longitude ?? 0)))
  expect(sides).toEqual(new Set([1, -1]))
})

test('GET /admin/defibrillateurs-france/map returns 200 with clusters where there are too many points', async () => {
  const crowd = await db
    .insertInto('defibrillateurs')
    .columns(['id', 'gid', 'retenu', 'latitude', 'longitude'])
    .expression(
      sql`select gen_random_uuid(), 'crowd-' || n, true, -49.35, 70.2 + n / 1000000.0 from generate_series(1, 1001) n` as never,
    )
    .returning('id')
    .execute()
  const box = 'bbox=70.1,-49.4,70.3,-49.3&zoom=18'
  const { body } = await map(box)
  expect(body.data).toMatchObject({ points: [], total: 1_001 })
  expect(body.data.clusters.length).toBeGreaterThan(0)
  await db
    .deleteFrom('defibrillateurs')
    .where('id', '=', crowd[0]?.id ?? '')
    .execute()
  expect((await map(box)).body.data).toMatchObject({ clusters: [], total: 1_000 })
  await db.deleteFrom('defibrillateurs').where('gid', 'like', 'crowd-%').execute()
  expect((await map(box)).body.data.total).toBe(0)
})

test.each([
  'bbox=-5,41,10&zoom=5',
  'bbox=-5,41,10,51,3&zoom=5',
  'bbox=a,41,10,51&zoom=5',
  'bbox=NaN,41,10,51&zoom=5',
  'bbox=-Infinity,41,10,51&zoom=5',
  'bbox=-5,51,10,41&zoom=5',
  'bbox=-5,41,10,41&zoom=5',
  'bbox=10,41,10,51&zoom=5',
  'bbox=-181,41,10,51&zoom=5',
  'bbox=-5,41,181,51&zoom=5',
  'bbox=-5,-91,10,51&zoom=5',
  'bbox=-5,41,10,1e9&zoom=5',
  'bbox=-5,41,10,51&zoom=23',
  'bbox=-5,41,10,51&zoom=-1',
  'bbox=-5,41,10,51&zoom=1.5',
  'bbox=-5,41,10,51',
  'zoom=5',
  'bbox=-5,41,10,51&zoom=5&statut_admin=inconnu',
  'bbox=-5,41,10,51&zoom=5&rayon=3',
])('GET /admin/defibrillateurs-france/map returns 422: %s', async (query) => {
  expect(await map(query)).toBeError(422, 'validation_failed')
})

/** Counts the devices as they are, which is what the triggers must have stored. */
const counted = sql<object>`
  select floor((longitude + 180) / 360 * 4096)::int as x, floor((latitude + 90) / 252 * 4096)::int as y,
    statut_admin_france, coalesce(etat_fonctionnement, '') as etat_fonctionnement, absent_depuis is not null as is_absent,
    count(*)::int as n, sum(round(longitude * 1e6)::bigint)::text as longitudes,
    sum(round(latitude * 1e6)::bigint)::text as latitudes
  from defibrillateurs where longitude is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`
const cells = sql<object>`
  select x, y, statut_admin_france, etat_fonctionnement, is_absent, n, longitudes::text, latitudes::text
  from defibrillateur_map_cells where n <> 0 or longitudes <> 0 or latitudes <> 0 order by 1, 2, 3, 4, 5`
const expectCounted = async () =>
  expect((await cells.execute(db)).rows).toEqual((await counted.execute(db)).rows)

test('the counts of cells follow every change, also of many devices and of concurrent transactions', async () => {
  await expectCounted()
  const some = (n: number) => sql`(select id from defibrillateurs order by id offset ${n} limit 60)`
  const changes = [
    sql`update defibrillateurs set latitude = latitude * 0.99, longitude = longitude * 0.99 where id in ${some(0)}`,
    sql`update defibrillateurs set latitude = null, longitude = null where id in ${some(30)}`,
    sql`update defibrillateurs set latitude = 45.5, longitude = 5.9 where latitude is null`,
    sql`update defibrillateurs set statut_admin_france = 'masque' where id in ${some(100)}`,
    sql`update defibrillateurs set absent_depuis = now(), etat_fonctionnement = null where id in ${some(200)}`,
    sql`update defibrillateurs set nom = 'Stade' where id in ${some(250)}`,
    sql`delete from defibrillateurs where id in ${some(300)}`,
  ]
  for (const change of changes) {
    await change.execute(db)
    await expectCounted()
  }
  const all = await stored()
  await Promise.all(
    all.slice(0, 40).map(({ id }, n) =>
      sql`update defibrillateurs set statut_admin_france = ${statuts[n % 3]}, latitude = 48.85, longitude = 2.35
          where id = ${id}`.execute(db),
    ),
  )
  await expectCounted()
  await sql`delete from defibrillateurs`.execute(db)
  await expectCounted()
})
