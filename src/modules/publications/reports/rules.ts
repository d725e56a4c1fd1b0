import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { report } from '../record.ts'
import { requireMayReport } from './authorise.ts'
import { getReportId, insertReport } from './queries.ts'
import type { Reporter } from './reporter.ts'
import type { ReportBody } from './schema.ts'

/** Notes that somebody reports a publication: once a day, however often they say so. */
export function reportPublication(
  db: Database,
  caller: Caller,
  id: string,
  reporter: Reporter,
  { reason, category, message }: ReportBody = {},
): Promise<string> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await requireMayReport(tx, caller, id)
      const said = { category: category ?? null, reason: reason ?? null, message: message ?? null }
      const values = { id: uuidv7(), publication_id: id, ...reporter, ...said }
      const inserted = await insertReport(tx, values)
      if (inserted === undefined) return getReportId(tx, values)
      await recordAudit(tx, caller, {
        action: 'publication.report',
        kind: report,
        entityId: inserted.id,
        before: null,
        after: { publication_id: inserted.publication_id, ...said },
      })
      return inserted.id
    }),
  )
}
