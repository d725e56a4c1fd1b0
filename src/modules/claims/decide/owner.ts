import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import * as queries from './queries.ts'

/** Changes made by linking an owner, for the audit log and for an undo. */
export type Link = {
  userId: string
  isNew: boolean
  member: queries.MemberRow | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Makes a user (also an editor) an additional owner of an acteur. 409 if the user is disabled. */
export async function linkOwner(
  tx: Database,
  acteurId: string,
  user: queries.Claimant,
  isNew: boolean,
): Promise<Link> {
  if (!user.actif) throw conflict()
  const made = isNew ? { user_made: user.id } : {}
  const member = await queries.findMember(tx, acteurId, user.id)
  const link = { userId: user.id, isNew, member }
  if (member?.role === 'owner') {
    if (user.unbound) await queries.restartLapse(tx, acteurId, user.id)
    return { ...link, before: {}, after: made }
  }
  await queries.upsertOwner(tx, acteurId, user.id)
  if (!isNew) await queries.updateUserVersion(tx, user.id)
  const before = member === null ? {} : { membership: member.role }
  return { ...link, before, after: { ...made, membership: 'owner' } }
}
