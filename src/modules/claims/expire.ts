import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { isOverdue } from './queries.ts'
import { claim } from './record.ts'
import { settleRegistrations } from './registered.ts'
import { claimsSettings } from './settings.ts'

/** Expires overdue claims in batches. */
export async function expireClaims(
  db: Database,
  ttlDays: number,
  signal: AbortSignal,
  batch = 500,
): Promise<number> {
  return inBatches(batch, signal, () =>
    db.transaction().execute(async (tx) => {
      const expired = await expireOverdue(tx, ttlDays, batch)
      await recordExpired(tx, expired)
      return expired.length
    }),
  )
}

/** Expires the acteur's pending claim if it is overdue. */
export async function expireClaimOf(tx: Database, acteurId: string, ttlDays: number): Promise<void> {
  await recordExpired(tx, await expireOverdueOf(tx, acteurId, ttlDays))
}

/** Audits without a user: the time limit expired the claim, not the caller who triggered the check. */
async function recordExpired(tx: Database, ids: string[]): Promise<void> {
  const change = { before: { status: 'pending' }, after: { status: 'expired' } }
  const changes = ids.map((entityId) => ({ action: 'claim.expire', kind: claim, entityId, ...change }))
  await append(tx, operator, changes)
  await settleRegistrations(tx, operator, ids, 'expired')
}

const expire = defineJob('claims.expire', Type.Object({}))

export function expireHandler({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Handler {
  const { ttlDays } = settingsOf(config, claimsSettings)
  return handle(expire, async (_payload, { signal }) => {
    const expired = await expireClaims(db, ttlDays, signal)
    if (expired > 0) log.info({ expired }, 'claims expired')
  })
}

export const expireSchedule: Schedule = schedule(expire, '17 * * * *', {})

const expired = { status: 'expired', ended_at: sql<Date>`now()` }

/** Expires the acteur's overdue claims. Waits for decisions in progress; locks in the order that they use. */
async function expireOverdueOf(db: Database, acteurId: string, ttlDays: number): Promise<string[]> {
  const rows = await db
    .updateTable('claims as c')
    .set(expired)
    .where(sql<boolean>`c.id = any(array(
      select c.id from claims c where c.acteur_id = ${acteurId} and ${isOverdue(ttlDays)}
      order by c.id for no key update))`)
    .returning('c.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Expires a batch of overdue claims, oldest first, skipping locked rows. */
async function expireOverdue(db: Database, ttlDays: number, limit: number): Promise<string[]> {
  const rows = await unprepared(db)
    .updateTable('claims')
    .set(expired)
    .where(sql<boolean>`id = any(array(
      select c.id from claims c where ${isOverdue(ttlDays)}
      order by c.created_at limit ${limit} for no key update skip locked))`)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
