import { type RawBuilder, sql } from 'kysely'
import { allOf, among, anyOf, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conditionOf } from '../../../platform/http/listing/list.ts'
import { filtersOf } from '../managing/queries.ts'
import type { ManagedQuery } from '../managing/schema.ts'
import { type Box, type Cells, countedLevel, rangesOf } from './grid.ts'
import { type MapCluster, type MapPoint, type MapQuery, maxPoints } from './schema.ts'

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
