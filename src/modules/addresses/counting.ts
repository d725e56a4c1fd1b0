import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Area } from '../../platform/formats/area.ts'

/** Addresses of a commune that are known, and those of them within an area. */
export type CountedAddresses = { known: number; inside: number }

/**
 * Counts the addresses of a commune, and those in an area and in none of its holes. One statement, which reads the addresses of
 * the commune: about a hundred thousand in the largest.
 */
export async function countAddressesIn(
  db: Database,
  communeId: string,
  area: Area,
): Promise<CountedAddresses> {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  const rings = polygons.flatMap((polygon, part) =>
    polygon.map((ring, at) => ({ part, ring, isEdge: at === 0 })),
  )
  const corners = rings.flatMap(({ ring }) => ring)
  const [west, south] = [0, 1].map((at) => corners.reduce((least, one) => Math.min(least, one[at] ?? 0), 180))
  const [east, north] = [0, 1].map((at) => corners.reduce((most, one) => Math.max(most, one[at] ?? 0), -180))
  const texts = rings.map(({ ring }) => `(${ring.map(([x, y]) => `(${x},${y})`).join(',')})`)
  const [parts, edges] = [rings.map(({ part }) => part), rings.map(({ isEdge }) => isEdge)]
  const { rows } = await sql<CountedAddresses>`
    with rings as materialized (
      select * from unnest(${texts}::text[]::polygon[], ${parts}::integer[], ${edges}::boolean[]) as r (ring, part, is_edge))
    select count(*)::integer as known,
      count(*) filter (where longitude between ${west} and ${east} and latitude between ${south} and ${north} and exists (
        select from rings where point(longitude, latitude) <@ ring group by part having bool_and(is_edge)))::integer as inside
    from addresses where commune_id = ${communeId}`.execute(db)
  return rows[0] ?? { known: 0, inside: 0 }
}
