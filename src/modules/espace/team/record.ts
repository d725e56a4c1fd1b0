import type { SignedIn } from '../../../platform/access/caller.ts'
import type { RecordKind } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound } from '../../../platform/errors.ts'
import { getActeurForUpdate } from '../../acteurs/queries.ts'
import { acteur } from '../../acteurs/record.ts'
import { requireRightOver } from '../access.ts'
import { lockUser } from '../accounts.ts'
import { auditedInvitation } from '../invitations/queries.ts'
import { espaceRules } from '../permissions.ts'
import { findMember, listMembershipsNow, type MemberRow } from './queries.ts'

type Acteur = Awaited<ReturnType<typeof getActeurForUpdate>>

/** A member of an acteur, or somebody invited. Audit entries are of the acteur, and name them. */
export type MemberOf = { id: string; version: number; acteur: Acteur; member: MemberRow | null }

/** The membership of a user, or an invitation, locked with its acteur: changes of a team wait for each other. */
export const memberOf = (
  userId: string,
  write: (tx: Database, before: MemberOf, values: Partial<MemberOf>) => Promise<MemberOf>,
) =>
  ({
    entity: acteur.entity,
    personal: [],
    async lock(tx, id) {
      await lockUser(tx, userId)
      const row = await getActeurForUpdate(tx, id)
      const member = await findMember(tx, id, userId)
      return { id, version: member?.version ?? 0, acteur: row, member }
    },
    write,
    auditedValues: ({ member }) => audited(member),
  }) satisfies RecordKind<MemberOf>

/** Names a member, or an invitation, in the audit log. */
export const namedInAudit = ({ user_id, email }: Pick<MemberRow, 'user_id' | 'email'>) =>
  email === null ? { member_id: user_id } : { invitation_id: user_id }

/** The values of a membership or an invitation in the audit log. */
export function audited(member: MemberRow | null): Record<string, unknown> {
  if (member === null) return {}
  const { user_id, role, permissions, email } = member
  return email === null
    ? { member_id: user_id, role, permissions }
    : auditedInvitation({ id: user_id, role, permissions })
}

/**
 * Requires the right over the team by what the database says now, so that somebody who was removed meanwhile is refused.
 * `removes`: the member that is removed, who may be the caller.
 */
export async function requireTeam(
  tx: Database,
  { user }: SignedIn,
  acteur: Acteur,
  removes: string | null = null,
): Promise<void> {
  const now = { ...user, memberships: await listMembershipsNow(tx, user.id) }
  const rule = removes === user.id ? espaceRules.removeMember : espaceRules.team
  requireRightOver(now, acteur, rule, removes)
}

/** Returns the member of a locked record; 404 if there is none. */
export function memberIn({ member }: MemberOf): MemberRow {
  if (member === null) throw notFound()
  return member
}
