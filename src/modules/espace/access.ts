import type { User } from '../../platform/access/caller.ts'
import { allows, type Rule, relationsOf } from '../../platform/access/rules.ts'
import { forbidden, notFound, scopeViolation } from '../../platform/errors.ts'

type Acteur = { id: string; valide: boolean; active: boolean; deleted_at: Date | null }

/**
 * Requires that the rule allows the user over this acteur: 404 for a deleted acteur, and for a foreign one that the public
 * does not see. `authorId`: whose membership it is about.
 */
export function requireRightOver(
  user: User,
  acteur: Acteur,
  rule: Rule,
  authorId: string | null = null,
): void {
  if (acteur.deleted_at !== null) throw notFound()
  const relations = relationsOf(user, { acteurId: acteur.id, authorId })
  const isForeign = !relations.includes('member') && !relations.includes('administrator')
  if (isForeign) throw acteur.valide && acteur.active ? scopeViolation() : notFound()
  if (!allows(rule, relations)) throw forbidden()
}
