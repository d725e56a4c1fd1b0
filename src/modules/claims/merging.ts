import { sql } from 'kysely'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import { newDecisionId } from '../recent-decisions/recording.ts'
import { rejectClaim } from './decide/rules.ts'
import { expireClaimOf } from './expire.ts'
import { type ClaimRow, columns } from './queries.ts'
import { claimsSettings } from './settings.ts'

/**
 * Moves the pending claims of a merged acteur. If both acteurs have pending claims, rejects those of the
 * acteur claimed later, and mails their claimants. Decided claims move like any other row.
 */
export const movePendingClaims: MovesOnMerge = async (tx, { jobs, config }, { from, into, author }) => {
  if (!(await hasPending(tx, from))) return 0
  const { ttlDays } = settingsOf(config, claimsSettings)
  await lockPending(tx, [from, into])
  for (const acteurId of [from, into]) await expireClaimOf(tx, acteurId, ttlDays)
  const pending = await lockPending(tx, [from, into])
  const later = pending.find(({ acteur_id }) => acteur_id !== pending[0]?.acteur_id)?.acteur_id
  const decision_id = newDecisionId()
  for (const before of pending.filter(({ acteur_id }) => acteur_id === later))
    await rejectClaim(tx, jobs, author, before, { reasons, decision_id })
  await sql`update claims set acteur_id = ${into} where acteur_id = ${from} and status = 'pending'`.execute(
    tx,
  )
  return pending.length
}

const reasons = {
  en: 'This page was merged with another one, which somebody had asked for before.',
  fr: 'Cette page a été réunie avec une autre, pour laquelle une demande plus ancienne est en attente.',
}

async function hasPending(tx: Database, acteurId: string): Promise<boolean> {
  const { rows } = await sql`
    select from claims where acteur_id = ${acteurId} and status = 'pending' limit 1`.execute(tx)
  return rows.length > 0
}

/** Locks the pending claims of these acteurs by id, as decisions do. Returns the oldest first. */
async function lockPending(tx: Database, acteurIds: string[]): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from claims
    where acteur_id = any(${acteurIds}::uuid[]) and status = 'pending' order by id for no key update`.execute(
    tx,
  )
  return rows.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
}
