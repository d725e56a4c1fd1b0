import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { notFound, raise } from '../../../platform/errors.ts'

type ReportValues = Omit<Insertable<tables.PublicationReports>, 'closed_at' | 'created_at'>

/** Undefined when the same caller has reported it on the same day, also at this moment. */
export async function insertReport(tx: Database, values: ReportValues) {
  return tx
    .insertInto('publication_reports')
    .values(values)
    .onConflict((conflict) => conflict.constraint('publication_reports_once').doNothing())
    .returning(['id', 'publication_id'])
    .executeTakeFirst()
}

export async function getReportId(
  tx: Database,
  { publication_id, caller_key, day }: Pick<ReportValues, 'publication_id' | 'caller_key' | 'day'>,
): Promise<string> {
  const row = await tx
    .selectFrom('publication_reports')
    .select('id')
    .where('publication_id', '=', publication_id)
    .where('caller_key', '=', caller_key)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.id ?? raise(notFound())
}
