import { opens } from '../../../platform/access/areas.ts'
import type { SignedIn, User } from '../../../platform/access/caller.ts'
import { isMember, rightOver } from '../../../platform/access/rights.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../../../platform/errors.ts'
import { findVisible, type StoredPublication } from '../queries.ts'
import type { ModerationStatus } from '../schema.ts'
import { isInScope } from '../visibility.ts'
import { listMairiesConcerned } from './queries.ts'

/** Administrators and moderators decide everywhere, and finally. Nobody else enters the area of the back-office. */
export const decidesCentrally = (user: User): boolean => opens(user.roles, 'publications')

/** To decide on it as an administrator or moderator, or in the name of any mairie that the caller is a member of. */
export async function requireMayModerate(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  status: ModerationStatus,
): Promise<void> {
  const acteurIds = caller.user.memberships.map(({ acteurId }) => acteurId)
  if (!(await mayModerate(tx, caller, publication, status, acteurIds))) throw forbidden()
}

/** To decide on it in the name of this mairie alone: what it may not decide on is out of its scope. */
export async function requireMairieMayModerate(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  status: ModerationStatus,
  mairieId: string,
): Promise<void> {
  const acteurIds = isMember(caller.user, mairieId) ? [mairieId] : []
  if (!(await mayModerate(tx, caller, publication, status, acteurIds))) throw scopeViolation()
}

/**
 * A mairie decides on its own content and on what it supervises, and reverses nothing that was decided centrally. Who
 * may see the publication is told that they may not decide; who may not, that there is none.
 */
async function mayModerate(
  tx: Database,
  caller: SignedIn,
  publication: StoredPublication,
  status: ModerationStatus,
  acteurIds: string[],
): Promise<boolean> {
  const { user } = caller
  const { id, acteur_id, deleted_at, decided_centrally } = publication
  if (deleted_at !== null) throw notFound()
  const isCentral = decidesCentrally(user)
  const mairies = isCentral ? [] : await listMairiesConcerned(tx, id, acteurIds)
  const isTheirs = mairies.length > 0 || (acteur_id !== null && isMember(user, acteur_id))
  if (!isCentral && !isTheirs && !(await findVisible(tx, id))) throw notFound()
  if (!isInScope(caller, publication)) throw scopeViolation()
  if (isCentral) return true
  const publishes = status === 'approved' || status === 'published'
  return (
    !decided_centrally &&
    mairies.some(
      (mairie) =>
        rightOver(user, mairie.id, ['publish_publications']) === 'allowed' &&
        (mairie.can_publish || !publishes),
    )
  )
}
