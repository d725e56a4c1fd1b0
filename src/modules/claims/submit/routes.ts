import type { Caller } from '../../../platform/access/caller.ts'
import { append, create } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError, conflict, invalid, notFound, raise, unauthenticated } from '../../../platform/errors.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimConflict } from '../errors.ts'
import { expireClaimOf } from '../expire.ts'
import type { ClaimRow } from '../queries.ts'
import { claim } from '../record.ts'
import { newReference } from '../reference.ts'
import { claimsSettings } from '../settings.ts'
import * as queries from './queries.ts'
import { ClaimCreate, SubmittedClaim } from './schema.ts'

export function submitClaimRoutes(scope: HttpServer, { db, config }: Deps): void {
  const { requireBearer, ttlDays } = settingsOf(config, claimsSettings)

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
      reply.code(201).send({ data: await submitClaim(db, caller, body, ttlDays) }),
  )
}

/**
 * Submits a claim. An acteur has at most one pending anonymous and one pending signed-in claim: an anonymous
 * claim does not block a signed-in claimant with a verified address, and a moderator decides between the two.
 * Expires overdue claims first, so that they block nobody before the job runs. The response is stored for repeated
 * requests, so these get the same reference.
 */
export async function submitClaim(
  db: Database,
  caller: Caller,
  { acteur_id, message, nom = null, email = null, telephone = null }: ClaimCreate,
  ttlDays: number,
): Promise<SubmittedClaim> {
  const contact = { nom, email: email === null ? null : readAddress(email), telephone }
  const user_id = caller.user?.id ?? null
  const reference = newReference()
  const values = { id: uuidv7(), acteur_id, user_id, message, reference, ...contact }
  const read = async (_tx: Database, { id }: ClaimRow) => ({ id, status: 'pending' as const, reference })
  try {
    return await create(db, caller, claim, { action: 'claim.create', read }, async (tx) => {
      if (!(await queries.lockIfClaimable(tx, acteur_id))) throw notFound()
      if (isOwner(caller, acteur_id)) throw conflict()
      await expireClaimOf(tx, acteur_id, ttlDays)
      if (await queries.isBlockedByOtherKind(tx, acteur_id, user_id)) throw claimConflict()
      return (await queries.insertClaim(tx, values)) ?? raise(claimConflict())
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
  const entityId =
    (await queries.findConflictingClaimId(db, after.acteur_id, after.user_id)) ?? after.acteur_id
  await append(db, caller, { action: 'claim.conflict', kind: claim, entityId, after })
}

const isOwner = ({ user }: Caller, acteurId: string) =>
  user?.memberships.some((membership) => membership.acteurId === acteurId && membership.role === 'owner')

const isConflict = (error: unknown) => error instanceof ApiError && error.code === claimConflict().code

/** Normalises the address to the form that mails use, so that one address is one person. */
function readAddress(email: string): string {
  const address = parseMailAddress(email)
  if (address !== null) return address
  const message = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }
  throw invalid('email', message)
}
