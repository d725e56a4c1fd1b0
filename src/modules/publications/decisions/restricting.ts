import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { type Ground, getGround } from '../../grounds/grounds.ts'
import type { Restriction, Why } from '../../grounds/statements.ts'
import type { DecisionRow } from './rows.ts'
import type { Trigger } from './states.ts'

type PublicationRestriction = Exclude<Restriction, 'deactivated'>
type Changed = { before: DecisionRow; after: DecisionRow }

/** What a decision takes from publications, by their ids. Its ground is null if it takes nothing. */
export type Restricting = {
  ground: Ground | null
  reason: string | null | undefined
  restrictions: ReadonlyMap<string, PublicationRestriction>
}

/** Finds what a decision takes. `action`: the trigger, the same for all, or `keep`. */
export async function findRestricting(
  tx: Database,
  action: Trigger['do'] | 'keep',
  all: Changed[],
  { reason, ground, preferred }: Why,
  now: Date,
): Promise<Restricting> {
  const isVerdict = action === 'moderate' || action === 'keep'
  const again = isVerdict ? await listRejectedAgain(tx, all, ground) : new Set<string>()
  const restrictions = new Map(
    all.flatMap(({ before, after }): [string, PublicationRestriction][] => {
      const restriction = again.has(before.id) ? 'rejected' : restrictionOf(before, after, now)
      return restriction === null ? [] : [[before.id, restriction]]
    }),
  )
  if (restrictions.size === 0) return { ground: null, reason, restrictions }
  const isPersonal =
    preferred === undefined && ground === undefined && (await areAboutReaders(tx, restrictions))
  const wanted = isPersonal ? 'donnees' : preferred
  return { ground: ground ?? (await getGround(tx, { preferred: wanted })), reason, restrictions }
}

/** True if a reader has said of each of these publications that it is about them, in a report that is open or closed now. */
async function areAboutReaders(tx: Database, restrictions: Restricting['restrictions']): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct publication_id)::int as count from publication_reports
    where publication_id = any(${[...restrictions.keys()]}::uuid[]) and category = 'personal'
      and coalesce(closed_at, now()::timestamptz(3)) = now()::timestamptz(3)`.execute(tx)
  return rows[0]?.count === restrictions.size
}

/** What a decision takes from a publication; null if nothing. */
function restrictionOf(before: DecisionRow, after: DecisionRow, now: Date): PublicationRestriction | null {
  if (after.deleted_at !== null) return before.deleted_at === null ? 'deleted' : null
  if (after.moderation_status === 'rejected')
    return before.moderation_status === 'rejected' ? null : 'rejected'
  if (before.valide && !after.valide) return 'hidden'
  const wasFeatured = before.en_avant && (before.featured_until === null || before.featured_until > now)
  return wasFeatured && !after.en_avant ? 'unfeatured' : null
}

/** Ids of rejected publications that are rejected for another reason, or by another ground. */
async function listRejectedAgain(
  tx: Database,
  all: Changed[],
  ground: Ground | undefined,
): Promise<ReadonlySet<string>> {
  const rejected = all.filter(
    ({ before, after }) =>
      before.moderation_status === 'rejected' &&
      after.moderation_status === 'rejected' &&
      before.deleted_at === null,
  )
  const changed = rejected.filter(({ before, after }) => before.moderation_reason !== after.moderation_reason)
  const ids = new Set(changed.map(({ before }) => before.id))
  if (ground === undefined || rejected.length === ids.size) return ids
  const others = rejected.flatMap(({ before }) => (ids.has(before.id) ? [] : [before.id]))
  const { rows } = await sql<{ id: string }>`
    select rejected.id from unnest(${others}::uuid[]) rejected (id)
    where not exists (
      select from statements s
      where s.record_id = rejected.id and s.restriction = 'rejected' and s.ended_at is null and s.ground->>'code' = ${ground.code})`.execute(
    tx,
  )
  return new Set([...ids, ...rows.map(({ id }) => id)])
}
