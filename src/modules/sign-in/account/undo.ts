import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type from 'typebox'
import type { LoadDigests } from '../../../platform/access/erased-identities.ts'
import { endSessionsOf } from '../../../platform/access/session-records.ts'
import { validFromAfterRevocation } from '../../../platform/access/tokens.ts'
import { auditedUser, callerOf } from '../../../platform/access/users.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record, strictObject, titled } from '../../../platform/http/validation/schemas.ts'
import type { Deps, RouteDeps } from '../../../platform/module.ts'
import { countAttempt } from '../count-attempt.ts'
import { mailSecrets } from '../email/secrets.ts'
import { deleteFactors } from '../factors/queries.ts'
import { Token } from '../schema.ts'
import { lockOwnAccount, moveAccount } from './moving.ts'

/**
 * A change of address can be undone for 72 hours by the link that its former address got:
 *
 *   changed ── link used ──► undone, with all later changes
 *      │
 *      └───── 72 h ─────► final
 *
 * The rows of what is undone or final are deleted, so that a link works once. An earlier address comes before a later
 * one: whoever changes the address twice gets no link that undoes the undoing.
 */
const isOpen = sql<boolean>`changed_at > now() - interval '72 hours'`

const UndoBody = strictObject({ token: Token })
const Undone = titled('AddressUndone', {
  undone: Type.Literal(true, {
    description: 'The account has its former address again; all of its sessions, tokens and keys have ended',
    examples: [true],
  }),
})

export function undoRoutes(scope: HttpServer, deps: RouteDeps): void {
  scope.post(
    '/auth/address/undo',
    {
      config: {
        refusals: ['unauthenticated', 'conflict', 'rate_limited'],
        audits: 'user.address_undo',
      },
      schema: {
        operationId: 'undoAddress',
        summary: 'Undo a change of address by the link mailed to the former one, within 72 hours',
        description:
          'Ends every session, token and access key of the account, and removes the second factors added since the session began that changed the address. 409 if another account has the former address.',
        body: UndoBody,
        response: { 200: record(Undone) },
      },
    },
    async (request) => {
      const attempt = await countAttempt(deps, request, null)
      const id = mailSecrets(deps.config.sessionKeys).readUndoToken(request.body.token)
      if (id === null || !(await undoChange(deps, request, id))) throw unauthenticated()
      await attempt.succeeded()
      return { data: { undone: true as const } }
    },
  )
}

type Tools = Pick<Deps, 'db' | 'clock'> & { digests: LoadDigests }

/** Undoes a change; false if it is final or undone, or if the account was erased. Of concurrent calls one returns true. */
async function undoChange(
  { db, clock, digests }: Tools,
  { id: requestId, caller }: FastifyRequest,
  id: string,
): Promise<boolean> {
  const digestOf = await digests(db)
  return db.transaction().execute(async (tx) => {
    const userId = await findUserOfChange(tx, id)
    const before = userId === null ? null : await lockOwnAccount(tx, userId)
    if (userId === null || before === null) return false
    const change = await deleteChangesFrom(tx, userId, id)
    if (change === null) return false
    const own = { ...callerOf(userId, requestId), source: caller?.source ?? null }
    const now = clock()
    const address = change.former_address
    await moveAccount(tx, {
      caller: own,
      action: 'user.address_undo',
      userId,
      before,
      address,
      digestOf,
      now,
    })
    await endSessionsOf(tx, own, userId, 'address_undone')
    await revokeTokens(tx, userId, now)
    const removed = await deleteFactors(tx, userId, change.began_at)
    if (Object.values(removed).some((count) => count > 0))
      await append(tx, own, {
        action: 'user.factor_remove',
        kind: auditedUser,
        entityId: userId,
        after: { removed },
      })
    return true
  })
}

/** Revokes every token issued until now. Access keys end with them: `end_keys_of_user`. */
async function revokeTokens(tx: Database, userId: string, now: Date): Promise<void> {
  await sql`
    update users set tokens_valid_from = greatest(tokens_valid_from, ${validFromAfterRevocation(now)}::timestamptz)
    where id = ${userId}`.execute(tx)
}

async function findUserOfChange(tx: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from address_changes where id = ${id} and ${isOpen}`.execute(tx)
  return rows[0]?.user_id ?? null
}

type Change = { former_address: string; began_at: Date }

/** Deletes a change of a locked user with all later ones, and returns it; null if it is final or undone. */
async function deleteChangesFrom(tx: Database, userId: string, id: string): Promise<Change | null> {
  const { rows } = await sql<Change & { id: string }>`
    delete from address_changes
    where user_id = ${userId}
      and position >= (select position from address_changes where id = ${id} and user_id = ${userId} and ${isOpen})
    returning id, former_address, began_at`.execute(tx)
  return rows.find((row) => row.id === id) ?? null
}

type NewChange = Pick<FastifyRequest, 'session' | 'authenticatedAt'> & {
  id: string
  userId: string
  /** The address before. */
  address: string
}

/** Inserts a change of a locked user, which its former address can undo. */
export async function insertChange(
  tx: Database,
  { id, userId, address, session, authenticatedAt }: NewChange,
): Promise<void> {
  await sql`
    insert into address_changes (id, user_id, former_address, began_at)
    values (${id}, ${userId}, ${address},
      coalesce((select created_at from sessions where id = ${session?.id ?? null}), ${authenticatedAt}::timestamptz, now()))`.execute(
    tx,
  )
}

/**
 * Deletes the changes since a locked user had this address, which it has again; false if there are none. Their former
 * addresses could otherwise take the account from whoever reads the earliest one.
 */
export async function settleChangesBack(tx: Database, userId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    delete from address_changes
    where user_id = ${userId} and position >= (
      select min(position) from address_changes
      where user_id = ${userId} and lower(former_address collate "C") = ${foldMailAddress(address)} and ${isOpen})
    returning id`.execute(tx)
  return rows.length > 0
}
