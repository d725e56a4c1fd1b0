import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import {
  findValidAfterErasure,
  type LoadDigests,
  rememberErased,
} from '../../../platform/access/erased-identities.ts'
import { ownIssuer, validFromAfterRevocation } from '../../../platform/access/tokens.ts'
import { auditedUser, foldedEmail, lockIdentity } from '../../../platform/access/users.ts'
import { append, change, type RecordKind } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, raise, unauthenticated } from '../../../platform/errors.ts'
import { foldMailAddress, readAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { readMe } from '../../me/rules.ts'
import { Me } from '../../me/schema.ts'
import { closeAnswered, closeChallengesOf, insertCodeChallenge, takeTry } from '../confirmation.ts'
import { countAttempt } from '../count-attempt.ts'
import { countMail } from '../count-mail.ts'
import { challengeMail } from '../email/jobs.ts'
import { type MailSecrets, mailSecrets } from '../email/secrets.ts'
import { addressSetElsewhere } from '../errors.ts'
import { knownBrowserOf } from '../known-browsers.ts'
import { AddressVerifyBody, EmailBody, ProfileBody, Sent } from '../schema.ts'
import { mailFormerAddress } from './jobs.ts'

/** Routes for changing one's own account. */
export function accountRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { db, config } = deps

  scope.patch(
    '/me',
    {
      config: { needs: 'own.change', audits: 'user.update' },
      schema: {
        operationId: 'updateMe',
        summary: "Change the caller's own name, and the language and choice of mails to them",
        body: ProfileBody,
        response: { 200: record(Me) },
      },
    },
    async ({ caller, body }) => {
      await updateProfile(db, caller, body)
      return { data: await readMe(deps, caller.user.id) }
    },
  )

  scope.post(
    '/me/email',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        confirmsTokens: true,
        refusals: ['address_set_elsewhere', 'rate_limited'],
      },
      schema: {
        operationId: 'askForNewAddress',
        summary: 'Ask for a code at a new address, which counts once the code is sent back',
        body: EmailBody,
        response: { 202: record(Sent) },
      },
    },
    async (request, reply) => {
      const address = readAddress(request.body.email)
      await countMail(deps, request, address, null)
      const data = await askForAddress(deps, request.caller, address, request.session?.id ?? null)
      return reply.code(202).send({ data })
    },
  )

  scope.post(
    '/me/email/verify',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        confirmsTokens: true,
        refusals: ['unauthenticated', 'conflict', 'rate_limited'],
        audits: 'user.address',
      },
      schema: {
        operationId: 'verifyNewAddress',
        summary: 'Confirm the new address by the code mailed to it; the former address gets a notice',
        body: AddressVerifyBody,
        response: { 200: record(Me) },
      },
    },
    async (request) => {
      const { caller, body, session } = request
      const attempt = await countAttempt(deps, request, knownBrowserOf(deps, request, caller.user.id))
      const tools = { ...deps, secrets: mailSecrets(config.sessionKeys) }
      if (!(await takeAddress(tools, caller, body.code, session?.id ?? null))) throw unauthenticated()
      await attempt.succeeded()
      return { data: await readMe(deps, caller.user.id) }
    },
  )
}

type Profile = {
  id: string
  version: number
  nom: string | null
  langue: 'fr' | 'en'
  acceptance_mails: boolean
}
const ofProfile = sql`id, version, nom, langue, acceptance_mails`

/** The caller's own account as an audited record. */
const profile: RecordKind<Profile> = {
  ...auditedUser,
  async lock(tx, id) {
    const { rows } = await sql<Profile>`
      select ${ofProfile} from users where id = ${id} and actif for no key update`.execute(tx)
    return rows[0] ?? raise(unauthenticated())
  },
  async write(tx, { id }, { nom, langue, acceptance_mails }) {
    const { rows } = await sql<Profile>`
      update users set nom = case when ${nom !== undefined} then ${nom ?? null} else nom end,
        langue = coalesce(${langue ?? null}, langue),
        acceptance_mails = coalesce(${acceptance_mails ?? null}, acceptance_mails)
      where id = ${id} returning ${ofProfile}`.execute(tx)
    return rows[0] ?? raise(unauthenticated())
  },
}

async function updateProfile(db: Database, caller: SignedIn, values: ProfileBody): Promise<void> {
  await change(
    db,
    { ...caller, ifMatch: null },
    profile,
    { id: caller.user.id, action: 'user.update' },
    (_tx, _before, save) => save(values),
  )
}

type Tools = Pick<RouteDeps, 'db' | 'jobs' | 'clock'> & { digests: LoadDigests; secrets: MailSecrets }

/** Mails a code to the new address. Only its mailbox reveals whether another account has the address. */
async function askForAddress(
  { db, jobs }: Pick<Tools, 'db' | 'jobs'>,
  caller: SignedIn,
  address: string,
  sessionId: string | null,
): Promise<{ sent: true }> {
  const userId = caller.user.id
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await requireOwnAccount(tx, userId)
      const id = uuidv7()
      await insertCodeChallenge(tx, { id, purpose: 'address', userId, sessionId, address })
      await jobs.enqueue(tx, challengeMail, { challengeId: id })
      return { sent: true as const }
    }),
  )
}

/**
 * Refuses accounts of an identity provider, and those of a signer that shares the secret of tokens and names its users
 * otherwise than by their address: these determine the address.
 */
async function requireOwnAccount(tx: Database, userId: string): Promise<void> {
  const { rows } = await sql<{ email: string | null; subject: string }>`
    select email, subject from users where id = ${userId} and issuer = ${ownIssuer}`.execute(tx)
  const [account] = rows
  if (account?.email == null || foldMailAddress(account.email) !== account.subject)
    throw addressSetElsewhere()
}

/**
 * Stores the new address if the code is right; false if it is wrong. The address is also the identity of the
 * account, so tokens issued and links and codes mailed to the former address are refused from now on.
 */
async function takeAddress(
  { db, jobs, clock, digests, secrets }: Tools,
  caller: SignedIn,
  code: string,
  sessionId: string | null,
): Promise<boolean> {
  const userId = caller.user.id
  const taken = await takeTry(db, 'address', userId, sessionId)
  if (taken === null || taken.address === null || !secrets.isCode(taken.id, code)) return false
  const { id, address } = { ...taken, address: taken.address }
  const digestOf = await digests(db)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ email: string | null; subject: string }>`
      select email, subject from users where id = ${userId} and issuer = ${ownIssuer} and actif for update`.execute(
      tx,
    )
    const [before] = rows
    if (before === undefined) throw unauthenticated()
    if (!(await closeAnswered(tx, id))) return false
    const identity = { issuer: ownIssuer, subject: foldMailAddress(address) }
    await lockIdentity(tx, identity)
    if (await isTaken(tx, userId, identity.subject)) throw conflict()
    const validFrom = await findValidAfterErasure(tx, digestOf(identity))
    await rememberErased(
      tx,
      digestOf({ issuer: ownIssuer, subject: before.subject }).slice(0, 1),
      validFromAfterRevocation(clock()),
    )
    await sql`
      update users set email = ${address}, email_verified = true, subject = ${identity.subject},
        tokens_valid_from = greatest(tokens_valid_from, ${validFrom}::timestamptz)
      where id = ${userId}`.execute(tx)
    await closeChallengesOf(tx, userId)
    await append(tx, caller, {
      action: 'user.address',
      kind: auditedUser,
      entityId: userId,
      before,
      after: { email: address, subject: identity.subject },
    })
    if (before.email !== null && before.email !== address) {
      await sql`update email_challenges set address = ${before.email} where id = ${id}`.execute(tx)
      await jobs.enqueue(tx, mailFormerAddress, { challengeId: id })
    }
    return true
  })
}

/** True if another account of this service has the address, or one that a claim created: its owner signs in to it. */
async function isTaken(tx: Database, userId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id <> ${userId} and (
      (issuer = ${ownIssuer} and subject = ${address})
      or ((issuer = ${ownIssuer} or issuer is null) and ${foldedEmail} = ${address})) limit 1`.execute(tx)
  return rows.length > 0
}
