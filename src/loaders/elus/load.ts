import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { councilText } from '../../modules/communes/provenance.ts'
import { StartError } from '../../platform/config/start-error.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { mapCommuneCodes } from '../codes.ts'
import { csvRows } from '../csv.ts'
import { decide, type FactChange, factOf, listFacts, refuseUnusual, storeFacts } from '../provenance.ts'
import type { Run } from '../run.ts'
import { councilChanges, type Elu, nextCouncil } from './council.ts'
import { eluReader, type Mandate } from './rne-row.ts'

const source = 'elus'

/**
 * Stores mandates until the whole file is read, then returns them by commune: the rows of a commune need not be
 * adjacent (former codes lead elsewhere), and memory does not grow with the file. It uses an unnamed file that
 * disappears when closed.
 */
function openMandateStore() {
  const store = new DatabaseSync('')
  store.exec('create table mandates (commune text, nom text, prenom text, fonction text, mandat_debut text)')
  store.exec('create table incomplete (commune text primary key)')
  store.exec('begin')
  const insert = store.prepare('insert into mandates values (?, ?, ?, ?, ?)')
  const mark = store.prepare('insert or ignore into incomplete values (?)')
  return {
    add(communeId: string, { nom, prenom, fonction, mandat_debut }: Mandate) {
      insert.run(communeId, nom, prenom, fonction, mandat_debut)
    },
    /** Marks a commune with a refused row, which may have named any member. */
    markIncomplete(communeId: string) {
      mark.run(communeId)
    },
    /** Yields each council once, in batches of about a thousand rows. */
    *councils(): Generator<Council[]> {
      store.exec('create index if not exists by_commune on mandates (commune)')
      const marked = store.prepare('select 1 from incomplete where commune = ?')
      let batch: Council[] = []
      let rows = 0
      for (const council of groupByCommune(store)) {
        batch.push({ ...council, incomplete: marked.get(council.communeId) !== undefined })
        rows += council.mandates.length
        if (rows < 1_000) continue
        yield batch
        batch = []
        rows = 0
      }
      if (batch.length > 0) yield batch
    },
    close: () => store.close(),
  }
}

type Council = { communeId: string; mandates: Mandate[]; incomplete: boolean }

function* groupByCommune(store: DatabaseSync): Generator<Omit<Council, 'incomplete'>> {
  // File order decides between rows with the same function of a person.
  const rows = store.prepare('select * from mandates order by commune, rowid').iterate()
  let communeId: string | null = null
  let mandates: Mandate[] = []
  for (const row of rows) {
    const { commune, nom, prenom, fonction, mandat_debut } = row as Mandate & { commune: string }
    if (communeId !== null && commune !== communeId) {
      yield { communeId, mandates }
      mandates = []
    }
    communeId = commune
    mandates.push({ nom, prenom, fonction, mandat_debut })
  }
  if (communeId !== null) yield { communeId, mandates }
}

type PlacedElu = Elu & { commune_id: string }

/** Locks the communes in id order until the transaction ends, so that administrators' changes wait. */
async function lockCommunes(db: Database, ids: string[]): Promise<void> {
  await sql`select from communes where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)
}

async function listElusOfCommunes(db: Database, ids: string[]): Promise<PlacedElu[]> {
  const { rows } = await sql<PlacedElu>`
    select id, commune_id, nom, prenom, fonction, ordre, photo_url, mandat_debut
    from elus where commune_id = any(${ids}::uuid[]) order by commune_id, ordre, id`.execute(db)
  return rows
}

const columns = sql.raw(
  'id uuid, commune_id uuid, nom text, prenom text, fonction text, ordre integer, mandat_debut date',
)

async function insertElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`
    insert into elus (id, commune_id, nom, prenom, fonction, ordre, mandat_debut)
    select id, commune_id, nom, prenom, fonction, ordre, mandat_debut
    from jsonb_to_recordset(${JSON.stringify(elus)}::jsonb) as row(${columns})`.execute(db)
}

async function updateElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`
    update elus set nom = row.nom, prenom = row.prenom, fonction = row.fonction, ordre = row.ordre,
      mandat_debut = row.mandat_debut
    from jsonb_to_recordset(${JSON.stringify(elus)}::jsonb) as row(${columns})
    where elus.id = row.id`.execute(db)
}

async function deleteElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`delete from elus where id = any(${elus.map(({ id }) => id)}::uuid[])`.execute(db)
}

/** Increments the version of communes whose sub-list changed. */
async function touchCommunes(db: Database, ids: string[]): Promise<void> {
  await sql`update communes set version = version + 1 where id = any(${ids}::uuid[])`.execute(db)
}

/** Replaces the councils that an RNE file contains, save those that somebody wrote; others stay. */
export async function loadElus(db: Database, input: AsyncIterable<Uint8Array>, run: Run): Promise<void> {
  const mandates = openMandateStore()
  try {
    const { onlyMaires } = await readMandates(db, input, mandates, run)
    await refuseUnusual(db, source, await countCouncils(db, mandates, onlyMaires, run), run)
    for (const batch of mandates.councils()) {
      await writeCouncils(db, batch, onlyMaires, run)
      run.step()
    }
    await analyzeTables(db, ['elus', 'commune_gaps', 'sourced_facts'])
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

/** Counts the councils of the file, and those of which it says something else than the source said before. */
async function countCouncils(db: Database, mandates: MandateStore, onlyMaires: boolean, run: Run) {
  const counts = { concerned: 0, changed: 0 }
  for (const batch of mandates.councils()) {
    const changes = await changesOf(db, batch, onlyMaires, run)
    counts.concerned += batch.length
    counts.changed += changes.follows
    run.step()
  }
  return counts
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
    const changes = await changesOf(tx, councils, onlyMaires, run)
    const changed = [changes.created, changes.updated, changes.removed].flat()
    if (changed.length > 0) {
      await deleteElus(tx, changes.removed)
      await updateElus(tx, changes.updated)
      await insertElus(tx, changes.created)
      await touchCommunes(tx, [...new Set(changed.map(({ commune_id }) => commune_id))])
    }
    await storeFacts(tx, changes.facts)
    return changes
  })
  run.counts.created += created.length
  run.counts.updated += updated.length
  run.counts.removed += removed.length
  run.counts.unchanged += total - created.length - updated.length
}

/** Decides which councils of a batch the source may write, and how they change. */
async function changesOf(db: Database, councils: Council[], onlyMaires: boolean, { asOf }: Run) {
  const ids = councils.map(({ communeId }) => communeId)
  const existing = Map.groupBy(await listElusOfCommunes(db, ids), ({ commune_id }) => commune_id)
  const storedOf = await listFacts(db, ids, ['elus'])
  const typed = await listTyped(db, ids)
  const all = {
    created: [] as PlacedElu[],
    updated: [] as PlacedElu[],
    removed: [] as PlacedElu[],
    facts: [] as FactChange[],
    total: 0,
    follows: 0,
  }
  for (const { communeId, mandates, incomplete } of councils) {
    const before = existing.get(communeId) ?? []
    // Keep other members: a refused row may have named any of them, and the file of maires names only maires.
    const wanted = nextCouncil(before, mandates, incomplete || onlyMaires)
    const stored = storedOf(communeId, 'elus', null)
    const given = councilText(wanted)
    // A council from before the first file with a day, which nobody typed, is one that a file gave.
    const isOfFile = stored === undefined && !typed.has(communeId)
    const present = isOfFile ? null : councilText(before)
    const decision = decide({ stored, present, given, typed: typed.has(communeId) }, { source, asOf })
    const key = { commune_id: communeId, field: 'elus', acteur_id: null }
    all.facts.push(...[factOf(decision, key, given, { source, asOf })].filter((fact) => fact !== null))
    const changes = councilChanges(before, decision.writes ? wanted : before)
    const placed = (elu: (typeof wanted)[number]): PlacedElu => ({ ...elu, commune_id: communeId })
    all.created.push(...changes.created.map(placed))
    all.updated.push(...changes.updated.map(placed))
    all.removed.push(...changes.removed.map(placed))
    all.total += decision.writes ? wanted.length : before.length
    all.follows += Number(stored !== undefined && decision.writes)
  }
  return all
}

/** Returns the communes whose council somebody wrote, as the audit log knows. */
async function listTyped(db: Database, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ entity_id: string }>`
    select distinct entity_id from audit_log
    where entity = 'commune' and entity_id = any(${ids}::text[]) and (after ? 'elus' or before ? 'elus')`.execute(
    db,
  )
  return new Set(rows.map(({ entity_id }) => entity_id))
}
