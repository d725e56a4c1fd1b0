import { type Insertable, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type SortKey, sortOrders } from '../../../platform/database/sort-order.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import type { CategoryCount, OpenReport, PublicationReport, ReportsQuery } from './schema.ts'

/** Live publications with an open report; both sides have small indexes. */
export const reportedLive = sql`(select distinct publication_id from publication_reports where closed_at is null) reported
  where publication_id not in (select id from publications where deleted_at is not null)`

type ReportValues = Omit<Insertable<tables.PublicationReports>, 'closed_at' | 'created_at'>

/**
 * Inserts a report, or locks the caller's open report of the same day (even a concurrent one). Returns its
 * id. A decision either waits for this report, or closes the old one first and a new one is inserted.
 */
export async function insertReport(tx: Database, values: ReportValues): Promise<string> {
  // Locks before the insert: undoing a decision locks the publication, then reopens reports.
  await sql`select from publications where id = ${values.publication_id} for key share`.execute(tx)
  const row = await tx
    .insertInto('publication_reports')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['publication_id', 'caller_key', 'day'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ day: sql`excluded.day` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Lists the reports of one publication, newest first. */
export function listReports(
  db: Database,
  publicationId: string,
  paging: Pick<Paging, 'limit' | 'offset' | 'after'>,
): Promise<Slice<PublicationReport>> {
  const order = reportOrders.created_at_desc
  return readSlice<PublicationReport>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<PublicationReport & Placed>`
      select r.id, r.category, r.reason, r.message, r.created_at, r.closed_at, ${order.values}
      from publication_reports r where r.publication_id = ${publicationId} and ${after}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

const byAge: SortKey[] = [
  { by: sql`r.created_at`, type: 'time' },
  { by: sql`r.id`, type: 'id' },
]
const reportOrders = sortOrders('reports', { created_at: byAge })

/** Counts the reports of a publication; undefined when it does not exist. */
export async function findReportCount(db: Database, publicationId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('publications as p')
    .select(
      sql<number>`(select count(*) from publication_reports r where r.publication_id = p.id)`.as('total'),
    )
    .where('id', '=', publicationId)
    .executeTakeFirst()
  return row?.total
}

/** Lists the open reports of publications that are not deleted, oldest first. */
export function listOpenReports(
  db: Database,
  { category }: Pick<ReportsQuery, 'category'>,
  paging: Paging,
): Promise<Slice<OpenReport>> {
  const order = reportOrders.created_at_asc
  return readSlice<OpenReport>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<OpenReport & Placed>`
      select r.id, r.category, r.reason, r.message, r.created_at, r.closed_at, ${order.values},
        json_build_object('id', p.id, 'title', p.title, 'moderation_status', p.moderation_status,
          'acteur', (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = p.acteur_id)
        ) as publication
      from publication_reports r join publications p on p.id = r.publication_id
      where ${allOf(
        sql`r.closed_at is null and p.deleted_at is null`,
        category !== undefined && sql`r.category = any(${category}::text[])`,
        after,
      )}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

export async function countOpenReports(db: Database): Promise<CategoryCount[]> {
  const { rows } = await sql<CategoryCount>`
    select r.category, count(*)::int as open from publication_reports r
    where r.closed_at is null and r.publication_id not in (select id from publications where deleted_at is not null)
    group by r.category order by r.category`.execute(db)
  return rows
}
