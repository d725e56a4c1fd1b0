import { createHmac, hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { unauthenticated } from '../errors.ts'
import type { Identity } from './tokens.ts'

type Named = Pick<Identity, 'issuer' | 'subject'>

/** Tells an erased identity when it comes back, and nobody whose it was: under a key that the database does not have. */
export type DigestIdentity = (identity: Named) => string

export function identityDigest(secret: string): DigestIdentity {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis erased identities', 32))
  return ({ issuer, subject }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([issuer, subject]))
      .digest('base64url')
}

/** From when on its tokens are good; null: it was never erased, or so long ago that no token of before can be valid. */
export async function findValidAfterErasure(db: Database, digest: string): Promise<Date | null> {
  const row = await db
    .selectFrom('erased_identities')
    .select('tokens_valid_from')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row?.tokens_valid_from ?? null
}

export async function rememberErased(
  tx: Database,
  digests: string[],
  tokens_valid_from: Date,
): Promise<void> {
  if (digests.length === 0) return
  await tx
    .insertInto('erased_identities')
    .values(digests.map((digest) => ({ digest, tokens_valid_from })))
    .onConflict((old) =>
      old.column('digest').doUpdateSet((eb) => ({
        tokens_valid_from: eb.ref('excluded.tokens_valid_from'),
        erased_at: sql<Date>`now()`,
      })),
    )
    .execute()
}

/**
 * Until the transaction ends the user is not erased: what is made in their name is seen by an erasure after it. One who
 * was erased since the request began is nobody any more.
 */
export async function keepFromErasure(tx: Database, userId: string): Promise<void> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (row === undefined) throw unauthenticated()
}
