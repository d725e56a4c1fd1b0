import { DatabaseSync } from 'node:sqlite'
import type { Mandate } from './rne-row.ts'

/**
 * Stores mandates until the whole file is read, then returns them by commune: the rows of a commune need not be
 * adjacent (former codes lead elsewhere), and memory does not grow with the file. It uses an unnamed file that
 * disappears when closed.
 */
export function openMandateStore() {
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
      store.exec('create index by_commune on mandates (commune)')
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

export type Council = { communeId: string; mandates: Mandate[]; incomplete: boolean }

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
