import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { prepared } from '../../platform/database/pools/prepared.ts'
import { parseAddress, streetWords } from '../../platform/formats/address.ts'

/** An address of a commune, or with `numero` null, a street. */
export type Suggestion = {
  voie: string
  numero: number | null
  suffixe: string | null
  lat: number
  lon: number
}

/**
 * Suggests addresses for what somebody typed: streets of which each word begins a word, and their numbers that were typed,
 * the nearest match first. A street without the number stands for itself. Only if no street has the words, those with
 * similar ones are suggested. One statement, which reads the streets of the commune, some thousand at most.
 */
export async function suggestAddresses(
  db: Database,
  communeId: string,
  typed: string,
  limit: number,
  { allowsSimilar = true }: { allowsSimilar?: boolean } = {},
): Promise<Suggestion[]> {
  const { numero, suffixe, street } = parseAddress(typed)
  if (street === '') return []
  const { words, name } = streetWords(street)
  const beginnings = words.map((word) => `% ${word}%`)
  const { rows } = await sql<Suggestion>`
    with matching as materialized (
      select key, deleguee, voie, latitude, longitude,
        case when key = ${street} then 0 when key like ${`${street}%`} then 1 else 2 end::float8 as rank
      from streets where commune_id = ${communeId} and ' ' || key like all(${beginnings}::text[])),
    compared as materialized (
      select key, deleguee, voie, latitude, longitude, 3 - word_similarity(${name}, key) as rank from streets
      where commune_id = ${communeId} and ${allowsSimilar}::boolean and not exists (select from matching)),
    near as (select * from compared where rank <= ${sql.lit(3 - leastSimilarity)}),
    found as (
      select * from (select * from matching union all select * from near) f
      order by rank, voie, deleguee limit ${sql.lit(maxStreets)})
    select f.voie, a.numero, a.suffixe, coalesce(a.latitude, f.latitude) as lat, coalesce(a.longitude, f.longitude) as lon
    from found f left join lateral (
      select numero, suffixe, latitude, longitude, suffixe is distinct from ${suffixe}::text as is_other from addresses
      where commune_id = ${communeId} and street = f.key and deleguee = f.deleguee and numero = ${numero}::int
      order by is_other, suffixe nulls first limit ${limit}) a on true
    where coalesce(a.latitude, f.latitude) is not null
    order by a.numero is null, f.rank, a.is_other, f.voie, f.deleguee, a.suffixe nulls first
    limit ${limit}`.execute(prepared(db))
  return rows
}

const leastSimilarity = 0.5
/** Streets whose numbers are looked up: of those that a few letters match, the first. */
const maxStreets = 50
