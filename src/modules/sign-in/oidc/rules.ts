import type { SignedIn } from '../../../platform/access/caller.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'
import { auditedSession, type Client, confirmSession } from '../../../platform/access/session-records.ts'
import { type Identity, identityOf } from '../../../platform/access/tokens.ts'
import {
  callerOf,
  findOrCreateUser,
  requireStillAccepted,
  updateLastSeen,
} from '../../../platform/access/users.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { lockAccount, openSession } from '../sessions/opening.ts'
import type { Attempt, FormerSession } from './attempts.ts'
import { type Proof, Refused } from './provider.ts'
import { findOpenSessionUser, insertIdToken } from './queries.ts'

type Tools = Pick<RouteDeps, 'db' | 'reads' | 'jobs' | 'digests' | 'config' | 'clock'>
type Finish = { proof: Proof; attempt: Attempt; client: Client; requestId: string }

/**
 * Signs in the user of the proof's issuer and subject in a new session, or confirms the browser's session if
 * it belongs to that user. Returns the new value of the session cookie; null if it does not change.
 */
export async function finishSignIn(
  tools: Tools,
  { proof, attempt, client, requestId }: Finish,
): Promise<{ value: string | null; isConfirmation: boolean }> {
  const { db, jobs, digests, config, clock } = tools
  const identity = identityOfProof(proof, clock())
  const { id } = await findOrCreateUser(tools, identity, digests, requestId)
  return db.transaction().execute(async (tx) => {
    // Locked: sign-in, revocation and erasure of a user never run concurrently.
    const account = await lockAccount(tx, id)
    if (account === null) throw unauthenticated()
    await requireStillAccepted(tx, identity)
    const caller = callerOf(id, requestId)
    const { former } = attempt
    const confirmed = former?.confirms ? await findOpenSessionUser(tx, former.id) : null
    if (former !== null && confirmed !== null) {
      // A confirmation must not switch to another user.
      if (confirmed !== id) throw new Refused('the session to confirm is of another user')
      requireFreshLogin(proof, attempt)
      return { value: await confirmFormer(tx, caller, former), isConfirmation: true }
    }
    const opened = await openSession(tx, jobs, caller, {
      account,
      method: 'oidc',
      hasShownFactor: false,
      client,
      formerSession: former?.id ?? null,
    })
    await updateLastSeen(tx, id, identity)
    if (proof.idToken !== null) {
      const sealed = secretBox(config.sessionKeys, 'openid tokens').seal(proof.idToken, opened.id)
      await insertIdToken(tx, opened.id, sealed)
    }
    return { value: opened.value, isConfirmation: false }
  })
}

/** Refuses a sign-in at the provider that happened before the attempt began. */
function requireFreshLogin({ claims }: Proof, { startedAt }: Attempt): void {
  const { auth_time } = claims
  const toleranceS = 5
  if (typeof auth_time !== 'number' || auth_time < Math.floor(startedAt / 1_000) - toleranceS)
    throw new Refused('no fresh sign-in at the provider (auth_time)')
}

async function confirmFormer(
  tx: Database,
  caller: SignedIn,
  { id, hash }: FormerSession,
): Promise<string | null> {
  const after = { user_id: caller.user.id, confirmed: true }
  const change = { kind: auditedSession, entityId: id, after }
  await append(tx, caller, { action: 'session.confirm', ...change })
  return confirmSession(tx, { id, hash: Buffer.from(hash, 'base64url') })
}

/** Identifies the user by issuer and subject. The address counts as verified if the provider verified it. */
function identityOfProof({ claims }: Proof, now: Date): Identity {
  const { iss, name, given_name, usual_name, family_name } = claims
  const parts = [given_name, usual_name ?? family_name].filter((part) => typeof part === 'string')
  return identityOf(String(iss), { ...claims, name: name ?? parts.join(' ') }, now)
}
