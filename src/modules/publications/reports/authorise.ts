import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import { findVisible } from '../queries.ts'
import { isInScope } from '../visibility.ts'

/** Requires a publication that is public and that the application shows; anybody may report it. */
export async function requireMayReport(tx: Database, caller: Caller, id: string): Promise<void> {
  const publication = await findVisible(tx, id)
  if (publication === undefined) throw notFound()
  if (!isInScope(caller, publication)) throw scopeViolation()
}
