import { sql } from 'kysely'
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

/** Why somebody decides. `preferred`: the ground, if none is given and this one is active. */
export type Why = { ground?: string | undefined; reason?: string | null | undefined; preferred?: string }

type Restricted = {
  id: string
  restriction: Restriction
  /** The values that reversing the decision restores. */
  before: object
  by_report: boolean
}

type Decision = {
  decisionId: string | null
  entity: 'publication' | 'acteur'
  by_machine: boolean
}

/** Records the statements of a decision, in its transaction. Refuses a ground that is not active with 422. */
export async function recordStatements(
  tx: Database,
  { user }: SignedIn,
  { decisionId, entity, by_machine }: Decision,
  { reason = null, ...why }: Why,
  restricted: Restricted[],
): Promise<void> {
  if (restricted.length === 0) return
  const ground: Ground = await getGround(tx, why)
  const name = entity === 'publication' ? sql`title` : sql`nom`
  const table = sql.table(entity === 'publication' ? 'publications' : 'acteurs')
  const rows = restricted.map((one) => ({ ...one, record_id: one.id, id: uuidv7() }))
  await sql`
    insert into statements (id, decision_id, entity, record_id, title, restriction, ground, reason, by_report, by_machine,
      decided_by, before)
    select s.id, ${decisionId}::uuid, ${entity}, s.record_id, r.${name}, s.restriction, ${JSON.stringify(ground)}::jsonb,
      ${reason?.trim() || null}, s.by_report, ${by_machine}, ${user.id}, s.before
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (
      id uuid, record_id uuid, restriction text, by_report boolean, before jsonb)
    join ${table} r on r.id = s.record_id`.execute(tx)
}

/** Ends the statements of a decision that was undone on these records. */
export async function endStatements(tx: Database, decisionId: string, recordIds: string[]): Promise<void> {
  await sql`
    update statements set ended_at = now()
    where decision_id = ${decisionId} and record_id = any(${recordIds}::uuid[]) and ended_at is null`.execute(
    tx,
  )
}

/** Condition: what statement `s` says is still so, over its publication `p`. */
export const holdsOfPublication = sql<boolean>`(s.ended_at is null and case s.restriction
  when 'rejected' then p.moderation_status = 'rejected' and p.deleted_at is null
  when 'hidden' then not p.valide and p.moderation_status <> 'rejected' and p.deleted_at is null
  when 'unfeatured' then not p.en_avant and p.deleted_at is null
  when 'deleted' then p.deleted_at is not null and p.withdrawn_at is distinct from p.deleted_at
  else false end)`
