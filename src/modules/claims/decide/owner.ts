import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import * as queries from './queries.ts'

type Link = { userId: string; before: Record<string, unknown>; after: Record<string, unknown> }

/**
 * Makes a user one more owner of an acteur, an editor too. Answers what else changed, for the trail. Whoever is
 * disabled can act for nobody.
 */
export async function linkOwner(
  tx: Database,
  acteurId: string,
  user: queries.Claimant,
  isNew: boolean,
): Promise<Link> {
  if (!user.actif) throw conflict()
  const made = isNew ? { user_made: user.id } : {}
  const role = await queries.findMembershipRole(tx, acteurId, user.id)
  if (role === 'owner') {
    if (user.unbound) await queries.restartLapse(tx, acteurId, user.id)
    return { userId: user.id, before: {}, after: made }
  }
  await queries.upsertOwner(tx, acteurId, user.id)
  if (!isNew) await queries.updateUserVersion(tx, user.id)
  const before = role === null ? {} : { membership: role }
  return { userId: user.id, before, after: { ...made, membership: 'owner' } }
}
