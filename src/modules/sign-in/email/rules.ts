import type { Caller } from '../../../platform/access/caller.ts'
import { digestOfValue, newCookieValue } from '../../../platform/access/cookies.ts'
import {
  type DigestIdentity,
  findValidAfterErasure,
  type LoadDigests,
} from '../../../platform/access/erased-identities.ts'
import type { Client } from '../../../platform/access/session-records.ts'
import { bindUser, callerOf, lockIdentity, ownIdentity } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { Deps } from '../../../platform/module.ts'
import { findUserId } from '../../users/queries.ts'
import { type Account, lockAccount, openSession } from '../sessions/opening.ts'
import { challengeMail } from './jobs.ts'
import * as queries from './queries.ts'
import type { MailSecrets } from './secrets.ts'

/**
 * Requests a mail, whose code works in this browser: `known` is the value of its cookie, null if it has none yet. Known
 * and unknown addresses run the same statements and get the same response; for an unknown one, the job finds no
 * recipient.
 */
export function askForMail(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  address: string,
  known: string | null,
): Promise<{ sent: true; browser?: string }> {
  return db.transaction().execute(async (tx) => {
    let browser: string | undefined
    const answer = await onlyOnce(tx, caller, async () => {
      browser = known ?? newCookieValue()
      const id = uuidv7()
      await queries.insertSignIn(tx, { id, address, browserHash: digestOfValue(browser) })
      await jobs.enqueue(tx, challengeMail, { challengeId: id })
      return { sent: true as const }
    })
    return { ...answer, ...(browser !== undefined && { browser }) }
  })
}

type Tools = Pick<Deps, 'db' | 'jobs'> & { secrets: MailSecrets; digests: LoadDigests }

/** Returns the challenge of this browser that has the code; null if none has, and counts the attempt on each. */
export async function readCode(
  { db, secrets }: Pick<Tools, 'db' | 'secrets'>,
  browser: string | null,
  code: string,
): Promise<string | null> {
  const ids = browser === null ? [] : await queries.takeTries(db, digestOfValue(browser))
  const id = ids.find((each) => secrets.isCode(each, code)) ?? null
  if (id !== null) await queries.giveBackTries(db, ids)
  return id
}

/**
 * Signs in the user of a challenge, in a new session; null if the challenge is not, or no longer, valid.
 * Locks the user: sign-in, revocation and erasure of a user never run concurrently.
 */
export async function signInByMail(
  { db, jobs, digests }: Tools,
  caller: Caller,
  challengeId: string,
  client: Client,
  formerSession: string | null,
): Promise<{ value: string } | null> {
  const digestOf = await digests(db)
  return db.transaction().execute(async (tx) => {
    const user = await queries.findUserOfChallenge(tx, challengeId)
    if (user === null) return null
    // Before the user, as in an invitation.
    if (user.unbound_email !== null) await lockIdentity(tx, ownIdentity(user.unbound_email))
    const account = await lockAccount(tx, user.id)
    if (account === null) return null
    const closed = await queries.closeChallenge(tx, challengeId)
    if (closed === null) return null
    const own = { ...caller, ...callerOf(account.id, caller.requestId), source: caller.source }
    if (account.issuer === null && !(await bind(tx, digestOf, account))) return null
    await queries.noteSignIn(tx, account.id, closed.address)
    const method = closed.purpose === 'operator' ? 'operator' : 'email'
    return openSession(tx, jobs, own, { account, method, hasShownFactor: false, client, formerSession })
  })
}

/**
 * Binds a user created by a claim to the identity of its address, which is locked; false if the user has a role, or
 * another the identity, by now.
 */
async function bind(tx: Database, digestOf: DigestIdentity, { id, email, has_role }: Account) {
  if (has_role || email === null) return false
  const identity = ownIdentity(email)
  if ((await findUserId(tx, identity)) !== null) return false
  await bindUser(tx, callerOf(id, null), identity, await findValidAfterErasure(tx, digestOf(identity)))
  return true
}
