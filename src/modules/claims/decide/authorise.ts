import { isAdmin, type User } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { adminRequired, forbidden } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/mail/mail-address.ts'
import type { ClaimRow } from '../queries.ts'
import { findEmailOf, findVerifiedEmailForUpdate, getActeurForShare } from './queries.ts'
import type { Decision } from './schema.ts'

/** Who may decide this claim this way? Whoever has the area, but for what follows. */
export async function authoriseDecision(
  tx: Database,
  user: User,
  claim: ClaimRow,
  decision: Decision,
): Promise<void> {
  await refuseOwnClaim(tx, user, claim, decision)
  await requireAdminToName(tx, user, claim, decision)
  await requireAdminForMairie(tx, user, claim)
}

/** Nobody decides a claim made under their account or address, or in their own favour. */
async function refuseOwnClaim(tx: Database, user: User, claim: ClaimRow, { user_id }: Decision) {
  if (claim.user_id === user.id || user_id === user.id) throw forbidden()
  if (claim.email === null) return
  const address = await findEmailOf(tx, user.id)
  if (address !== null && isSameAddress(address, claim.email)) throw forbidden()
}

/** Whoever verifiably has the claim's address is named by the claim itself. */
async function requireAdminToName(tx: Database, user: User, { email }: ClaimRow, { user_id }: Decision) {
  if (user_id === undefined || isAdmin(user)) return
  const address = await findVerifiedEmailForUpdate(tx, user_id)
  if (address === null || email === null || !isSameAddress(address, email)) throw adminRequired()
}

/** The acteur cannot become a mairie meanwhile. */
async function requireAdminForMairie(tx: Database, user: User, { acteur_id }: ClaimRow) {
  const { type } = await getActeurForShare(tx, acteur_id)
  if (type === 'mairie') requireAdmin(user)
}

function requireAdmin(user: User): void {
  if (!isAdmin(user)) throw adminRequired()
}

const isSameAddress = (one: string, other: string) => foldMailAddress(one) === foldMailAddress(other)
