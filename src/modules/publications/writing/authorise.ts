import type { Permission, SignedIn } from '../../../platform/access/caller.ts'
import { rightOver } from '../../../platform/access/rights.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { requireVersion } from '../../../platform/http/versions.ts'
import { findHeld, type HeldPublication } from './queries.ts'

/**
 * Holds a publication for a change that needs these permissions. Hidden and not theirs, it does not exist for them;
 * visible and another's, or theirs and outside what the application shows, it is out of scope; theirs without the
 * permission is forbidden.
 */
export async function holdForChange(
  tx: Database,
  caller: SignedIn,
  id: string,
  needs: readonly Permission[],
): Promise<HeldPublication> {
  const held = await findHeld(tx, id, caller.source?.communeIds ?? null)
  if (held === undefined || held.deleted_at !== null) throw notFound()
  const right = rightOver(caller.user, held.acteur_id, needs)
  if (right === 'foreign') throw held.visible ? scopeViolation() : notFound()
  if (!held.in_scope) throw scopeViolation()
  if (right === 'lacking') throw forbidden()
  requireVersion(caller, held)
  return held
}
