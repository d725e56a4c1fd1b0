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
import { deleteIdleAccounts, findAccount, updateUserVersion } from '../accounts.ts'
import { alreadyInvited, alreadyMember, fullTeam, lastOwner } from '../errors.ts'
import { mailTeamInvitation } from '../invitations/jobs.ts'
import * as invitations from '../invitations/queries.ts'
import type { MemberCreate, MemberUpdate, TeamMember } from '../schema.ts'
import * as queries from './queries.ts'
import { audited, type MemberOf, memberIn, memberOf, namedInAudit, requireTeam } from './record.ts'

/** Most members and invitations of an acteur, so that a team is read whole. */
const maxMembers = 200

/**
 * Invites an address to the team of an acteur, whoever it belongs to: the response, and what the acteur sees until somebody
 * accepts, is the same with an account and without. An address without one gets an account that waits for its reader.
 */
export function addMember(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  acteurId: string,
  { email, role, permissions = [] }: MemberCreate,
): Promise<TeamMember> {
  const address = readAddress(email)
  const authorise = async (tx: Database): Promise<MemberOf['acteur']> => {
    // Also excludes concurrent invitations of the address, whose mails are counted.
    await lockIdentity(tx, ownIdentity(address))
    const row = await getActeurForUpdate(tx, acteurId)
    await requireTeam(tx, caller, row)
    return row
  }
  const read = (tx: Database, { invitation }: Added) =>
    queries.getTeamMember(tx, caller.user.id, { acteurId, userId: invitation.id })
  const kind = {
    entity: acteur.entity,
    personal: [],
    auditedValues: ({ invitation }: Added) => invitations.auditedInvitation(invitation),
  }
  const asked = { action: 'acteur.member_add', authorise, read }
  return create<Added, TeamMember, MemberOf['acteur']>(db, caller, kind, asked, async (tx, row) => ({
    id: acteurId,
    invitation: await invite(tx, { jobs, caller }, row, { address, role, permissions }),
  }))
}

type Invited = Pick<MemberCreate, 'role'> & {
  address: string
  permissions?: readonly queries.MemberRow['permissions'][number][]
}

/** Invites an address, whose identity is locked, to the team of an acteur, which is locked too. */
export async function invite(
  tx: Database,
  { jobs, caller }: Pick<Deps, 'jobs'> & { caller: SignedIn },
  { id: acteurId, type }: Pick<MemberOf['acteur'], 'id' | 'type'>,
  { address, role, permissions = [] }: Invited,
): Promise<invitations.InvitationRow> {
  const given = { role, permissions: permissionsOf(type, role, permissions) }
  if (await queries.hasMember(tx, acteurId, address)) throw alreadyMember()
  if (await invitations.isInvited(tx, acteurId, address)) throw alreadyInvited()
  if ((await queries.countTeam(tx, acteurId)) >= maxMembers) throw fullTeam(maxMembers)
  if ((await findAccount(tx, address)) === null) await findOrInsertUnboundUser(tx, address, null)
  const isMailed = await invitations.mayMail(tx, acteurId, address)
  const invited = { acteurId, email: address, ...given }
  const invitation = await invitations.insertInvitation(tx, invited, { isMailed })
  const mail = { invitationId: invitation.id, invitedBy: caller.user.id }
  if (isMailed) await jobs.enqueue(tx, mailTeamInvitation, mail)
  return invitation
}

type Added = { id: string; invitation: invitations.InvitationRow }

/** Changes the role or the permissions of a member, or those that an invitation offers. An owner needs no permissions. */
export function updateMember(
  db: Database,
  caller: SignedIn,
  { acteurId, userId }: { acteurId: string; userId: string },
  body: MemberUpdate,
): Promise<TeamMember> {
  const stored = memberOf(userId, async (tx, before, { member }) => {
    const next = member ?? memberIn(before)
    if (next.email === null) {
      await queries.updateMember(tx, acteurId, next)
      await updateUserVersion(tx, userId)
    } else await invitations.updateInvitation(tx, userId, next)
    return { ...before, member: next }
  })
  const kind = {
    ...stored,
    // Only what changed; the rule adds whose membership it is.
    auditedValues: ({ member }: MemberOf) => {
      const { member_id: _, invitation_id: __, ...values } = audited(member)
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
  }
  return change(db, caller, kind, asked, async (tx, before, save) => {
    const member = memberIn(before)
    const role = body.role ?? member.role
    const asked = body.permissions ?? member.permissions
    const permissions = permissionsOf(before.acteur.type, role, asked, member.permissions)
    if (role !== 'owner') await requireOtherOwner(tx, acteurId, member)
    const next = { ...member, role, permissions }
    await save({ member: next }, isDeepStrictEqual(next, member) ? {} : { after: namedInAudit(member) })
    return queries.getTeamMember(tx, caller.user.id, { acteurId, userId })
  })
}

/** Removes a member, or withdraws an invitation. Returns the member as it last was. */
export async function removeMember(
  db: Database,
  caller: SignedIn,
  { acteurId, userId }: { acteurId: string; userId: string },
): Promise<TeamMember> {
  const kind = memberOf(userId, async (tx, before) => {
    const { email } = memberIn(before)
    if (email === null) {
      await queries.deleteMember(tx, acteurId, userId)
      await updateUserVersion(tx, userId)
      await deleteIdleAccounts(tx, { ids: [userId] })
    } else {
      await invitations.endInvitation(tx, userId)
      await deleteIdleAccounts(tx, { emails: [email] })
    }
    return { ...before, member: null }
  })
  const asked = {
    id: acteurId,
    action: 'acteur.member_remove',
    async authorise(tx: Database, before: MemberOf) {
      await requireTeam(tx, caller, before.acteur, userId)
      memberIn(before)
    },
  }
  return change(db, caller, kind, asked, async (tx, before, save) => {
    await requireOtherOwner(tx, acteurId, memberIn(before))
    const removed = await queries.getTeamMember(tx, caller.user.id, { acteurId, userId })
    await save({ member: null })
    return { ...removed, can: [] }
  })
}

/** Refuses that the last owner leaves or becomes an editor. The acteur is locked, so of two owners one stays. */
async function requireOtherOwner(tx: Database, acteurId: string, member: queries.MemberRow): Promise<void> {
  if (member.role !== 'owner' || member.email !== null) return
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
  const ofMairies: string[] = given.filter(
    (one) =>
      type !== 'mairie' &&
      type !== 'intercommunalite' &&
      (one === 'manage_commune' || one === 'publish_acts'),
  )
  const added = ofMairies.find((one) => !held.some((each) => each === one))
  if (added !== undefined)
    throw invalid('permissions', {
      en: `${added} concerns mairies and intercommunalités only`,
      fr: `${added} ne concerne que les mairies et les intercommunalités`,
    })
  return given.filter((one) => !ofMairies.includes(one))
}
