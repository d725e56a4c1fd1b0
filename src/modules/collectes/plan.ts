import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/schema'
import { fold } from '../../platform/formats/text.ts'
import { CollecteBody, maxRows } from '../communes/editing/schema.ts'
import { repeatedExceptions, rowsOf } from '../communes/editing/sub-lists.ts'
import type { CollecteRow } from '../communes/schema.ts'
import type { ReadRow, RowProblem } from './reading/row.ts'

export type Member = { id: string; nom: string; code_insee: string; departement: string }

/** What a file wants for one commune. */
type Wanted = { commune_id: string; collectes: CollecteBody[] }

/**
 * Sorts what a file says by communes. A commune with a problem is left out: half a list would look like the whole one.
 * `chosen`: the members for which rows without a commune are.
 */
export function wantedOf(
  rows: readonly ReadRow[],
  members: readonly Member[],
  chosen: readonly string[],
): { wanted: Wanted[]; problems: RowProblem[] } {
  const problems: RowProblem[] = []
  const refused = new Set<string>()
  const byCommune = new Map<string, CollecteBody[]>()
  const find = finderOf(members)
  for (const read of rows) {
    const { row, code_insee, collecte } = read
    const { ids, code } = code_insee === null && read.commune === null ? chosenOf(chosen) : find(read)
    const commune = (read.commune ?? code_insee)?.slice(0, 100) ?? null
    const refuse = (field: string, code: RowProblem['code']) => problems.push({ row, commune, field, code })
    const faults = read.problems.length === 0 && collecte !== null ? faultsOf(collecte) : read.problems
    for (const fault of faults) refuse(fault.field, fault.code)
    if (code !== null) refuse('commune', code)
    for (const id of ids) {
      const list = byCommune.get(id) ?? []
      byCommune.set(id, list)
      if (collecte !== null) list.push(collecte as CollecteBody)
      if (list.length === maxRows.collectes + 1) refuse('collectes', 'too_many')
      if (faults.length > 0 || list.length > maxRows.collectes) refused.add(id)
    }
  }
  const wanted = [...byCommune].filter(([id]) => !refused.has(id))
  return { wanted: wanted.map(([commune_id, collectes]) => ({ commune_id, collectes })), problems }
}

type Found = { ids: readonly string[]; code: RowProblem['code'] | null }

const chosenOf = (ids: readonly string[]): Found => ({ ids, code: ids.length === 0 ? 'no_commune' : null })

/** Finds the member that a row names by its code, else by its name, whatever its case and accents. */
function finderOf(members: readonly Member[]) {
  const byCode = new Map(members.map((member) => [member.code_insee, member.id]))
  const byName = Map.groupBy(members, ({ nom }) => fold(nom))
  return ({ code_insee, commune }: ReadRow): Found => {
    if (code_insee !== null) {
      const id = byCode.get(code_insee)
      return id === undefined ? { ids: [], code: 'scope_violation' } : { ids: [id], code: null }
    }
    const named = byName.get(fold(commune ?? '')) ?? []
    const [one] = named
    if (one === undefined) return { ids: [], code: 'unknown_commune' }
    return named.length > 1 ? { ids: [], code: 'ambiguous_commune' } : { ids: [one.id], code: null }
  }
}

const body = Compile(CollecteBody)

/** Returns why a collection cannot be stored: by its schema, and by the rules that the database has too. */
function faultsOf(collecte: Record<string, unknown>): Pick<RowProblem, 'field' | 'code'>[] {
  if (!body.Check(collecte)) {
    const [, [fault]] = body.Errors(collecte)
    const [, field = ''] = (fault as { instancePath?: string } | undefined)?.instancePath?.split('/') ?? []
    return [{ field: field || 'collectes', code: 'invalid' }]
  }
  const { jours = [], toutes_les_semaines: every = 1, rang = null, a_partir_du = null, exceptions } = collecte
  if (every > 1 && jours.length > 0 && a_partir_du === null)
    return [{ field: 'a_partir_du', code: 'date_needed' }]
  if (rang !== null && (jours.length !== 1 || every !== 1))
    return [{ field: 'jours', code: 'one_day_needed' }]
  const isRepeated = repeatedExceptions(exceptions === undefined ? {} : { exceptions }, '').length > 0
  return isRepeated ? [{ field: 'exceptions', code: 'repeated_exception' }] : []
}

export type Counts = { added: number; removed: number; changed: number; unchanged: number }

/**
 * Returns the collections that a commune gets. One that is the same, or that only changes, keeps its id, by which its secteur
 * and what was deleted are known. `secteur`: only the collections of this one are replaced; `keepsKinds`: only those of the
 * same kinds of waste.
 */
export function plannedFor(
  before: readonly CollecteRow[],
  wanted: readonly CollecteBody[],
  { secteur, keepsKinds }: { secteur: string | null; keepsKinds: boolean },
): { after: CollecteRow[]; counts: Counts } {
  const kinds = new Set(wanted.map(({ type_dechet }) => fold(type_dechet)))
  const isOther = (row: CollecteRow) =>
    (secteur !== null && fold(row.secteur ?? '') !== fold(secteur)) ||
    (keepsKinds && !kinds.has(fold(row.type_dechet)))
  const others = before.filter(isOther)
  const given = wanted.map((one) => (secteur === null ? one : { ...one, secteur }))
  const { collectes = [] } = rowsOf({
    collectes: withKeptIds(
      before.filter((row) => !isOther(row)),
      given,
    ),
  })
  const after = [...others, ...collectes]
  const counts = countsOf(before, after)
  const isSame = counts.added + counts.removed + counts.changed === 0
  // Another order alone is no change.
  return { after: isSame ? [...before] : after, counts }
}

/** Gives each collection the id of the stored one that it is: of the same kind and secteur, best also of the same name. */
function withKeptIds(before: readonly CollecteRow[], wanted: readonly CollecteBody[]): CollecteBody[] {
  const left = new Set(before)
  const ids = new Map<CollecteBody, string>()
  for (const keyOf of keys) {
    const stored = Map.groupBy(left, keyOf)
    for (const one of wanted) {
      if (ids.has(one)) continue
      const found = stored.get(keyOf(one))?.shift()
      if (found === undefined) continue
      ids.set(one, found.id)
      left.delete(found)
    }
  }
  return wanted.map((one) => {
    const id = ids.get(one)
    return id === undefined ? one : { ...one, id }
  })
}

type Named = Pick<CollecteBody, 'type_dechet' | 'libelle' | 'secteur'>
const keys = [
  ({ type_dechet, libelle, secteur }: Named) =>
    JSON.stringify([type_dechet, libelle, secteur ?? ''].map(fold)),
  ({ type_dechet, secteur }: Named) => JSON.stringify([type_dechet, secteur ?? ''].map(fold)),
]

function countsOf(before: readonly CollecteRow[], after: readonly CollecteRow[]): Counts {
  const stored = new Map(before.map((row) => [row.id, row]))
  const counts: Counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  for (const row of after) counts[changeOf(stored.get(row.id), row)] += 1
  const kept = new Set(after.map(({ id }) => id))
  counts.removed = before.filter(({ id }) => !kept.has(id)).length
  return counts
}

export const changeOf = (
  before: CollecteRow | undefined,
  after: CollecteRow,
): 'added' | 'unchanged' | 'changed' =>
  before === undefined ? 'added' : isDeepStrictEqual(before, after) ? 'unchanged' : 'changed'
