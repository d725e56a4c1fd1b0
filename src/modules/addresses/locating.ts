import { sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { fold } from '../../platform/formats/text.ts'
import { suggestAddresses } from './suggesting.ts'

/** What typed words are taken for: an address, a street or a commune, whose centre may be unknown. */
export type LocatedPlace = {
  nom: string
  code_insee: string
  latitude: number | null
  longitude: number | null
}

/**
 * Finds the commune or the address that typed words name: `Chambéry`, `73000`, `12 rue X, Chambéry`, `12 rue X 73000`.
 * An address without a commune is looked up only where one commune alone has addresses. `communeIds`: those that may be
 * named; null: all. At most four statements.
 */
export async function locatePlace(
  db: Database,
  typed: string,
  communeIds: readonly string[] | null,
): Promise<LocatedPlace | null> {
  const { addresses, code } = divide(typed)
  for (const commune of await listNamed(db, [...addresses.keys()], code, communeIds)) {
    const { id, key, ...place } = commune
    const address = key === null ? typed : (addresses.get(key) ?? '')
    if (key !== null && address === '') return place
    // Words that name no commune may name another town: each must be found.
    const [found] = await suggestAddresses(db, id, address, 1, { allowsSimilar: key !== null })
    if (found === undefined) continue
    const { voie, numero, suffixe, lat, lon } = found
    const street = [numero, suffixe, voie].filter((part) => part !== null).join(' ')
    return { ...place, nom: `${street}, ${place.nom}`, latitude: lat, longitude: lon }
  }
  return null
}

/**
 * Divides typed words into an address and the name of a commune in each way, by the key of the name. With a postal code, what
 * precedes it is the address, also of a commune without a name: its key is empty.
 */
function divide(typed: string): { addresses: Map<string, string>; code: string | null } {
  const [, before = typed, code = null, after = ''] = /^(.*?)(?<!\d)(\d{5})(?!\d)(.*)$/s.exec(typed) ?? []
  const addresses = new Map<string, string>()
  if (code !== null) addresses.set('', before.trim())
  if (code !== null && fold(after) !== '')
    return { addresses: addresses.set(nameKey(after), before.trim()), code }
  const words = before.split(/[\s,()]+/).filter(Boolean)
  const first = Math.max(0, words.length - longestName)
  for (let at = first; at < words.length; at++) {
    const name = nameKey(words.slice(at).join(' '))
    if (name !== '') addresses.set(name, words.slice(0, at).join(' '))
  }
  return { addresses, code }
}

/** Words of the longest names of communes, hyphens aside. */
const longestName = 8

/** The key that names of communes have, without the number of a post office, and with saints written out. */
const nameKey = (name: string) =>
  fold(name)
    .replace(/ ?\bcedex( \d+)?$/, '')
    .replace(/\bst(e?)\b/g, 'saint$1')

type Named = LocatedPlace & { id: string; key: string | null }

/**
 * Lists the communes that may be meant, those with the longest name and then with addresses first; also the only one with
 * addresses, without a key, unless one that is named has some.
 */
async function listNamed(
  db: Database,
  keys: string[],
  code: string | null,
  communeIds: readonly string[] | null,
): Promise<Named[]> {
  const whole = keys.find((key) => key !== '') ?? ''
  const isShown = (column: string) =>
    communeIds !== null && sql<boolean>`${sql.ref(column)} = any(${communeIds}::uuid[])`
  const isNamed = sql<boolean>`sort_name = any(${keys}::text[])`
  const isMeant = code === null ? isNamed : sql<boolean>`search_text like ${`% ${code}%`}`
  const shown = sql`id, nom, code_insee, latitude, longitude`
  const ending = (order: 'asc' | 'desc') => sql`
    select commune_id from streets where ${allOf(isShown('commune_id'))} order by commune_id ${sql.raw(order)} limit 1`
  const { rows } = await sql<Named>`
    with named as materialized (
      select ${shown}, case when ${isNamed} then sort_name else '' end as key, population,
        exists (select from streets s where s.commune_id = communes.id) as has_streets
      from communes where ${isMeant}),
    only_one as (
      select ${shown}, null as key, population, true as has_streets from communes
      where id = (${ending('asc')}) and id = (${ending('desc')})
        and not exists (select from named where has_streets or key = ${whole}))
    select ${shown}, key from (select * from named union all select * from only_one) c
    where ${allOf(isShown('id'))}
    order by length(key) desc nulls last, has_streets desc, population desc nulls last, id
    limit ${sql.lit(maxTried)}`.execute(db)
  return rows
}

const maxTried = 3
