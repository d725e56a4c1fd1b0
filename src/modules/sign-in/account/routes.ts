import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { LoadDigests } from '../../../platform/access/erased-identities.ts'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { auditedUser } from '../../../platform/access/users.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { raise, unauthenticated } from '../../../platform/errors.ts'
import { foldMailAddress, readAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { readMe } from '../../me/rules.ts'
import { Me } from '../../me/schema.ts'
import { closeAnswered, insertCodeChallenge, takeTry } from '../confirmation.ts'
import { countAttempt } from '../count-attempt.ts'
import { countMail } from '../count-mail.ts'
import { challengeMail } from '../email/jobs.ts'
import { type MailSecrets, mailSecrets } from '../email/secrets.ts'
import { addressSetElsewhere } from '../errors.ts'
import { knownBrowserOf } from '../known-browsers.ts'
import { AddressVerifyBody, EmailBody, ProfileBody, Sent } from '../schema.ts'
import { mailFormerAddress } from './jobs.ts'
import { lockOwnAccount, moveAccount } from './moving.ts'
import { insertChange, settleChangesBack } from './undo.ts'

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
      const { caller, body } = request
      const attempt = await countAttempt(deps, request, knownBrowserOf(deps, request, caller.user.id))
      const tools = { ...deps, secrets: mailSecrets(config.sessionKeys) }
      if (!(await takeAddress(tools, caller, body.code, request))) throw unauthenticated()
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
 * Stores the new address if the code is right; false if it is wrong. The former address gets a notice, with a link that
 * undoes the change: not if this one goes back to an address that can undo a change anyway.
 */
async function takeAddress(
  { db, jobs, clock, digests, secrets }: Tools,
  caller: SignedIn,
  code: string,
  { session, authenticatedAt }: Pick<FastifyRequest, 'session' | 'authenticatedAt'>,
): Promise<boolean> {
  const userId = caller.user.id
  const taken = await takeTry(db, 'address', userId, session?.id ?? null)
  if (taken === null || taken.address === null || !secrets.isCode(taken.id, code)) return false
  const { id, address } = { ...taken, address: taken.address }
  const digestOf = await digests(db)
  return db.transaction().execute(async (tx) => {
    const before = await lockOwnAccount(tx, userId)
    if (before === null || !before.actif) throw unauthenticated()
    if (!(await closeAnswered(tx, id))) return false
    await moveAccount(tx, { caller, action: 'user.address', userId, before, address, digestOf, now: clock() })
    if (before.email !== null && before.email !== address) {
      if (!(await settleChangesBack(tx, userId, address)))
        await insertChange(tx, { id, userId, address: before.email, session, authenticatedAt })
      await sql`update email_challenges set address = ${before.email} where id = ${id}`.execute(tx)
      await jobs.enqueue(tx, mailFormerAddress, { challengeId: id })
    }
    return true
  })
}
