import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { type PublicationRow, publicationColumns, publicationTables } from '../columns.ts'
import { matches } from '../search.ts'
import { featuredNow } from '../visibility.ts'
import type { AdminQuery, Sort } from './schema.ts'

/** `duplicate_count` is there when duplicates were asked for. */
export type ListedRow = PublicationRow & { duplicate_count?: number }

/** A page of the back-office's list, in any state. The ids are picked first: only their rows are read whole. */
export async function listManaged(db: Database, query: AdminQuery, paging: Paging): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    with picked as materialized (${query.duplicates ? pickDuplicates(query, paging) : pick(query, paging)})
    select ${publicationColumns}${query.duplicates ? duplicateCount : sql``}
    from picked join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(db)
  return rows
}

export async function countManaged(db: Database, query: AdminQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from publications p where ${conditions(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

function pick(query: AdminQuery, { limit, offset }: Paging): RawBuilder<unknown> {
  const { column, order } = orders[query.sort ?? 'created_at_desc']
  const first = filtersFirst(query, column) ? sql`materialized` : sql`not materialized`
  return sql`
    select id, row_number() over () as place from (
      with listed as ${first} (select p.id, p.${sql.ref(column)} from publications p where ${conditions(query)})
      select l.id from listed l order by ${order('l')} limit ${limit} offset ${offset}) page`
}

/**
 * PostgreSQL takes filters and sorts for unrelated. Where what the filters find may lie together at the far end of the
 * sort's index, walking along that index would pass all the others first: the filters' own index then goes first.
 */
function filtersFirst(query: AdminQuery, column: string): boolean {
  const { q, deleted, type_id, acteur_id, commune_id, reported, en_avant } = query
  // Counting them finds them all anyway.
  if (q !== undefined && matches(q) !== null) return true
  if (column === 'created_at') return false
  // Never many.
  if (reported === true || en_avant === true) return true
  const unpublished = isUnpublished(query) || query.valide === false
  if (column === 'publie_le' && (unpublished || deleted === 'only')) return true
  if (column === 'date_debut' && type_id !== undefined) return true
  const narrow = [unpublished, deleted === 'only', acteur_id !== undefined, commune_id !== undefined]
  return narrow.filter(Boolean).length > 1
}

const isUnpublished = ({ moderation_status }: AdminQuery) =>
  moderation_status === 'pending' || moderation_status === 'rejected'

/**
 * Groups stand where their first member of the list stands in the sort, and their other members right after it: the
 * first ones are found along the sort's index, until the page is full, or from the groups where there are few.
 */
function pickDuplicates(query: AdminQuery, { limit, offset }: Paging): RawBuilder<unknown> {
  const { order, before } = orders[query.sort ?? 'created_at_desc']
  return sql`
    select id, row_number() over () as place from (
      with listed as not materialized (select p.* from publications p where ${conditions(query)})
      select m.id from listed f join listed m on m.duplicate_key = f.duplicate_key
      where not exists (
        select from listed earlier where earlier.duplicate_key = f.duplicate_key and ${before('earlier', 'f')})
      order by ${order('f')}, ${order('m')} limit ${limit} offset ${offset}) page`
}

export const duplicateCount = sql`,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

export function conditions(query: AdminQuery): RawBuilder<unknown> {
  const { commune_id, acteur_id, type_id, moderation_status, valide, reported, en_avant } = query
  const words = query.q === undefined ? null : matches(query.q)
  const all = [
    sql`true`,
    deletedOrNot[query.deleted ?? 'false'],
    query.duplicates === true && amongDuplicates,
    words !== null && words,
    commune_id !== undefined &&
      sql`exists (
      select from publication_communes pc where pc.publication_id = p.id and pc.commune_id = ${commune_id})`,
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`p.type_id = ${type_id}`,
    moderation_status !== undefined && sql`p.moderation_status = ${moderation_status}`,
    valide === false && sql`not p.valide`,
    valide === true && (isUnpublished(query) ? sql`false` : isValid),
    en_avant !== undefined && (en_avant ? featuredNow : notFeatured),
    reported !== undefined && (reported ? hasOpenReports : notReported),
  ]
  return sql.join(
    all.filter((condition) => condition !== false),
    sql` and `,
  )
}

// No other status is ever valid; saying so lets the indexes of what is public serve.
const isValid = sql`p.valide and p.moderation_status in ('approved', 'published')`

// Asked of the few that are, once, so that the many that are not need no look at their rows.
const notFeatured = sql`p.id not in (select p.id from publications p where ${featuredNow})`
const notReported = sql`p.id not in (select r.publication_id from publication_reports r where r.closed_at is null)`

const deletedOrNot = {
  false: sql`p.deleted_at is null`,
  true: sql`true`,
  only: sql`p.deleted_at is not null`,
}

const hasOpenReports = sql`exists (
  select from publication_reports r where r.publication_id = p.id and r.closed_at is null)`

/** What is deleted is no member. */
const amongDuplicates = sql`p.deleted_at is null and exists (
  select from duplicate_groups g where g.duplicate_key = p.duplicate_key and g.members > 1)`

type Order = {
  column: string
  /** As the sort's index has it. */
  order: (alias: string) => RawBuilder<unknown>
  /** Whether one row stands before another. */
  before: (one: string, other: string) => RawBuilder<unknown>
}

function orderBy(column: string, direction: 'asc' | 'desc', absent?: 'infinity' | '-infinity'): Order {
  const way = sql.raw(`${direction}${absent === '-infinity' ? ' nulls last' : ''}`)
  // What has no time comes last, either way.
  const key = (alias: string) => {
    const value = sql.ref(`${alias}.${column}`)
    return sql`(${absent === undefined ? value : sql`coalesce(${value}, ${sql.lit(absent)})`}, ${sql.ref(`${alias}.id`)})`
  }
  return {
    column,
    order: (alias) =>
      sql`${sql.ref(`${alias}.${column}`)} ${way}, ${sql.ref(`${alias}.id`)} ${sql.raw(direction)}`,
    before: (one, other) => sql`${key(one)} ${sql.raw(direction === 'asc' ? '<' : '>')} ${key(other)}`,
  }
}

export const orders: Record<Sort, Order> = {
  created_at_desc: orderBy('created_at', 'desc'),
  created_at_asc: orderBy('created_at', 'asc'),
  updated_at_desc: orderBy('updated_at', 'desc'),
  updated_at_asc: orderBy('updated_at', 'asc'),
  publie_le_desc: orderBy('publie_le', 'desc', '-infinity'),
  publie_le_asc: orderBy('publie_le', 'asc', 'infinity'),
  date_debut_desc: orderBy('date_debut', 'desc', '-infinity'),
  date_debut_asc: orderBy('date_debut', 'asc', 'infinity'),
  titre_desc: orderBy('sort_title', 'desc'),
  titre_asc: orderBy('sort_title', 'asc'),
}
