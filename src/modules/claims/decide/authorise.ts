import { isAdmin, type User } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { adminRequired, forbidden } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/mail/mail-address.ts'
import type { ClaimRow } from '../queries.ts'
import { findEmailOf, getActeurForShare } from './queries.ts'
import type { Decision } from './schema.ts'

/** Who may decide this claim this way? Whoever has the area, but for what follows. */
export async function authoriseDecision(
  tx: Database,
  user: User,
  claim: ClaimRow,
  decision: Decision,
): Promise<void> {
  await refuseOwnClaim(tx, user, claim, decision)
  if (decision.user_id !== undefined) requireAdmin(user)
  await requireAdminForMairie(tx, user, claim)
}

/** Nobody decides a claim made under their account or address, or in their own favour. */
async function refuseOwnClaim(tx: Database, user: User, claim: ClaimRow, { user_id }: Decision) {
  if (claim.user_id === user.id || user_id === user.id) throw forbidden()
  if (claim.email === null) return
  const address = await findEmailOf(tx, user.id)
  if (address !== null && foldMailAddress(address) === foldMailAddress(claim.email)) throw forbidden()
}

/** The acteur cannot become a mairie meanwhile. */
async function requireAdminForMairie(tx: Database, user: User, { acteur_id }: ClaimRow) {
  const { type } = await getActeurForShare(tx, acteur_id)
  if (type === 'mairie') requireAdmin(user)
}

function requireAdmin(user: User): void {
  if (!isAdmin(user)) throw adminRequired()
}
