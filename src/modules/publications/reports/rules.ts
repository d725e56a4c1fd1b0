import { createHmac, hkdfSync } from 'node:crypto'
import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise, scopeViolation } from '../../../platform/errors.ts'
import { addressCaller } from '../../../platform/http/rate-limits/addresses.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { findReachable } from '../reading/queries.ts'
import { reportKind } from '../record.ts'
import type { ReportBody } from '../writing/schema.ts'

type Reporter = { key: string; day: string }

/** Notes that somebody reports a publication: once a day, however often they say so. */
export function reportPublication(
  db: Database,
  caller: Caller,
  id: string,
  { key, day }: Reporter,
  { reason, category, message }: ReportBody = {},
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const found = await findReachable(tx, id, caller.source?.communeIds ?? null)
    if (found === undefined) throw notFound()
    if (!found.in_scope) throw scopeViolation()
    const said = { category: category ?? null, reason: reason ?? null, message: message ?? null }
    const values = { id: uuidv7(), publication_id: id, caller_key: key, day, ...said }
    const inserted = await tx
      .insertInto('publication_reports')
      .values(values)
      .onConflict((conflict) => conflict.constraint('publication_reports_once').doNothing())
      .returning(['id', 'publication_id'])
      .executeTakeFirst()
    if (inserted === undefined) return findReport(tx, id, { key, day })
    await recordAudit(tx, caller, {
      action: 'publication.report',
      kind: reportKind,
      entityId: inserted.id,
      before: null,
      after: { publication_id: inserted.publication_id, ...said },
    })
    return inserted.id
  })
}

/**
 * Tells reporters apart without knowing who they are: the user, or an address under a key that is kept outside the
 * database and counts for one day.
 */
export function reporterKeys(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis reports', 32))
  return (caller: Caller, ip: string, day: string): Reporter => {
    if (caller.user !== null) return { key: `user ${caller.user.id}`, day }
    const digest = createHmac('sha256', key)
      .update(`${day} ${addressCaller(ip)}`)
      .digest('base64url')
    return { key: `address ${digest}`, day }
  }
}

async function findReport(tx: Database, id: string, { key, day }: Reporter): Promise<string> {
  const row = await tx
    .selectFrom('publication_reports')
    .select('id')
    .where('publication_id', '=', id)
    .where('caller_key', '=', key)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.id ?? raise(notFound())
}
