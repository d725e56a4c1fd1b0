import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { getActeurForUpdate } from '../../acteurs/queries.ts'
import { acteur } from '../../acteurs/record.ts'
import { lockUser, updateUserVersion } from '../accounts.ts'
import type { Invitation } from '../schema.ts'
import * as queries from './queries.ts'

/** The id is that of the acteur, of which the audit entries are. `rights`: those that the invited has for it. */
type Invited = {
  id: string
  version: number
  invitation: Invitation
  rights: queries.Rights | null
  isOpen: boolean
}

/** Makes the caller, whose address is invited, a member of the team. Returns the invitation as it last was. */
export function acceptInvitation(db: Database, caller: SignedIn, id: string): Promise<Invitation> {
  const userId = caller.user.id
  const kind: RecordKind<Invited> = {
    ...lockedFor(userId),
    async write(tx, before, values) {
      await queries.endInvitation(tx, id)
      const { role, permissions } = before.invitation
      const rights = await queries.addMembership(tx, { acteurId: before.id, userId, role, permissions })
      await updateUserVersion(tx, userId)
      return { ...before, ...values, rights }
    },
    auditedValues: ({ rights }) => ({ ...rights }),
  }
  return change(db, caller, kind, { id, action: 'acteur.member_join' }, async (_tx, _before, save) => {
    const related = { after: { invitation_id: id, member_id: userId } }
    return lastState(await save({ isOpen: false }, related))
  })
}

/** Ends an invitation that the caller, whose address is invited, does not want. Returns it as it last was. */
export function declineInvitation(db: Database, caller: SignedIn, id: string): Promise<Invitation> {
  const kind: RecordKind<Invited> = {
    ...lockedFor(caller.user.id),
    async write(tx, before, values) {
      await queries.endInvitation(tx, id)
      return { ...before, ...values }
    },
    auditedValues: ({ isOpen, invitation }) => (isOpen ? queries.auditedInvitation(invitation) : {}),
  }
  return change(db, caller, kind, { id, action: 'acteur.invitation_decline' }, async (_tx, _before, save) =>
    lastState(await save({ isOpen: false })),
  )
}

const lastState = ({ invitation }: Invited): Invitation => ({ ...invitation, can: [] })

/** Locks the user, then the acteur, as a change of the team does; 404 unless the address of the user is invited. */
const lockedFor = (userId: string) => ({
  entity: acteur.entity,
  personal: [],
  async lock(tx: Database, id: string): Promise<Invited> {
    await lockUser(tx, userId)
    const find = async () =>
      (await queries.listInvitations(tx, userId)).find((one) => one.id === id) ?? raise(notFound())
    const { id: acteurId } = await getActeurForUpdate(tx, (await find()).acteur.id)
    const invitation = await find()
    const rights = await queries.findMembership(tx, acteurId, userId)
    return { id: acteurId, version: invitation.version, invitation, rights, isOpen: true }
  },
})
