import type { SignedIn } from '../../platform/access/caller.ts'
import { allows, type Right, type Rule, relationsOf } from '../../platform/access/rules.ts'
import { forbidden, notFound, scopeViolation } from '../../platform/errors.ts'

export const mediaRules = {
  manage: {
    name: 'media.manage',
    allows: 'send, describe and delete pictures and documents',
    over: 'acteur',
    who: ['administrator', 'colleague', 'owner', 'manage_publications'],
    scope: 'media.write',
  },
  read: {
    name: 'media.read',
    allows: 'see a picture that need not be public',
    over: 'acteur',
    who: ['administrator', 'colleague', 'member'],
    scope: 'media.read',
  },
} satisfies Record<string, Rule>

const relationsTo = (
  { user, source }: SignedIn,
  acteurId: string | null,
  inBackoffice = source?.code === 'backoffice',
) =>
  relationsOf(user, { acteurId, area: 'publications' }).filter(
    // A role counts in the back-office only.
    (relation) => relation !== 'colleague' || inBackoffice,
  )

/** Returns a caller's right over the media of an acteur; without one, administrators and moderators have it. */
export function rightOverMedia(caller: SignedIn, acteurId: string | null): Right {
  const relations = relationsTo(caller, acteurId)
  if (allows(mediaRules.manage, relations)) return 'allowed'
  return relations.includes('member') ? 'lacking' : 'foreign'
}

/** Requires the right to send for an acteur: scope violation for others, forbidden without the permission. */
export function requireMaySend(caller: SignedIn, acteurId: string | null): void {
  const right = rightOverMedia(caller, acteurId)
  if (right === 'foreign') throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}

/** Requires the right over a record; 404 for those of others. */
export function requireMayManage(caller: SignedIn, { acteur_id }: { acteur_id: string | null }): void {
  const right = rightOverMedia(caller, acteur_id)
  if (right === 'foreign') throw notFound()
  if (right === 'lacking') throw forbidden()
}

/**
 * True for whoever may see the pictures of an acteur, public or not. `isBrowser`: a browser reads it for a page of the
 * back-office, whose picture elements cannot name their application.
 */
export const maySee = (
  caller: SignedIn,
  { acteur_id }: { acteur_id: string | null },
  { isBrowser }: { isBrowser: boolean },
): boolean => {
  const { source } = caller
  return allows(mediaRules.read, relationsTo(caller, acteur_id, isBrowser || source?.code === 'backoffice'))
}

/** The acteurs whose media the caller manages; null: all. */
export function managedActeurs(caller: SignedIn): string[] | null {
  if (rightOverMedia(caller, null) === 'allowed') return null
  const ids = caller.user.memberships.map(({ acteurId }) => acteurId)
  return ids.filter((id) => rightOverMedia(caller, id) === 'allowed')
}

/** True for administrators and moderators, whose words nobody reads before they appear. */
export const mayDescribePublished = (
  caller: SignedIn,
  { acteur_id }: { acteur_id: string | null },
): boolean =>
  relationsTo(caller, acteur_id).some((relation) => relation === 'administrator' || relation === 'colleague')
