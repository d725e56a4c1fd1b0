import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Config, sharedSecret } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { deferred } from '../database/pools/prepared.ts'
import { unauthenticated } from '../errors.ts'
import type { Identity } from './tokens.ts'

type Named = Pick<Identity, 'issuer' | 'subject'>

/**
 * Returns the digests of an identity; the first is the one to store. They recognise an erased identity when
 * it returns, but do not reveal it.
 */
export type DigestIdentity = (identity: Named) => string[]
/** Loads the keys once, and creates them if there are none. */
export type LoadDigests = (db: Database) => Promise<DigestIdentity>

/**
 * Keys digests with ERASURE_KEY, or with a key that is created once and stored in the database. Earlier
 * versions derived the key from the shared secret: if they left digests, the derived keys are stored too, so
 * that the secret may change.
 */
export function identityDigests(config: Config, secret = sharedSecret(config)): LoadDigests {
  const { erasureKeys, auth } = config
  const former = [secret, ...auth.olderJwtSecrets].map(derive)
  let loaded: DigestIdentity | null = null
  return async (db) => (loaded ??= digestBy([...erasureKeys.map(derive), ...(await ensureStoredKeys(db))]))

  async function ensureStoredKeys(db: Database): Promise<Buffer[]> {
    const known = await listKeys(db)
    if (known.length > 0) return known
    const hasDigests =
      (await db.selectFrom('erased_identities').select('digest').limit(1).execute()).length > 0
    const made = hasDigests ? former : erasureKeys.length > 0 ? [] : [randomBytes(32)]
    if (made.length === 0) return []
    await db
      .insertInto('identity_keys')
      .values(made.map((key, index) => ({ id: index + 1, key })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // If two instances start concurrently, only one inserts its keys.
    return listKeys(db)
  }
}

const derive = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'parvis erased identities', 32))

async function listKeys(db: Database): Promise<Buffer[]> {
  const rows = await db.selectFrom('identity_keys').select('key').orderBy('id').execute()
  return rows.map(({ key }) => key)
}

const digestBy =
  (keys: Buffer[]): DigestIdentity =>
  ({ issuer, subject }) =>
    keys.map((key) =>
      createHmac('sha256', key)
        .update(JSON.stringify([issuer, subject]))
        .digest('base64url'),
    )

/**
 * Returns the time from which tokens of an erased identity are valid. Null: never erased, or so long ago that no
 * earlier token can still be valid.
 */
export async function findValidAfterErasure(db: Database, digests: string[]): Promise<Date | null> {
  const row = await db
    .selectFrom('erased_identities')
    .select('tokens_valid_from')
    .where('digest', '=', sql<string>`any(${digests}::text[])`)
    .orderBy('tokens_valid_from', 'desc')
    .limit(1)
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
 * Locks the user against erasure until the transaction ends, so that an erasure sees what this transaction writes.
 * Refuses a user who was erased since the request began, with the next statement.
 */
export async function lockAgainstErasure(tx: Database, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} and erased_at is null for key share`.execute(
    deferred(tx, unauthenticated),
  )
}
