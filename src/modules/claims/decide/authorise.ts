import type { User } from '../../../platform/access/caller.ts'
import { allows, type Rule, relationsOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { adminRequired, forbidden } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/mail/mail-address.ts'
import { claimRules } from '../permissions.ts'
import type { ClaimRow } from '../queries.ts'
import { findEmailOf, findVerifiedEmailForUpdate, getActeurForShare } from './queries.ts'
import type { Decision } from './schema.ts'

/** Checks whether the caller may make this decision: anyone with the area, with the exceptions below. */
export async function authoriseDecision(
  tx: Database,
  user: User,
  claim: ClaimRow,
  decision: Decision,
): Promise<void> {
  await refuseOwnClaim(tx, user, claim, decision)
  await requireMayName(tx, user, claim, decision)
  await requireMayDecideOnMairie(tx, user, claim)
}

/** Refuses a decision on a claim made from the decider's own account or address, or in their favour. */
export async function refuseOwnClaim(
  tx: Database,
  user: User,
  claim: ClaimRow,
  { user_id }: Pick<Decision, 'user_id'> = {},
): Promise<void> {
  if (claim.user_id === user.id || user_id === user.id) throw forbidden()
  if (claim.email === null) return
  const address = await findEmailOf(tx, user.id)
  if (address !== null && isSameAddress(address, claim.email)) throw forbidden()
}

/** Naming an owner needs a rule of its own, unless that user verifiably has the claim's address. */
async function requireMayName(tx: Database, user: User, { email }: ClaimRow, { user_id }: Decision) {
  if (user_id === undefined || isAllowed(user, claimRules.nameOwner)) return
  const address = await findVerifiedEmailForUpdate(tx, user_id)
  if (address === null || email === null || !isSameAddress(address, email)) throw adminRequired()
}

/** A claim on a mairie has a rule of its own. The lock prevents the acteur from becoming one meanwhile. */
async function requireMayDecideOnMairie(tx: Database, user: User, { acteur_id }: ClaimRow) {
  const { type } = await getActeurForShare(tx, acteur_id)
  if (type === 'mairie' && !isAllowed(user, claimRules.decideOnMairie)) throw adminRequired()
}

const isAllowed = (user: User, rule: Rule) => allows(rule, relationsOf(user, { area: 'claims' }))

const isSameAddress = (one: string, other: string) => foldMailAddress(one) === foldMailAddress(other)
