import { type Insertable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { append, create } from '../../platform/change.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { deferred } from '../../platform/database/pools/prepared.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { ApiError, conflict, invalid, notFound, raise, unauthenticated } from '../../platform/errors.ts'
import { parseTypedAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import {
  filledLine,
  filledText,
  Id,
  nullable,
  oneOf,
  record,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { claimConflict } from './errors.ts'
import { expireClaimOf } from './expire.ts'
import { type ClaimRow, columns } from './queries.ts'
import { type EnqueuesReceipt, queueReceipt } from './receipt/jobs.ts'
import { claim } from './record.ts'
import { newReference } from './reference.ts'
import { exampleMessage, exampleReference } from './schema.ts'
import { claimsSettings } from './settings.ts'

export const ClaimCreate = strictObject({
  acteur_id: Id('The acteur to take over'),
  message: filledText(2_000, {
    description: 'Who asks, and what makes the acteur theirs',
    examples: [exampleMessage],
  }),
  nom: Type.Optional(nullable(filledLine(200, { examples: ['Odile Vauquelin'] }))),
  email: Type.Optional(
    nullable(
      text(254, {
        description:
          'Address for the decision; where nobody is signed in, its owner becomes the owner. Without account, address and telephone, an administrator has to name the owner',
        examples: ['odile.vauquelin@example.org'],
      }),
    ),
  ),
  telephone: Type.Optional(nullable(filledLine(50, { examples: ['01 99 00 12 34'] }))),
})
export type ClaimCreate = Static<typeof ClaimCreate>

export const SubmittedClaim = titled('SubmittedClaim', {
  id: Id(),
  status: oneOf(['pending']),
  reference: Type.String({
    description: 'What the claimant quotes to support',
    examples: [exampleReference],
  }),
})
export type SubmittedClaim = Static<typeof SubmittedClaim>

/**
 * Serialises the claims of an acteur until the transaction ends: an anonymous and a signed-in claim that do not see each
 * other would both be inserted. 404, with the next statement, if it cannot be claimed.
 */
async function lockClaimable(tx: Database, acteurId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('parvis claims of ' || id, 0)) from acteurs
    where id = ${acteurId} and active and deleted_at is null`.execute(deferred(tx, notFound))
}

/** Inserts a claim; null if one of its kind (anonymous or signed-in) is pending or inserted concurrently. */
export async function insertClaim(db: Database, values: Insertable<tables.Claims>): Promise<ClaimRow | null> {
  const row = await db
    .insertInto('claims')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Refuses a claim, with the next statement, if a pending claim of the other kind blocks it. A signed-in claim blocks
 * anonymous claims. An anonymous claim blocks signed-in claims, unless the claimant has a verified address.
 */
async function refuseIfBlocked(tx: Database, acteurId: string, userId: string | null): Promise<void> {
  await sql`
    select where not exists (
      select from claims where acteur_id = ${acteurId} and status = 'pending'
        and (user_id is null) <> (${userId}::uuid is null))
      or exists (select from users where id = ${userId} and email_verified)`.execute(
    deferred(tx, claimConflict),
  )
}

/** Finds the claim that blocks a refused one: a pending one, first of the same kind; else the newest. */
async function findConflictingClaimId(
  db: Database,
  acteurId: string,
  userId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from claims where acteur_id = ${acteurId}
    order by status = 'pending' desc, (user_id is null) = (${userId}::uuid is null) desc, created_at desc, id desc
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export function submitClaimRoutes(scope: HttpServer, deps: Deps): void {
  const { requireBearer, ttlDays } = settingsOf(deps.config, claimsSettings)

  scope.post(
    '/claims',
    {
      config: {
        limit: 'claim',
        refusals: ['unauthenticated', 'not_found', 'claim_conflict'],
        audits: 'claim.create',
        location: '/admin/claims/{id}',
      },
      // Runs after the audience's checks, which have verified any token of the request.
      onRequest: async ({ caller }) => {
        if (requireBearer && caller.user === null) throw unauthenticated()
      },
      schema: {
        operationId: 'createClaim',
        description: 'Where CLAIMS_REQUIRE_BEARER is true, only with a token.',
        summary: 'Ask to take over an acteur; a token, when there is one, says who asks',
        body: ClaimCreate,
        response: { 201: record(SubmittedClaim) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await submitClaim(deps, caller, body, ttlDays) }),
  )
}

/**
 * Submits a claim. An acteur has at most one pending anonymous and one pending signed-in claim: an anonymous
 * claim does not block a signed-in claimant with a verified address, and a moderator decides between the two.
 * Expires overdue claims first, so that they block nobody before the job runs. The response is stored for repeated
 * requests, so these get the same reference.
 */
export async function submitClaim(
  { db, jobs }: Pick<Deps, 'db'> & EnqueuesReceipt,
  caller: Caller,
  { acteur_id, message, ...claimant }: ClaimCreate,
  ttlDays: number,
): Promise<SubmittedClaim> {
  const user_id = caller.user?.id ?? null
  const reference = newReference()
  const values = { id: uuidv7(), acteur_id, user_id, message, reference, ...readContact(claimant) }
  const read = async (_tx: Database, { id }: ClaimRow) => ({ id, status: 'pending' as const, reference })
  try {
    return await create(db, caller, claim, { action: 'claim.create', read }, async (tx) => {
      await lockClaimable(tx, acteur_id)
      await expireClaimOf(tx, acteur_id, ttlDays)
      if (isOwner(caller, acteur_id)) throw conflict()
      await refuseIfBlocked(tx, acteur_id, user_id)
      const made = (await insertClaim(tx, values)) ?? raise(claimConflict())
      await queueReceipt(tx, { jobs }, made)
      return made
    })
  } catch (error) {
    if (isConflict(error)) await recordConflict(db, caller, { acteur_id, user_id })
    throw error
  }
}

/** Audits a refusal on the claim that caused it, in a new transaction: the first one rolls back. */
async function recordConflict(
  db: Database,
  caller: Caller,
  after: Pick<ClaimRow, 'acteur_id' | 'user_id'>,
): Promise<void> {
  const entityId = (await findConflictingClaimId(db, after.acteur_id, after.user_id)) ?? after.acteur_id
  await append(db, caller, { action: 'claim.conflict', kind: claim, entityId, after })
}

const isOwner = ({ user }: Caller, acteurId: string) =>
  user?.memberships.some((membership) => membership.acteurId === acteurId && membership.role === 'owner')

const isConflict = (error: unknown) => error instanceof ApiError && error.code === claimConflict().code

type Contact = Pick<ClaimCreate, 'nom' | 'email' | 'telephone'>

/** Returns the contact of the claimant as it is stored; 422 for an address that no mail can be sent to. */
export const readContact = ({ nom = null, email = null, telephone = null }: Contact) => ({
  ...{ nom, telephone },
  email: email === null ? null : readAddress(email),
})

/** Normalises the address to the form that mails use, so that one address is one person. */
function readAddress(email: string): string {
  const address = parseTypedAddress(email)
  if (address !== null) return address
  const message = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }
  throw invalid('email', message)
}
