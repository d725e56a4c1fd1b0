import { sql } from 'kysely'
import { digestOf } from '../modules/communes/provenance.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import type { Run } from './run.ts'

/**
 * Decides for each field of a commune whether a source may write it. States of a field, by its row in `sourced_facts`:
 *
 *   no row ──── blank, never typed, and the source has a value ─► the source's: written
 *   no row ──── a value that the source has too, never typed ───► the source's: unchanged
 *   no row ──── any other value, or a blank that was typed ─────► a person's
 *   the source's ──── the value that it wrote last ─────────────► the source's: follows it, or blank with it
 *   the source's ──── any other value, or blank ────────────────► a person's
 *   a person's ─────────────────────────────────────────────────► a person's, for ever
 *
 * What people write needs no mark at the time of writing, so that no writer can forget it. The caller locks the records first.
 */
export type StoredFact = {
  commune_id: string
  field: string
  acteur_id: string | null
  source: string | null
  as_of: string | null
  digest: string | null
}
type Field = { stored: StoredFact | undefined; present: string | null; given: string | null; typed: boolean }
/** `writes`: the field gets the given value. `fact`: its row afterwards, or unchanged. */
export type Decision = { writes: boolean; fact: 'unchanged' | 'of the source' | 'of a person' | 'none' }

export function decide(
  { stored, present, given, typed }: Field,
  { source, asOf }: { source: string; asOf: string },
): Decision {
  if (stored === undefined) {
    if (given === null) return stays
    if (present === null)
      return typed ? { writes: false, fact: 'of a person' } : { writes: true, fact: 'of the source' }
    return { writes: false, fact: present === given && !typed ? 'of the source' : 'of a person' }
  }
  if (stored.source !== source || stored.as_of === null) return stays
  if (present === null || digestOf(present) !== stored.digest) return { writes: false, fact: 'of a person' }
  // An older file says nothing new.
  if (stored.as_of > asOf) return stays
  if (present === given) return stored.as_of === asOf ? stays : { writes: false, fact: 'of the source' }
  return { writes: true, fact: given === null ? 'none' : 'of the source' }
}

const stays: Decision = { writes: false, fact: 'unchanged' }

/** Returns the row that a decision leaves, or null to delete it; undefined if it is unchanged. */
export function factOf(
  decision: Decision,
  key: Pick<StoredFact, 'commune_id' | 'field' | 'acteur_id'>,
  given: string | null,
  { source, asOf }: { source: string; asOf: string },
): FactChange | null {
  if (decision.fact === 'unchanged') return null
  if (decision.fact === 'none') return { ...key, deleted: true }
  if (decision.fact === 'of a person' || given === null)
    return { ...key, source: null, as_of: null, digest: null }
  return { ...key, source, as_of: asOf, digest: digestOf(given) }
}

export type FactChange =
  | StoredFact
  | (Pick<StoredFact, 'commune_id' | 'field' | 'acteur_id'> & { deleted: true })

export async function listFacts(db: Database, communeIds: string[], fields: readonly string[]) {
  const { rows } = await sql<StoredFact>`
    select commune_id, field, acteur_id, source, as_of, digest from sourced_facts
    where commune_id = any(${communeIds}::uuid[]) and field = any(${fields}::text[])`.execute(db)
  const facts = new Map(rows.map((fact) => [`${fact.commune_id} ${fact.field}`, fact]))
  return (communeId: string, field: string, acteurId: string | null): StoredFact | undefined => {
    const fact = facts.get(`${communeId} ${field}`)
    return fact?.acteur_id === acteurId ? fact : undefined
  }
}

export async function storeFacts(tx: Database, changes: FactChange[]): Promise<void> {
  const deleted = changes.filter((change) => 'deleted' in change)
  const stored = changes.filter((change) => !('deleted' in change))
  if (deleted.length > 0)
    await sql`
      delete from sourced_facts using jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) as row(commune_id uuid, field text)
      where sourced_facts.commune_id = row.commune_id and sourced_facts.field = row.field`.execute(tx)
  if (stored.length > 0)
    await sql`
      insert into sourced_facts (commune_id, field, acteur_id, source, as_of, digest)
      select commune_id, field, acteur_id, source, as_of, digest from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb)
        as row(commune_id uuid, field text, acteur_id uuid, source text, as_of date, digest text)
      on conflict (commune_id, field) do update
        set acteur_id = excluded.acteur_id, source = excluded.source, as_of = excluded.as_of, digest = excluded.digest`.execute(
      tx,
    )
}

/** Below, a file of a few communes is loaded as it is. */
const fewCommunes = 100

/**
 * Refuses a file before anything is written: it has nothing, lacks half of the communes that its source fills, or changes what
 * the source says of more than a tenth of them.
 */
export async function refuseUnusual(
  db: Database,
  source: string,
  { concerned, changed }: { concerned: number; changed: number },
  run: Run,
): Promise<void> {
  if (run.acceptFall) return
  if (concerned === 0 && run.counts.refused === 0)
    throw new StartError(`The file has nothing of the source ${source}: nothing was changed.`)
  const { rows } = await sql<{ known: number }>`
    select count(distinct commune_id)::int as known from sourced_facts where source = ${source}`.execute(db)
  const known = rows[0]?.known ?? 0
  if (known < fewCommunes) return
  const accept = 'Nothing was changed: look at the file, then accept it with --accept-fall.'
  if (concerned < known / 2)
    throw new StartError(`The file has ${concerned} of the ${known} communes that ${source} fills. ${accept}`)
  if (changed > known / 10)
    throw new StartError(
      `The file changes what ${source} says of ${changed} of ${known} communes, more than a tenth. ${accept}`,
    )
}
