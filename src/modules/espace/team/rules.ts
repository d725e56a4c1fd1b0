import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { lockIdentity, ownIdentity } from '../../../platform/access/users.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import { readAddress } from '../../../platform/formats/mail-address.ts'
import type { Deps } from '../../../platform/module.ts'
import { getActeurForUpdate } from '../../acteurs/queries.ts'
import { acteur } from '../../acteurs/record.ts'
import { findOrInsertUnboundUser } from '../../claims/decide/queries.ts'
import { alreadyInvited, alreadyMember, cannotJoin, fullTeam, lastOwner } from '../errors.ts'
import type { MemberCreate, MemberUpdate, TeamMember } from '../schema.ts'
import { mailMember } from './jobs.ts'
import * as queries from './queries.ts'
import { audited, type MemberOf, memberIn, memberOf, requireTeam } from './record.ts'

/** Most members and invitations of an acteur, so that a team is read whole. */
const maxMembers = 200

type Added = { id: string; member: queries.MemberRow }
type Allowed = { account: { id: string; actif: boolean } | null; acteur: MemberOf['acteur'] }

/**
 * Adds somebody to the team of an acteur. Whoever has an account joins at once; an address without one is invited: an
 * account that waits for its owner holds the membership until somebody who reads the mail signs in. Both get a mail.
 */
export function addMember(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  acteurId: string,
  { email, role, permissions = [] }: MemberCreate,
): Promise<TeamMember> {
  const address = readAddress(email)
  const authorise = async (tx: Database): Promise<Allowed> => {
    // Locks as a change of a user does: the account before the acteur.
    await lockIdentity(tx, ownIdentity(address))
    const account = await queries.findAccountForUpdate(tx, address)
    const row = await getActeurForUpdate(tx, acteurId)
    await requireTeam(tx, caller, row)
    return { account, acteur: row }
  }
  const read = (tx: Database, { member }: Added) =>
    queries.getTeamMember(tx, caller.user.id, { acteurId, userId: member.user_id })
  const kind = {
    entity: acteur.entity,
    personal: [],
    auditedValues: ({ member }: Added) => audited(member),
  }
  const asked = { action: 'acteur.member_add', authorise, read }
  return create<Added, TeamMember, Allowed>(db, caller, kind, asked, async (tx, { account, acteur }) => {
    const given = { role, permissions: permissionsOf(acteur.type, role, permissions) }
    const { id: userId, actif } = account ?? (await findOrInsertUnboundUser(tx, address, null))
    const before = await queries.findMember(tx, acteurId, userId)
    if (before !== null) throw before.invited_until === null ? alreadyMember() : alreadyInvited()
    if (!actif) throw cannotJoin()
    if ((await queries.countTeam(tx, acteurId)) >= maxMembers) throw fullTeam(maxMembers)
    const isInvited = account === null
    const member = await queries.insertMember(tx, { acteurId, userId, ...given }, { isInvited })
    await queries.updateUserVersion(tx, userId)
    await jobs.enqueue(tx, mailMember, { acteurId, userId })
    return { id: acteurId, member }
  })
}

/** Changes the role or the permissions of a member. An owner needs no permissions. */
export function updateMember(
  db: Database,
  caller: SignedIn,
  { acteurId, userId }: { acteurId: string; userId: string },
  body: MemberUpdate,
): Promise<TeamMember> {
  const stored = memberOf(userId, async (tx, before, { member }) => {
    const next = member ?? memberIn(before)
    await queries.updateUserVersion(tx, userId)
    return { ...before, member: await queries.updateMember(tx, { acteurId, userId, ...next }) }
  })
  const kind = {
    ...stored,
    // Only what changed; the rule adds whose membership it is.
    auditedValues: ({ member }: MemberOf) => {
      const { member_id: _, ...values } = audited(member)
      return values
    },
  }
  const asked = {
    id: acteurId,
    action: 'acteur.member_update',
    async authorise(tx: Database, before: MemberOf) {
      await requireTeam(tx, caller, before.acteur)
      memberIn(before)
    },
    read: (tx: Database) => queries.getTeamMember(tx, caller.user.id, { acteurId, userId }),
  }
  return change(db, caller, kind, asked, async (tx, before, note) => {
    const member = memberIn(before)
    const role = body.role ?? member.role
    const asked = body.permissions ?? member.permissions
    const permissions = permissionsOf(before.acteur.type, role, asked, member.permissions)
    if (role !== 'owner') await requireOtherOwner(tx, acteurId, member)
    const next = { ...member, role, permissions }
    if (!isDeepStrictEqual(next, member)) note({ member_id: userId })
    return { member: next }
  })
}

/** Removes a member, or withdraws an invitation. Returns the member as it last was. */
export async function removeMember(
  db: Database,
  caller: SignedIn,
  { acteurId, userId }: { acteurId: string; userId: string },
): Promise<TeamMember> {
  let removed: TeamMember | undefined
  const kind = memberOf(userId, async (tx, before) => {
    await queries.deleteMember(tx, acteurId, userId)
    await queries.updateUserVersion(tx, userId)
    await queries.deleteIdleAccounts(tx, [userId])
    return { ...before, member: null }
  })
  const asked = {
    id: acteurId,
    action: 'acteur.member_remove',
    async authorise(tx: Database, before: MemberOf) {
      await requireTeam(tx, caller, before.acteur, userId)
      memberIn(before)
    },
    read: async () => removed as TeamMember,
  }
  return change(db, caller, kind, asked, async (tx, before) => {
    await requireOtherOwner(tx, acteurId, memberIn(before))
    removed = { ...(await queries.getTeamMember(tx, caller.user.id, { acteurId, userId })), can: [] }
    return { member: null }
  })
}

/** Refuses that the last owner leaves or becomes an editor. The acteur is locked, so of two owners one stays. */
async function requireOtherOwner(tx: Database, acteurId: string, member: queries.MemberRow): Promise<void> {
  if (member.role !== 'owner' || member.invited_until !== null) return
  if (!(await queries.hasOtherOwner(tx, acteurId, member.user_id))) throw lastOwner()
}

/**
 * Returns the permissions as they are stored: none for an owner, who may do all. `held`: those that the member has; an acteur
 * that is no mairie any more drops what concerns mairies.
 */
function permissionsOf(
  type: string,
  role: MemberCreate['role'],
  permissions: readonly queries.MemberRow['permissions'][number][],
  held: typeof permissions = [],
): queries.MemberRow['permissions'] {
  if (role === 'owner') return []
  const given = permissions.toSorted()
  if (type === 'mairie' || !given.includes('manage_commune')) return given
  if (!held.includes('manage_commune'))
    throw invalid('permissions', {
      en: 'manage_commune concerns mairies only',
      fr: 'manage_commune ne concerne que les mairies',
    })
  return given.filter((one) => one !== 'manage_commune')
}
