import type { Permission, SignedIn } from '../../../platform/access/caller.ts'
import { rightOver } from '../../../platform/access/rights.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { findVisible, type StoredPublication } from '../queries.ts'
import { rightOverPublication } from '../rights.ts'
import { isInScope, restrictionOf } from '../visibility.ts'
import type { ActeurRow } from './queries.ts'
import type { PublicationUpdate } from './schema.ts'

/** To publish in the name of this acteur. */
export function requireMayCreate({ user }: SignedIn, acteur: ActeurRow): void {
  const right = rightOver(user, acteur.id, ['manage_publications'])
  if (right === 'foreign' || !acteur.active || !acteur.valide) throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}

/** To attach a publication to these communes, where only some may be chosen; null: any. */
export function requireMayAttach(caller: SignedIn, communeIds: string[], choice: string[] | null): void {
  if (choice !== null && communeIds.some((id) => !choice.includes(id))) throw scopeViolation()
  // An application that is restricted to communes puts nothing anywhere else.
  const allowed = restrictionOf(caller)
  if (allowed === null) return
  if (communeIds.length === 0 || communeIds.some((id) => !allowed.includes(id))) throw scopeViolation()
}

/** To edit it. Each field counts by its presence, changed or not: what a request needs can be told from the request. */
export function requireMayEdit(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  { epingle, ...content }: PublicationUpdate,
): Promise<void> {
  return requireRight(tx, caller, publication, [
    ...(Object.keys(content).length > 0 ? ['manage_publications' as const] : []),
    ...(epingle === undefined ? [] : ['publish_publications' as const]),
  ])
}

export const requireMayDelete = (tx: Database, caller: SignedIn, publication: StoredPublication) =>
  requireRight(tx, caller, publication, ['manage_publications'])

/**
 * Hidden and not theirs, it does not exist for them; visible and another's, or theirs and outside what the application
 * shows, it is out of scope; theirs without the permission is forbidden.
 */
async function requireRight(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  needed: readonly Permission[],
): Promise<void> {
  if (publication.deleted_at !== null) throw notFound()
  const right = await rightOverPublication(tx, caller.user, publication, needed)
  if (right === 'foreign') throw (await findVisible(tx, publication.id)) ? scopeViolation() : notFound()
  if (!isInScope(caller, publication)) throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}
