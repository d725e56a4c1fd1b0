import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../platform/database/conditions.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { fold } from '../../platform/text.ts'

type Asked = { q?: string; departement?: string; code_insee?: string }

/** What every list of communes can be asked for, over `communes`. */
export const conditionsOf = ({ q, departement, code_insee }: Asked): (RawBuilder<boolean> | false)[] => [
  departement !== undefined && sql`departement = ${departement}`,
  code_insee !== undefined && hasCode(code_insee),
  q !== undefined && isFoundBy(q),
]

/** The code of a former commune leads to the present one. */
const hasCode = (code: string) => sql<boolean>`id = coalesce(
  (select c.id from communes c where c.code_insee = ${code}),
  (select commune_id from commune_aliases where code_insee = ${code}))`

/** By a word of its name or of a former commune's, by postal code, by INSEE code: the beginning is enough. */
function isFoundBy(q: string): RawBuilder<boolean> {
  const byWords = anyOf(...readings(q).map(beginsWord))
  const ways = [
    byWords,
    sql<boolean>`id = any(array(select commune_id from commune_aliases where ${byWords}))`,
  ]
  const code = q.trim().toUpperCase()
  if (/^[0-9][0-9AB][0-9]{0,3}$/.test(code)) ways.push(sql`code_insee like ${`${code}%`}`)
  return anyOf(...ways)
}

/**
 * By name. With `q` the very name first, then names that begin so, then the rest; in each, more people first. A `q`
 * without a letter or digit asks nothing.
 */
export function usualOrder({ q = '' }: Asked): RawBuilder<unknown> {
  if (!/[\p{L}\p{N}]/u.test(q)) return sql`sort_name, id`
  const keys = readings(q).map((reading) => sql`search_key(${reading})`)
  const begins = anyOf(...keys.map((key) => sql<boolean>`sort_name like ${key} || '%'`))
  return sql`case when sort_name in (${sql.join(keys)}) then 0 when ${begins} then 1 else 2 end,
    population desc nulls last, sort_name, id`
}

/** As it is typed, and with the saints written out. */
function readings(q: string): string[] {
  const words = fold(q).split(' ')
  const written = words.map((word) => saints.get(word) ?? word)
  return words.some((word) => saints.has(word)) ? [q, written.join(' ')] : [q]
}

const saints = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
])
