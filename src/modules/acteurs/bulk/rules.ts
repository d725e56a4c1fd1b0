import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { acteur } from '../record.ts'
import { isLive } from '../schema.ts'
import { type Decided, type DecidedRow, listForUpdate, updateDecided } from './queries.ts'
import type { BulkAnswer, BulkDecision, BulkResult } from './schema.ts'

/** The audit action of each decision, the same as for a single acteur. */
const actions = {
  valide: 'acteur.validate',
  active: 'acteur.active',
  can_publish: 'acteur.can_publish',
  badge: 'acteur.badge',
} satisfies Record<keyof Decided, string>
const fields = Object.keys(actions) as (keyof Decided)[]

/** Decides on up to a hundred acteurs in one transaction, with as many statements as for one. */
export async function decideBulk(
  db: Database,
  caller: Caller,
  { ids, versions = {}, validate, ...rest }: BulkDecision,
): Promise<BulkAnswer> {
  const decision: Partial<Decided> = { ...rest, ...(validate !== undefined && { valide: validate }) }
  if (Object.keys(decision).length === 0) throw validationFailed([{ field: '', message: nothing }])
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]))
  return db.transaction().execute(async (tx) => {
    const rows = await listForUpdate(tx, ids)
    const outcomes = new Map(rows.map((before) => [before.id, outcomeOf(before, decision, seen)]))
    const changed = rows.flatMap((before) => {
      const { result, after } = outcomes.get(before.id) ?? {}
      return result === 'updated' && after ? [{ before, after }] : []
    })
    await updateDecided(
      tx,
      changed.map(({ after }) => after),
    )
    const entries = changed.flatMap(({ before, after }) =>
      fields.map((field) => ({
        action: actions[field],
        kind: acteur,
        entityId: before.id,
        before: { [field]: before[field] },
        after: { [field]: after[field] },
      })),
    )
    await recordAudits(tx, caller, entries)
    return answer(ids, new Map(rows.map((row) => [row.id, row])), outcomes)
  })
}

/** `after` is missing if the acteur cannot be decided on. */
type Outcome = { result: BulkResult; after?: DecidedRow }

function outcomeOf(row: DecidedRow, decision: Partial<Decided>, seen: Map<string, number>): Outcome {
  if (row.version !== (seen.get(row.id) ?? row.version)) return { result: 'changed' }
  if (!isLive(row)) return { result: 'deleted' }
  const after = { ...row, ...decision }
  return { result: isDeepStrictEqual(after, row) ? 'unchanged' : 'updated', after }
}

/** Builds the result and previous state of each id. A repeated id gets the state after its first change. */
function answer(ids: string[], rows: Map<string, DecidedRow>, outcomes: Map<string, Outcome>): BulkAnswer {
  const meta = { updated: 0, unchanged: 0, not_found: 0, deleted: 0, changed: 0 }
  const data = ids.map((given) => {
    const id = given.toLowerCase()
    const row = rows.get(id)
    const { result, after } = outcomes.get(id) ?? { result: 'not_found' as const }
    meta[result] += 1
    if (after !== undefined) {
      rows.set(id, after)
      outcomes.set(id, { result: 'unchanged', after })
    }
    return { id, result, previous: row === undefined || after === undefined ? null : shown(row) }
  })
  return { data, meta }
}

const shown = ({ valide, active, can_publish, badge }: Decided): Decided => ({
  valide,
  active,
  can_publish,
  badge,
})

const nothing = {
  en: 'must decide something: validate, active, can_publish or badge',
  fr: 'doit décider quelque chose : validate, active, can_publish ou badge',
}
