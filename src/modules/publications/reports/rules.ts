import type { Caller } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import { findVisible } from '../queries.ts'
import { publication } from '../record.ts'
import { isInScope } from '../visibility.ts'
import { insertReport } from './queries.ts'
import type { Reporter } from './reporter.ts'
import type { ReportBody } from './schema.ts'

/** Records a report: one per caller and day until a decision. */
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
      const content = { category: category ?? null, reason: reason ?? null, message: message ?? null }
      const values = { id: uuidv7(), publication_id: id, ...reporter, ...content }
      const reportId = await insertReport(tx, values)
      if (reportId !== values.id) return reportId
      const change = { kind: publication, entityId: id, after: { report_id: reportId, ...content } }
      await append(tx, caller, { action: 'publication.report', ...change })
      return reportId
    }),
  )
}

/** Requires a publication that is public and that the application shows; anybody may report it. */
async function requireMayReport(tx: Database, caller: Caller, id: string): Promise<void> {
  const found = await findVisible(tx, id)
  if (found === undefined) throw notFound()
  if (!isInScope(caller, found)) throw scopeViolation()
}
