import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import type { PublicationReport } from './schema.ts'

/** Publications with an open report, but for those that are deleted: both lie in small indexes. */
export const reportedLive = sql`(select distinct publication_id from publication_reports where closed_at is null) reported
  where publication_id not in (select id from publications where deleted_at is not null)`

type ReportValues = Omit<Insertable<tables.PublicationReports>, 'closed_at' | 'created_at'>

/**
 * Answers its id, or that of the open one which the same caller has made on the same day, also at this moment. That one is
 * held: a decision closes it after this report, or before it, and then this one is new.
 */
export async function insertReport(tx: Database, values: ReportValues): Promise<string> {
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

/** Those of one publication, newest first. */
export async function listReports(
  db: Database,
  publicationId: string,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<PublicationReport[]> {
  return db
    .selectFrom('publication_reports')
    .select(['id', 'category', 'reason', 'message', 'created_at', 'closed_at'])
    .$castTo<PublicationReport>()
    .where('publication_id', '=', publicationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** How many a publication has; undefined where there is no such publication. */
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
