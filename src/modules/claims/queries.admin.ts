import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { type ClaimRow, columns, deadline, isOverdue } from './queries.ts'
import type { Claim, ClaimsQuery } from './schema.ts'

export type ClaimView = ClaimRow & { overdue: boolean } & Pick<Claim, 'acteur' | 'owners'>

/**
 * The acteur and its owners come with each row: a page costs one statement, however long it is. They are looked up for
 * the rows of the page alone, not for those before it.
 */
export function listClaims(
  db: Database,
  query: ClaimsQuery,
  ttlDays: number,
  { limit, offset }: Paging,
): Promise<ClaimView[]> {
  const ids = newestFirst(matching(db, query, ttlDays))
    .select('c.id')
    .limit(limit)
    .offset(offset)
  return newestFirst(views(db.selectFrom('claims as c').where('c.id', 'in', ids), ttlDays)).execute()
}

export async function countClaims(db: Database, query: ClaimsQuery, ttlDays: number): Promise<number> {
  const { total } = await matching(db, query, ttlDays)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function getClaim(db: Database, id: string, ttlDays: number): Promise<ClaimView> {
  const row = await views(db.selectFrom('claims as c').where('c.id', '=', id), ttlDays).executeTakeFirst()
  return row ?? raise(notFound())
}

function matching(db: Database, { status, acteur_id, q }: ClaimsQuery, ttlDays: number) {
  let query = db.selectFrom('claims as c')
  if (acteur_id !== undefined) query = query.where('c.acteur_id', '=', acteur_id)
  // A q without a letter or digit filters nothing.
  if (q !== undefined && /[\p{L}\p{N}]/u.test(q)) query = query.where(finds(q))
  if (status === 'expired') return query.where(sql<boolean>`(c.status = 'expired' or ${isOverdue(ttlDays)})`)
  if (status !== undefined) query = query.where('c.status', '=', status)
  return status === 'pending' ? query.where('c.created_at', '>=', deadline(ttlDays)) : query
}

/** Each word begins one of the claim's, or all of it is the beginning of a word of the acteur's name. */
const finds = (q: string) => sql<boolean>`(
  c.search @@ to_tsquery('simple', (
    select string_agg(word || ':*', ' & ') from unnest(string_to_array(search_key(${q}), ' ')) word where word <> ''))
  or c.acteur_id = any(array(
    select id from acteurs where ${beginsWord(q)})))`

const owners = sql<Claim['owners']>`coalesce((
  select json_agg(json_build_object('user_id', u.id, 'nom', u.nom, 'email', u.email) order by o.created_at, u.id)
  from actor_users o join users u on u.id = o.user_id
  where o.acteur_id = c.acteur_id and o.role = 'owner'), '[]')`

const acteur = sql<Claim['acteur']>`(
  select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = c.acteur_id)`

type Claims<Output> = SelectQueryBuilder<tables.DB & { c: tables.Claims }, 'c', Output>

const newestFirst = <Output>(query: Claims<Output>) =>
  query.orderBy('c.created_at', 'desc').orderBy('c.id', 'desc')

const views = (query: Claims<object>, ttlDays: number) =>
  query
    .select(columns.map((name) => `c.${name}` as const))
    .select([isOverdue(ttlDays).as('overdue'), acteur.as('acteur'), owners.as('owners')])
