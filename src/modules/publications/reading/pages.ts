import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import type { Total } from '../../../platform/http/listing/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import type { PublicQuery } from './schema.ts'

export type ListOf = {
  /** Condition for the rows that precede the others; both groups are ordered newest first. */
  comesFirst: RawBuilder<boolean>
  /** True if the list's acteur or commune exists and is public. */
  isKnown?: RawBuilder<boolean>
}
export type PublicList = ListOf & {
  filters: Omit<PublicQuery, 'page' | 'per_page'>
  /** Communes the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}
export type ListPage = Total & {
  isKnown: boolean
  /** Why the page was not read: another way suits the query. */
  instead: Instead | null
  rows: Publication[]
}

type PageRow = { is_known: boolean; total: number; instead: Instead | null }
/** The text has no word as the database tokenises it, or the walk ended before the page was full. */
export type Instead = 'no words' | 'not enough'

export type Parts = {
  found: RawBuilder<unknown>
  total: RawBuilder<unknown>
  page: RawBuilder<unknown>
  instead?: RawBuilder<Instead | null>
  isPlannedEachTime?: boolean
}

/**
 * Returns a page, ids picked first, and the total, even of an empty page. Lists with one plan for all values
 * are prepared; the literal limit tells the planner, which does not know the values, how few rows there are.
 */
export async function readPage(
  db: Database,
  { filters, isKnown = sql`true` }: PublicList,
  { found, total, page, instead = sql`null`, isPlannedEachTime = false }: Parts,
): Promise<ListPage> {
  const order = filters.sort === undefined ? sql`picked.part, p.publie_le desc` : sql`p.date_debut`
  const { rows } = await sql<Publication & PageRow>`
    with ${found},
    picked as materialized (select * from (${page}) page${sql.raw(isPlannedEachTime ? '' : ' limit 100')})
    select ${publicColumns}, list.is_known, list.total, list.instead
    from (select ${isKnown} as is_known, ${total} as total, ${instead} as instead) list
    left join (picked join (${publicationTables}) on p.id = picked.publication_id) on true
    order by ${order}, p.id ${sql.raw(filters.sort === undefined ? 'desc' : '')}`.execute(
    isPlannedEachTime ? db : prepared(db),
  )
  const [first] = rows
  return {
    isKnown: first?.is_known ?? false,
    total: first?.total ?? 0,
    instead: first?.instead ?? null,
    rows: rows
      .filter(({ id }) => id !== null)
      .map(({ is_known, total, instead, ...row }) => row as Publication),
  }
}
