import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { commune } from '../communes/editing/record.ts'
import { replaceLists } from '../communes/editing/sub-lists.ts'
import type { CollecteRow } from '../communes/schema.ts'
import { forgetDeleted } from '../deletions/deleted.ts'
import * as queries from './queries.ts'

/** So many communes are in memory at once. */
export const batchSize = 50

type Replacement = { commune_id: string; from: CollecteRow[]; to: CollecteRow[] }
type Outcome = 'replaced' | 'unchanged' | 'changed_since' | 'not_member'

/**
 * Replaces the collections of locked communes that still are as the replacement begins, with an audit entry for each. The
 * others stay. Returns what became of each, with its collections as they now are.
 */
export async function replaceCollectes(
  tx: Database,
  caller: SignedIn,
  replacements: readonly Replacement[],
  members: ReadonlySet<string>,
): Promise<{ commune_id: string; outcome: Outcome; collectes: CollecteRow[] }[]> {
  const ids = replacements.map(({ commune_id }) => commune_id)
  const present = await queries.listCollectesOf(tx, ids)
  const presentOf = (id: string) => present.get(id) ?? []
  const outcomeOf = ({ commune_id, from, to }: Replacement): Outcome => {
    if (!members.has(commune_id)) return 'not_member'
    if (!isDeepStrictEqual(presentOf(commune_id), from)) return 'changed_since'
    return isDeepStrictEqual(from, to) ? 'unchanged' : 'replaced'
  }
  const decided = replacements.map((one) => ({ ...one, outcome: outcomeOf(one) }))
  const replaced = decided.filter(({ outcome }) => outcome === 'replaced')
  for (const { commune_id, from, to } of replaced) {
    const lists = { elus: [], infos: [] }
    // A collection that returns leaves the list of deleted ones; if it is removed later, it enters it again.
    await forgetDeleted(tx, idsOnlyIn(to, from))
    await replaceLists(tx, commune_id, { collectes: to }, { ...lists, collectes: from })
  }
  const replacedIds = replaced.map(({ commune_id }) => commune_id)
  await queries.raiseVersions(tx, replacedIds)
  const after = await queries.listCollectesOf(tx, replacedIds)
  const entries = replaced.map(({ commune_id, from }) => ({
    ...{ action: 'commune.update', kind: commune, entityId: commune_id },
    ...{ before: { collectes: from }, after: { collectes: after.get(commune_id) ?? [] } },
  }))
  await append(tx, caller, entries)
  return decided.map(({ commune_id, outcome }) => ({
    ...{ commune_id, outcome },
    collectes: after.get(commune_id) ?? presentOf(commune_id),
  }))
}

function idsOnlyIn(rows: CollecteRow[], others: CollecteRow[]): string[] {
  const ids = new Set(others.map(({ id }) => id))
  return rows.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
}
