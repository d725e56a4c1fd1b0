import type { User } from '../../../platform/access/caller.ts'
import { allows, leftOf, type Rule, relationsOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { adminRequired, forbidden } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { claimRules } from '../permissions.ts'
import type { ClaimRow } from '../queries.ts'
import { claimActions, type SelectedClaim } from '../schema.ts'
import { findEmailOf, findVerifiedEmailForUpdate, getActeurForShare } from './queries.ts'
import type { Decision } from './schema.ts'

/** Checks that the caller may make this decision: anybody with the area may, except in the cases below. */
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

/** Returns a function that adds what the caller may do with a claim. */
export async function addCanFor(db: Database, user: User) {
  const address = await findEmailOf(db, user.id)
  return <Row extends SelectedClaim>(claim: Row) => {
    const { question } = claimRules
    const rules = { edit: ruleOf(claim.acteur), question, resume: question }
    const left = isOwn(user, claim, address) ? [] : leftOf(claimActions, claim)
    return { ...claim, can: left.filter((action) => isAllowed(user, rules[action])) }
  }
}

/** Refuses a decision on a claim made from the decider's own account or address, or in their favour. */
export async function refuseOwnClaim(
  tx: Database,
  user: User,
  claim: ClaimRow,
  { user_id }: Pick<Decision, 'user_id'> = {},
): Promise<void> {
  if (user_id === user.id || isOwn(user, claim, await findEmailOf(tx, user.id))) throw forbidden()
}

type Claimed = Pick<ClaimRow, 'user_id' | 'email'>

const isOwn = (user: User, claim: Claimed, address: string | null): boolean =>
  claim.user_id === user.id ||
  (address !== null && claim.email !== null && isSameAddress(address, claim.email))

/** Requires a separate permission for naming an owner, unless that user has verified the claim's address. */
async function requireMayName(tx: Database, user: User, { email }: ClaimRow, { user_id }: Decision) {
  if (user_id === undefined || isAllowed(user, claimRules.nameOwner)) return
  const address = await findVerifiedEmailForUpdate(tx, user_id)
  if (address === null || email === null || !isSameAddress(address, email)) throw adminRequired()
}

/** Requires a separate permission for a mairie. The lock keeps the acteur's type unchanged meanwhile. */
async function requireMayDecideOnMairie(tx: Database, user: User, { acteur_id }: ClaimRow) {
  if (!isAllowed(user, ruleOf(await getActeurForShare(tx, acteur_id)))) throw adminRequired()
}

const ruleOf = ({ type }: { type: string }) =>
  type === 'mairie' ? claimRules.decideOnMairie : claimRules.decide

const isAllowed = (user: User, rule: Rule) => allows(rule, relationsOf(user, { area: 'claims' }))

const isSameAddress = (one: string, other: string) => foldMailAddress(one) === foldMailAddress(other)
