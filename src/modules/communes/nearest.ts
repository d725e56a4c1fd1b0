import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { prepared } from '../../platform/database/pools/prepared.ts'
import { CommuneListed } from './schema.ts'

type Near = CommuneListed & { latitude: number; longitude: number; distance_m: number }

/** Lists the communes whose centre is nearest to a place, of all or of these ids. */
export async function listNearestCommunes(
  db: Database,
  { lat, lon }: { lat: number; lon: number },
  limit: number,
  ids: readonly string[] | null,
): Promise<Near[]> {
  const centre: RawBuilder<unknown> = sql`globe_point(latitude, longitude)`
  const here = sql`(select globe_point(${lat}::float8, ${lon}::float8))`
  const { rows } = await sql<Near>`
    select ${columnList(CommuneListed.properties)}, latitude, longitude, (${centre} <-> ${here})::int as distance_m from communes
    where ${allOf(sql`latitude is not null`, ids !== null && sql`id = any(${ids}::uuid[])`)}
    order by ${centre} <-> ${here} limit ${limit}`.execute(prepared(db))
  return rows
}
