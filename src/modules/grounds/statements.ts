import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { text } from '../../platform/http/validation/schemas.ts'
import { type Ground, GroundCode, getGround } from './grounds.ts'

/** What a decision can take from somebody's content. */
export const restrictions = ['rejected', 'hidden', 'deleted', 'unfeatured', 'deactivated'] as const
export type Restriction = (typeof restrictions)[number]

/** Fields of a body that may restrict something. */
export const grounding = {
  ground: Type.Optional({
    ...GroundCode,
    description: 'Of what the decision takes: the code of an active ground; absent: `autre`',
  }),
}
export const groundingWithReason = {
  ...grounding,
  reason: Type.Optional(
    text(1_000, { description: 'Told to the author, with the ground', examples: ['Hors sujet'] }),
  ),
}

/** Why somebody decides. `ground`: the one that is given. `preferred`: the code of another, if none is given. */
export type Why = {
  ground?: Ground | undefined
  reason?: string | null | undefined
  preferred?: string | undefined
}

/** Returns the ground that a body names; 422 if it is not active, whatever the decision then does. */
export const findGiven = async (db: Database, code: string | undefined): Promise<Ground | undefined> =>
  code === undefined ? undefined : getGround(db, { ground: code })

export type Restricted = {
  id: string
  restriction: Restriction
  reason: string | null
  by_report: boolean
  /** A machine found it. */
  by_machine: boolean
  /** The values that reversing the decision restores. */
  before: object
}

/** Records the statements of a decision on publications, in its transaction. */
export async function recordStatements(
  tx: Database,
  { user }: SignedIn,
  { decisionId, ground }: { decisionId: string; ground: Ground },
  restricted: Restricted[],
): Promise<void> {
  const rows = restricted.map((one) => ({
    ...one,
    record_id: one.id,
    id: uuidv7(),
    reason: one.reason?.trim() || null,
  }))
  await sql`
    insert into statements (id, decision_id, entity, record_id, title, restriction, ground, reason, by_report, by_machine,
      decided_by, before)
    select s.id, ${decisionId}::uuid, 'publication', s.record_id, p.title, s.restriction, ${JSON.stringify(ground)}::jsonb,
      s.reason, s.by_report, s.by_machine, ${user.id}, s.before
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (
      id uuid, record_id uuid, restriction text, reason text, by_report boolean, by_machine boolean, before jsonb)
    join publications p on p.id = s.record_id`.execute(tx)
}

/**
 * Condition: publication `p` no longer lacks what statement `s` took. A deletion lifts nothing else: after a restore the
 * publication is rejected or hidden as before.
 */
const lifted = sql<boolean>`case s.restriction
  when 'rejected' then p.moderation_status <> 'rejected'
  when 'hidden' then p.valide
  when 'unfeatured' then p.en_avant
  when 'deleted' then p.deleted_at is null
  else false end`

/** Ends the open statements of what is lifted from these publications. `by`: the decision that lifted it. */
export async function endLifted(tx: Database, recordIds: string[], by: string | null): Promise<void> {
  await sql`
    update statements s set ended_at = now(), ended_by = ${by}::uuid
    from publications p
    where s.record_id = any(${recordIds}::uuid[]) and s.ended_at is null and p.id = s.record_id and ${lifted}`.execute(
    tx,
  )
}

/** Ends the open statements of rejections that a decision replaces by another one. */
export async function endReplaced(tx: Database, recordIds: string[], by: string): Promise<void> {
  await sql`
    update statements set ended_at = now(), ended_by = ${by}
    where record_id = any(${recordIds}::uuid[]) and ended_at is null and restriction = 'rejected'`.execute(tx)
}

/** Ends what says that a publication is not shown, because its author edits it: somebody reads it again. */
export async function endEdited(tx: Database, recordId: string): Promise<void> {
  await sql`
    update statements set ended_at = now()
    where record_id = ${recordId} and ended_at is null and restriction in ('rejected', 'hidden')`.execute(tx)
}

/** Ends the statements of acteurs that are active again. */
export async function endDeactivated(tx: Database, acteurIds: string[]): Promise<void> {
  await sql`
    update statements set ended_at = now()
    where record_id = any(${acteurIds}::uuid[]) and ended_at is null and restriction = 'deactivated'`.execute(
    tx,
  )
}

/** Ends the statements of a decision that was undone on these records, and opens those again that it had ended. */
export async function undoStatements(tx: Database, decisionId: string, recordIds: string[]): Promise<void> {
  await sql`
    update statements set ended_at = now()
    where decision_id = ${decisionId} and record_id = any(${recordIds}::uuid[]) and ended_at is null`.execute(
    tx,
  )
  await sql`
    update statements set ended_at = null, ended_by = null
    where ended_by = ${decisionId} and record_id = any(${recordIds}::uuid[])`.execute(tx)
  await endLifted(tx, recordIds, null)
}

/** Condition: what statement `s` says is still so, over its publication `p`. */
export const holdsOfPublication = sql<boolean>`(s.ended_at is null and case s.restriction
  when 'rejected' then p.moderation_status = 'rejected' and p.deleted_at is null
  when 'hidden' then not p.valide and p.moderation_status <> 'rejected' and p.deleted_at is null
  -- It would have ended by itself.
  when 'unfeatured' then not p.en_avant and p.deleted_at is null
    and coalesce((s.before->>'featured_until')::timestamptz > now(), true)
  when 'deleted' then p.deleted_at is not null and p.withdrawn_at is distinct from p.deleted_at
  else false end)`

/** Condition: what a statement says is still so, over its acteur `a`. */
export const holdsOfActeur = (s: RawBuilder<unknown> = sql`s`) => sql<boolean>`(
  ${s}.ended_at is null and ${s}.restriction = 'deactivated' and not a.active and a.deleted_at is null and a.merged_into is null)`
