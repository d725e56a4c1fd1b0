import { sql } from 'kysely'
import type { Caller } from './access/caller.ts'
import { lockAgainstErasure } from './access/erased-identities.ts'
import type { Database } from './database/connect.ts'
import { conflict, invalid } from './errors.ts'

/**
 * Runs `work` once per idempotency key and day; a retry gets the first response. The response is stored in
 * the transaction of the change, so a failed change stores none. It must be plain JSON; dates are allowed if
 * they are only serialised.
 */
export async function onlyOnce<Answer>(
  tx: Database,
  { repeat, user }: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (user !== null) await lockAgainstErasure(tx, user.id)
  if (repeat === null) return work()
  const { key, bodyDigest } = repeat
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as free`.execute(tx)
  if (rows[0]?.free !== true) throw conflict()
  const stored = await tx
    .selectFrom('idempotent_responses')
    .select(['body_digest', 'response'])
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst()
  if (stored !== undefined) {
    if (stored.body_digest !== bodyDigest) throw invalid('Idempotency-Key', anotherBody)
    return stored.response as Answer
  }
  const answer = await work()
  const row = { body_digest: bodyDigest, response: JSON.stringify(answer), user_id: user?.id ?? null }
  await tx
    .insertInto('idempotent_responses')
    .values({ key, ...row })
    .onConflict((old) => old.column('key').doUpdateSet({ ...row, created_at: sql<Date>`now()` }))
    .execute()
  return answer
}

/** Deletes stored responses older than a day. Returns how many. */
export async function deleteOldResponses(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotent_responses')
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const anotherBody = {
  en: 'was already used with a different body',
  fr: 'a déjà été utilisé avec un corps différent',
}
