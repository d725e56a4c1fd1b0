import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { allOf, among, anyOf, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { conditionOf } from '../../platform/http/listing/list.ts'
import {
  Id,
  nullable,
  ResponseTimestamp,
  record,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { filters, filtersOf, type ManagedQuery } from './managing.ts'
import { codeInsee, statutFields } from './schema.ts'

/** Upper bounds of a response. */
const maxCells = 2_000
const maxPoints = 1_000
/** From here on single devices are told apart, unless there are more than `maxPoints`. */
const pointsFromZoom = 14

const { ids, q, statut_admin, etat_fonctionnement, absent } = filters

export const MapQuery = Type.Object({
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description:
      'West, south, east and north in degrees, separated by commas; a west beyond the east crosses the antimeridian',
    examples: [[-5.5, 41, 10, 51.5]],
  }),
  zoom: Type.Integer({
    minimum: 0,
    maximum: 22,
    description: `Of a map whose world is 512 · 2^zoom pixels wide. Points from ${pointsFromZoom} on`,
    examples: [5],
  }),
  ids,
  q,
  code_insee: codeInsee,
  statut_admin,
  etat_fonctionnement,
  absent,
})
export type MapQuery = Static<typeof MapQuery>

const latitude = Type.Number({ examples: [45.61] })
const longitude = Type.Number({ examples: [4.05] })

const MapCluster = titled('DefibrillateurCluster', {
  count: Type.Integer({ examples: [340] }),
  latitude: Type.Number({ description: 'Mean of its devices', examples: [45.61] }),
  longitude,
})
type MapCluster = Static<typeof MapCluster>

const MapPoint = titled('DefibrillateurPoint', {
  id: Id(),
  nom: textOrNull('Mairie'),
  adresse: textOrNull('1 Place de la Mairie'),
  latitude,
  longitude,
  statut_admin_commune: statutFields.statut_admin_commune,
  statut_admin_france: statutFields.statut_admin_france,
  absent_depuis: nullable(ResponseTimestamp('When it disappeared from the registry')),
})
type MapPoint = Static<typeof MapPoint>

/** Either clusters or points, never both. */
const DeviceMap = titled('DefibrillateurMap', {
  clusters: Type.Array(MapCluster, { maxItems: maxCells }),
  points: Type.Array(MapPoint, { maxItems: maxPoints }),
  total: Type.Integer({
    description: 'Devices in these clusters, whose cells may reach beyond the box, or points',
    examples: [340],
  }),
})

export function mapRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/defibrillateurs-france/map',
    {
      config: { load: 'list' },
      schema: {
        operationId: 'mapDefibrillateurs',
        summary: 'Defibrillators of a box for a map: clusters far away, points close up',
        querystring: MapQuery,
        response: { 200: record(DeviceMap) },
      },
    },
    async ({ query }) => {
      const box = boxOf(query.bbox)
      const points = mayShowPoints(query.zoom) ? await listPoints(lists, box, query) : null
      if (points !== null) return { data: { clusters: [], points, total: points.length } }
      const clusters = await listClusters(lists, cellsOf(box, query.zoom), query)
      return { data: { clusters, points: [], total: clusters.reduce((sum, { count }) => sum + count, 0) } }
    },
  )
}

/**
 * The grid of clusters. Level n has 2^n columns; each cell of a level is four of the next. A cell is about 64
 * pixels wide on a map whose world is 512 · 2^zoom pixels.
 */
type Box = { west: number; south: number; east: number; north: number }
/** Inclusive ranges of cells; two ranges of columns where the box crosses the antimeridian. */
type Cells = { level: number; columns: [first: number, last: number][]; rows: [number, number] }

/** Level whose cells the table `defibrillateur_map_cells` counts. */
const countedLevel = 12
const levelOf = (zoom: number) => zoom + 3

const columnOf = (longitude: number, level: number) => Math.floor(((longitude + 180) / 360) * 2 ** level)
/** Rows are counted northwards from the South Pole. */
const rowOf = (latitude: number, level: number) => Math.floor(((latitude + 90) / 252) * 2 ** level)

/** Reads `west,south,east,north`. A west beyond the east crosses the antimeridian. */
function boxOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Box {
  if (Math.abs(west) > 180 || Math.abs(east) > 180) throw invalid('bbox', outside)
  if (Math.abs(south) > 90 || Math.abs(north) > 90) throw invalid('bbox', outside)
  if (south >= north || west === east) throw invalid('bbox', empty)
  return { west, south, east, north }
}

/** The box as ranges of longitude. */
const rangesOf = ({ west, east }: Box): [west: number, east: number][] =>
  west < east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ]

/** Returns the cells that the box touches, on the finest level for this zoom that has at most `maxCells`. */
export function cellsOf(box: Box, zoom: number): Cells {
  for (let level = levelOf(zoom); ; level--) {
    const columns = rangesOf(box).map(([west, east]): [number, number] => [
      columnOf(west, level),
      columnOf(east, level),
    ])
    const rows: [number, number] = [rowOf(box.south, level), rowOf(box.north, level)]
    const count = columns.reduce((sum, [first, last]) => sum + last - first + 1, 0) * (rows[1] - rows[0] + 1)
    if (count <= maxCells || level === 0) return { level, columns, rows }
  }
}

const mayShowPoints = (zoom: number) => zoom >= pointsFromZoom

const outside = {
  en: 'must lie within -180,-90,180,90',
  fr: 'doit se trouver dans -180,-90,180,90',
}
const empty = {
  en: 'must have an area: west,south,east,north with the south below the north',
  fr: 'doit avoir une surface : ouest,sud,est,nord, le sud au-dessous du nord',
}

const managed = { filters: filtersOf('france') }

/** Lists the clusters of these cells: from the counted cells where they can be summed, else from the devices. */
export function listClusters(db: Database, cells: Cells, query: MapQuery): Promise<MapCluster[]> {
  const isCounted = query.q === undefined && query.code_insee === undefined && query.ids === undefined
  return isCounted && cells.level <= countedLevel
    ? sumCells(db, cells, query)
    : countDevices(db, cells, query)
}

async function sumCells(db: Database, { level, columns, rows }: Cells, query: MapQuery) {
  const shift = sql.lit(countedLevel - level)
  const within = (column: string, [first, last]: readonly [number, number]) =>
    sql<boolean>`${sql.ref(column)} between ${first}::int << ${shift} and ((${last}::int + 1) << ${shift}) - 1`
  const { rows: clusters } = await sql<MapCluster>`
    select sum(n)::float8 as count, sum(latitudes)::float8 / sum(n)::float8 / 1e6 as latitude,
      sum(longitudes)::float8 / sum(n)::float8 / 1e6 as longitude
    from defibrillateur_map_cells
    where ${allOf(
      sql`n > 0`,
      anyOf(...columns.map((range) => within('x', range))),
      within('y', rows),
      among('statut_admin_france')(query.statut_admin),
      among('etat_fonctionnement')(query.etat_fonctionnement),
      flag('is_absent')(query.absent),
    )}
    group by x >> ${shift}, y >> ${shift}`.execute(db)
  return clusters
}

/** The box of degrees uses the index and is a little larger than the cells, whose numbers decide. */
async function countDevices(db: Database, { level, columns, rows }: Cells, query: MapQuery) {
  const size = 2 ** level
  const x = sql`floor((longitude + 180) / 360 * ${sql.lit(size)})`
  const y = sql`floor((latitude + 90) / 252 * ${sql.lit(size)})`
  const within = (
    axis: RawBuilder<unknown>,
    degrees: RawBuilder<unknown>,
    [first, last]: readonly [number, number],
    { span, from }: { span: number; from: number },
  ) => {
    const [low, high] = [(first / size) * span - from - slack, ((last + 1) / size) * span - from + slack]
    return sql<boolean>`${degrees} between ${low}::float8 and ${high}::float8 and ${axis} between ${first} and ${last}`
  }
  const { rows: clusters } = await sql<MapCluster>`
    select count(*) as count, avg(latitude) as latitude, avg(longitude) as longitude
    from defibrillateurs
    where ${allOf(
      sql`longitude is not null`,
      anyOf(
        ...columns.map(
          (range) => sql<boolean>`(${within(x, sql`longitude`, range, { span: 360, from: 180 })})`,
        ),
      ),
      within(y, sql`latitude`, rows, { span: 252, from: 90 }),
      conditionOf<ManagedQuery, unknown>(managed, query),
    )}
    group by ${x}, ${y}`.execute(db)
  return clusters
}

const slack = 1e-9

/** Lists the devices of the box; null if there are more than a map can show. */
export async function listPoints(db: Database, box: Box, query: MapQuery): Promise<MapPoint[] | null> {
  const { rows } = await sql<MapPoint>`
    select id, nom, adresse, latitude, longitude, statut_admin_commune, statut_admin_france, absent_depuis
    from defibrillateurs
    where ${allOf(
      anyOf(
        ...rangesOf(box).map(
          ([west, east]) => sql<boolean>`longitude between ${west}::float8 and ${east}::float8`,
        ),
      ),
      sql`latitude between ${box.south}::float8 and ${box.north}::float8`,
      conditionOf<ManagedQuery, unknown>(managed, query),
    )}
    limit ${sql.lit(maxPoints + 1)}`.execute(db)
  return rows.length > maxPoints ? null : rows
}
