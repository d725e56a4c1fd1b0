import { opens } from '../../../platform/access/areas.ts'
import type { SignedIn, User } from '../../../platform/access/caller.ts'
import { rightOver } from '../../../platform/access/rights.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { findVisible, type StoredPublication } from '../queries.ts'
import { rightOverPublication } from '../rights.ts'
import type { ModerationStatus } from '../schema.ts'
import { isInScope } from '../visibility.ts'
import { listMairiesConcerned } from './queries.ts'

/**
 * Administrators and moderators decide on everything, and finally, from the back-office. From another application they
 * decide what everybody else could.
 */
export const decidesCentrally = ({ user, source }: SignedIn): boolean =>
  source?.code === 'backoffice' && isModerator(user)

/** Whether the caller may decide in the name of this mairie, where the mairie may. */
export const mayDecideFor = (user: User, mairieId: string): boolean =>
  rightOver(user, mairieId, ['publish_publications']) === 'allowed'

type Decision = { publication: StoredPublication; status: ModerationStatus }

/** To decide on it centrally, or in the name of any mairie that the caller is a member of. */
export async function requireMayModerate(tx: Database, caller: SignedIn, decision: Decision): Promise<void> {
  if (decidesCentrally(caller)) return requireWithinReach(caller, decision.publication)
  const acteurIds = caller.user.memberships.map(({ acteurId }) => acteurId)
  // As everybody else: by membership alone.
  const asMember = { ...caller.user, roles: [] }
  const mayDecide = (mairieId: string) => mayDecideFor(asMember, mairieId)
  if (!(await mayModerate(tx, caller, decision, { acteurIds, mayDecide }))) throw forbidden()
}

/** To decide on it in the name of this mairie alone, whoever asks: what it may not decide on is out of its scope. */
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
 * A mairie decides on its own content and on what it supervises, and reverses nothing that was decided centrally. Who
 * may see the publication is told that they may not decide; who may not, that there is none.
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
  const mayKnow = isTheirs || isModerator(caller.user) || (await findVisible(tx, id)) !== undefined
  if (!mayKnow) throw notFound()
  requireWithinReach(caller, publication)
  if (decided_centrally) return false
  const publishes = status === 'approved' || status === 'published'
  return mairies.some((mairie) => mayDecide(mairie.id) && (mairie.can_publish || !publishes))
}

/** There, and shown by the application. */
function requireWithinReach(caller: SignedIn, publication: StoredPublication): void {
  if (publication.deleted_at !== null) throw notFound()
  if (!isInScope(caller, publication)) throw scopeViolation()
}

const isModerator = (user: User): boolean => opens(user.roles, 'publications')
