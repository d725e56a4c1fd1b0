import type { SignedIn } from '../../../platform/access/caller.ts'
import { type Rule, rightOver } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { publicationRules, rightOverPublication } from '../permissions.ts'
import { isRestorable, isVisible, type StoredPublication } from '../queries.ts'
import { isInScope, restrictionOf } from '../visibility.ts'
import type { ActeurRow } from './queries.ts'
import type { PublicationUpdate } from './schema.ts'

/** Requires permission to publish for this acteur. */
export function requireMayCreate({ user }: SignedIn, acteur: ActeurRow): void {
  const right = rightOver(user, acteur.id, [publicationRules.create])
  if (right === 'foreign' || !acteur.active || !acteur.valide) throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}

/** Requires that these communes are among the allowed ones; null: any. */
export function requireMayAttach(caller: SignedIn, communeIds: string[], choice: string[] | null): void {
  if (choice !== null && communeIds.some((id) => !choice.includes(id))) throw scopeViolation()
  // A restricted application cannot publish elsewhere.
  const allowed = restrictionOf(caller)
  if (allowed === null) return
  if (communeIds.length === 0 || communeIds.some((id) => !allowed.includes(id))) throw scopeViolation()
}

/** Requires the permission for each field in the request, even if its value does not change. */
export function requireMayEdit(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  { epingle, ...content }: PublicationUpdate,
): Promise<void> {
  return requireRight(tx, caller, publication, [
    ...(Object.keys(content).length > 0 ? [publicationRules.edit] : []),
    ...(epingle === undefined ? [] : [publicationRules.pin]),
  ])
}

export const requireMayDelete = (tx: Database, caller: SignedIn, publication: StoredPublication) =>
  requireRight(tx, caller, publication, [publicationRules.delete])

/**
 * Requires what a deletion requires. 404, except to the team, for a publication that a moderator deleted, or members too
 * long ago.
 */
export async function requireMayRestore(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  { isTeam }: { isTeam: boolean },
): Promise<void> {
  const { id, deleted_at } = publication
  if (deleted_at !== null && !isTeam && !(await isRestorable(tx, id))) throw notFound()
  await requireRight(tx, caller, { ...publication, deleted_at: null }, [publicationRules.delete])
}

/**
 * Throws 404 for a hidden foreign publication; a scope violation for a visible foreign one, or an own one
 * outside the application's communes; forbidden if the permission is missing.
 */
async function requireRight(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  rules: readonly Rule[],
): Promise<void> {
  if (publication.deleted_at !== null) throw notFound()
  const right = await rightOverPublication(tx, caller.user, publication, rules)
  if (right === 'foreign') throw (await isVisible(tx, publication.id)) ? scopeViolation() : notFound()
  if (!(await isInScope(tx, caller, publication))) throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}
