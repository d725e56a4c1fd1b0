import { opens } from '../../../platform/access/areas.ts'
import type { SignedIn, User } from '../../../platform/access/caller.ts'
import { allows, type Rule, relationsOf, rightOver } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { publicationRules, rightOverPublication } from '../permissions.ts'
import { isVisible, type StoredPublication } from '../queries.ts'
import type { ModerationStatus } from '../schema.ts'
import { isInScope } from '../visibility.ts'
import { listMairiesConcerned } from './queries.ts'

/**
 * True for administrators and moderators in the back-office: they decide on all content, and no mairie can
 * reverse it. In other applications their role has no effect.
 */
export const decidesCentrally = ({ user, source }: SignedIn): boolean =>
  source?.code === 'backoffice' &&
  allows(publicationRules.moderate, relationsOf(user, { area: 'publications' }))

/** True when the caller has the permission to decide for this mairie; the mairie itself is not checked. */
export const mayDecideFor = (
  user: User,
  mairieId: string,
  rule: Rule = publicationRules.moderateForMairie,
): boolean => rightOver(user, mairieId, [rule]) === 'allowed'

type Decision = { publication: StoredPublication; status: ModerationStatus }

/** Requires that the caller may decide centrally or for a mairie they are a member of. */
export async function requireMayModerate(tx: Database, caller: SignedIn, decision: Decision): Promise<void> {
  if (decidesCentrally(caller)) return requireWithinReach(tx, caller, decision.publication)
  const acteurIds = caller.user.memberships.map(({ acteurId }) => acteurId)
  const mayDecide = (mairieId: string) => mayDecideFor(caller.user, mairieId, publicationRules.moderate)
  if (!(await mayModerate(tx, caller, decision, { acteurIds, mayDecide }))) throw forbidden()
}

/** Requires that this mairie may decide, even if an administrator calls; otherwise scope violation. */
export async function requireMairieMayModerate(
  tx: Database,
  caller: SignedIn,
  decision: Decision,
  mairieId: string,
): Promise<void> {
  const mayDecide = () => mayDecideFor(caller.user, mairieId)
  const mairie = { acteurIds: [mairieId], mayDecide }
  if (!(await mayModerate(tx, caller, decision, mairie))) throw scopeViolation()
}

type Mairies = { acteurIds: string[]; mayDecide: (mairieId: string) => boolean }

/**
 * True if one of these mairies may decide: on its own or supervised content, without a central decision. 404
 * if the caller may not see the publication.
 */
async function mayModerate(
  tx: Database,
  caller: SignedIn,
  { publication, status }: Decision,
  { acteurIds, mayDecide }: Mairies,
): Promise<boolean> {
  const { id, decided_centrally } = publication
  const mairies = await listMairiesConcerned(tx, id, acteurIds)
  const isTheirs =
    mairies.length > 0 || (await rightOverPublication(tx, caller.user, publication, [])) !== 'foreign'
  const mayKnow = isTheirs || isModerator(caller.user) || (await isVisible(tx, id))
  if (!mayKnow) throw notFound()
  await requireWithinReach(tx, caller, publication)
  if (decided_centrally) return false
  const publishes = status === 'approved' || status === 'published'
  return mairies.some((mairie) => mayDecide(mairie.id) && (mairie.can_publish || !publishes))
}

/** Requires that the publication is not deleted and that the application shows it. */
async function requireWithinReach(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
): Promise<void> {
  if (publication.deleted_at !== null) throw notFound()
  if (!(await isInScope(tx, caller, publication))) throw scopeViolation()
}

const isModerator = (user: User): boolean => opens(user.roles, 'publications')
