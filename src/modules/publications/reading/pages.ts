import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import { type Position, readCursor, writeCursor } from '../../../platform/http/listing/cursor.ts'
import type { Total } from '../../../platform/http/listing/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import { foundIn } from '../search.ts'
import { currentListings, isRefreshing, type Listings, storedListings } from '../stored-lists.ts'
import { visible } from '../visibility.ts'
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
  /** Events by day: with a row for each date of a series, or for its next one; otherwise with one row. */
  each?: 'date' | 'next date'
  /** Only rows that follow this one, in a list without `sort`. */
  after?: ListPosition
  /** False: nobody asks for the total, which is 0 then. */
  isCounted?: boolean
}
/** The position of a row among those that come first, or among the others. */
export type ListPosition = Position & { isFirst: boolean }
export type ListPage = Total & {
  isKnown: boolean
  /** Why the page was not read: another way suits the query. */
  instead: Instead | null
  rows: Listed[]
}
/** `jour`: the date, in a list with a row for each. */
export type Listed = Publication & { jour?: string }

type PageRow = { is_known: boolean; total: number; instead: Instead | null; is_refreshing: boolean }
/** The text has no word as the database tokenises it, or the walk ended before the page was full. */
export type Instead = 'no words' | 'not enough'

export type Parts = {
  found: RawBuilder<unknown>
  total: RawBuilder<unknown>
  page: RawBuilder<unknown>
  instead?: RawBuilder<Instead | null>
  isPlannedEachTime?: boolean
  /** Reads the publications themselves. */
  isComputed?: boolean
}

/** Conditions of the rows that come first and of the others, after the position of the list, over listings `l`. */
export function partsOf({ comesFirst, after }: PublicList): Record<'first' | 'others', RawBuilder<boolean>> {
  const isOther = sql<boolean>`not ${comesFirst}`
  if (after === undefined) return { first: comesFirst, others: isOther }
  const follows = sql`(l.publie_le, l.publication_id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  return after.isFirst
    ? { first: allOf(comesFirst, follows), others: isOther }
    : { first: sql`false`, others: allOf(isOther, follows) }
}

/** Writes the cursor of what follows a publication in a list where featured ones come first. */
export const cursorAfter = ({
  publie_le,
  id,
  en_avant,
}: Pick<Publication, 'publie_le' | 'id' | 'en_avant'>): string | null =>
  publie_le && writeCursor({ at: publie_le.toISOString(), id: `${en_avant ? 1 : 2}.${id}` })

/** Parses a cursor of `cursorAfter`; null if it is not valid. */
export function readListPosition(cursor: string): ListPosition | null {
  const position = readCursor(cursor, isIdOfPart)
  return position && { at: position.at, id: position.id.slice(2), isFirst: position.id.startsWith('1') }
}

const isIdOfPart = /^[12]\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns a page, ids picked first, and the total, even of an empty page. Lists with one plan for all values
 * are prepared; the literal limit tells the planner, which does not know the values, how few rows there are.
 *
 * Reads the stored rows, and again from the view if its snapshot says that rows of an acteur are being refreshed.
 */
export async function readPage(
  db: Database,
  list: PublicList,
  partsFrom: (listings: Listings) => Parts,
): Promise<ListPage> {
  const { isOutdated, ...page } = await readFrom(db, list, partsFrom(storedListings))
  if (!isOutdated) return page
  const { isOutdated: _, ...current } = await readFrom(db, list, partsFrom(currentListings))
  return current
}

type Read = ListPage & { isOutdated: boolean }

/** The rows of a list that is planned each time are read by a statement of their own, because planning them costs most of a page. */
function readFrom(db: Database, list: PublicList, parts: Parts): Promise<Read> {
  return parts.isPlannedEachTime ? readByIds(db, list, parts) : readAtOnce(db, list, parts)
}

async function readAtOnce(db: Database, list: PublicList, parts: Parts): Promise<Read> {
  const { rows } = await sql<Listed & PageRow>`
    with ${parts.found},
    picked as materialized (select * from (${parts.page}) page limit 100)
    select ${columnsOf(list)}, list.is_known, list.total, list.instead, list.is_refreshing
    from (${aboutList(list, parts)}) list
    left join (picked join (${publicationTables}) on p.id = picked.publication_id) on true
    order by ${orderOfRows(list)}`.execute(prepared(db))
  const shown = rows.filter(({ id }) => id !== null)
  return pageOf(
    rows[0],
    shown.map(({ is_known, total, instead, is_refreshing, ...row }) => row as Listed),
  )
}

type Picked = { publication_id: string | null; part: number; jour: string | null }

/** What was hidden between the two statements is left out. */
async function readByIds(db: Database, list: PublicList, parts: Parts): Promise<Read> {
  const found = await sql<Picked & PageRow>`
    with ${parts.found}
    select page.publication_id, page.part, ${dayOf(list, 'page')} as jour, list.*
    from (${aboutList(list, parts)}) list left join (${parts.page}) page on true`.execute(db)
  const picked = found.rows.filter(({ publication_id }) => publication_id !== null)
  const of = <Name extends keyof Picked>(name: Name) => picked.map((row) => row[name])
  const page = (rows: Listed[]) => pageOf(found.rows[0], rows)
  if (picked.length === 0) return page([])
  const { rows } = await sql<Listed>`
    select ${columnsOf(list)}
    from unnest(${of('publication_id')}::uuid[], ${of('part')}::int[], ${of('jour')}::date[])
      picked (publication_id, part, jour)
    join (${publicationTables}) on p.id = picked.publication_id and ${visible}
    order by ${orderOfRows(list)}`.execute(prepared(db))
  return page(rows)
}

const dayOf = ({ each }: PublicList, from: string) =>
  each === undefined ? sql`null::date` : sql.ref(`${from}.jour`)

const aboutList = (
  { isKnown = sql`true`, isCounted = true }: PublicList,
  { total, instead = sql`null`, isComputed = false }: Parts,
) =>
  sql`select ${isKnown} as is_known, ${isCounted ? total : sql`0`} as total, ${instead} as instead,
    ${isComputed ? sql`false` : isRefreshing} as is_refreshing`

const columnsOf = ({ each, filters: { q } }: PublicList) =>
  sql.join([
    publicColumns,
    ...(each === undefined ? [] : [sql.ref('picked.jour')]),
    ...(q === undefined ? [] : [foundIn(q)]),
  ])

function orderOfRows({ each, filters: { sort } }: PublicList): RawBuilder<unknown> {
  if (sort === undefined) return sql`picked.part, p.publie_le desc, p.id desc`
  return each === undefined ? sql`p.date_debut, p.id` : sql`picked.jour, p.id`
}

const pageOf = (first: PageRow | undefined, rows: Listed[]): Read => ({
  isKnown: first?.is_known ?? false,
  total: first?.total ?? 0,
  instead: first?.instead ?? null,
  isOutdated: first?.is_refreshing ?? false,
  rows,
})
