import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { auditedStatut, defibrillateur } from '../record.ts'
import { listForUpdate, type StatutRow, updateStatuts } from './queries.ts'
import type { BulkAnswer, BulkResult, BulkStatut } from './schema.ts'

/** Sets the national status of up to a hundred devices in one transaction, each with its own audit entry. */
export async function setStatuts(
  db: Database,
  caller: Caller,
  { ids, statut_admin, note, versions = {} }: BulkStatut,
): Promise<BulkAnswer> {
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]))
  return db.transaction().execute(async (tx) => {
    const rows = await listForUpdate(tx, ids)
    const outcomes = new Map(
      rows.map((row): [string, Outcome] => {
        if (row.version !== (seen.get(row.id) ?? row.version)) return [row.id, { result: 'changed' }]
        const after = { ...row, statut_admin, note: note === undefined ? row.note : note }
        const isSame = after.statut_admin === row.statut_admin && after.note === row.note
        return [row.id, { result: isSame ? 'unchanged' : 'updated', before: row, after }]
      }),
    )
    const changed = [...outcomes.values()].flatMap(({ result, before, after }) =>
      result === 'updated' && before && after ? [{ before, after }] : [],
    )
    await updateStatuts(
      tx,
      changed.map(({ after }) => after),
    )
    await recordAudits(
      tx,
      caller,
      changed.map(({ before, after }) => ({
        action: 'defibrillateur.update',
        kind: defibrillateur,
        entityId: before.id,
        before: auditedStatut('france', before),
        after: auditedStatut('france', after),
      })),
    )
    return answer(ids, outcomes)
  })
}

/** `before` and `after` are missing where the caller has seen another version. */
type Outcome = { result: BulkResult; before?: StatutRow; after?: StatutRow }

/** Builds the result for each id. A repeated id gets the state after its first change. */
function answer(ids: string[], outcomes: Map<string, Outcome>): BulkAnswer {
  const meta = { updated: 0, unchanged: 0, not_found: 0, changed: 0 }
  const data = ids.map((given) => {
    const id = given.toLowerCase()
    const { result, before, after } = outcomes.get(id) ?? { result: 'not_found' as const }
    meta[result] += 1
    if (after) outcomes.set(id, { result: 'unchanged', before: after, after })
    const previous = before ? { statut_admin: before.statut_admin, note: before.note } : null
    return { id, result, previous }
  })
  return { data, meta }
}
