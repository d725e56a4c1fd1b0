import { StartError } from '../../platform/config/start-error.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { mapCommuneCodes } from '../codes.ts'
import { csvRows } from '../csv.ts'
import type { Run } from '../run.ts'
import { councilChanges, nextCouncil } from './council.ts'
import { type Council, openMandateStore } from './mandate-store.ts'
import {
  deleteElus,
  insertElus,
  listElusOfCommunes,
  lockCommunes,
  type PlacedElu,
  touchCommunes,
  updateElus,
} from './queries.ts'
import { eluReader } from './rne-row.ts'

/** Replaces the councils that an RNE file contains; others stay. */
export async function loadElus(db: Database, input: AsyncIterable<Uint8Array>, run: Run): Promise<void> {
  const mandates = openMandateStore()
  try {
    const { onlyMaires } = await readMandates(db, input, mandates, run)
    for (const batch of mandates.councils()) {
      await writeCouncils(db, batch, onlyMaires, run)
      run.step()
    }
  } finally {
    mandates.close()
  }
}

type MandateStore = ReturnType<typeof openMandateStore>

async function readMandates(
  db: Database,
  input: AsyncIterable<Uint8Array>,
  mandates: MandateStore,
  run: Run,
) {
  const codes = await mapCommuneCodes(db)
  let reader: ReturnType<typeof eluReader> | null = null
  let latest: string | null = null
  for await (const row of csvRows(input)) {
    if (reader === null) {
      reader = eluReader(row.fields, codes)
      continue
    }
    run.counts.read++
    const elu = reader.read(row)
    latest = elu.communeId ?? latest
    if (elu.kind === 'mandate') mandates.add(elu.communeId, elu.mandate)
    else {
      run.refuse(`line ${row.line}`, elu.reason)
      // A row damaged in or before its code most likely belongs to the commune of the previous row.
      const concerned = row.damage === null ? elu.communeId : latest
      if (concerned !== null) mandates.markIncomplete(concerned)
    }
    if (run.counts.read % 1_000 === 0) run.step()
  }
  return reader ?? emptyFile()
}

function emptyFile(): never {
  throw new StartError('The file is empty.')
}

/** Runs one transaction with a constant number of statements for any number of communes. */
async function writeCouncils(
  db: Database,
  councils: Council[],
  onlyMaires: boolean,
  run: Run,
): Promise<void> {
  const ids = councils.map(({ communeId }) => communeId)
  const { created, updated, removed, total } = await inTransaction(db, async (tx) => {
    await lockCommunes(tx, ids)
    const existing = Map.groupBy(await listElusOfCommunes(tx, ids), ({ commune_id }) => commune_id)
    const changes = changesOf(councils, existing, onlyMaires)
    const changed = [changes.created, changes.updated, changes.removed].flat()
    if (changed.length > 0) {
      await deleteElus(tx, changes.removed)
      await updateElus(tx, changes.updated)
      await insertElus(tx, changes.created)
      await touchCommunes(tx, [...new Set(changed.map(({ commune_id }) => commune_id))])
    }
    return changes
  })
  run.counts.created += created.length
  run.counts.updated += updated.length
  run.counts.removed += removed.length
  run.counts.unchanged += total - created.length - updated.length
}

function changesOf(councils: Council[], existing: Map<string, PlacedElu[]>, onlyMaires: boolean) {
  const all = { created: [] as PlacedElu[], updated: [] as PlacedElu[], removed: [] as PlacedElu[], total: 0 }
  for (const { communeId, mandates, incomplete } of councils) {
    const before = existing.get(communeId) ?? []
    // Keep other members: a refused row may have named any of them, and the file of maires names only maires.
    const wanted = nextCouncil(before, mandates, incomplete || onlyMaires)
    const changes = councilChanges(before, wanted)
    const placed = (elu: (typeof wanted)[number]): PlacedElu => ({ ...elu, commune_id: communeId })
    all.created.push(...changes.created.map(placed))
    all.updated.push(...changes.updated.map(placed))
    all.removed.push(...changes.removed.map(placed))
    all.total += wanted.length
  }
  return all
}
