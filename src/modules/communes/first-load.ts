import type { Database } from '../../platform/database/connect.ts'
import { loadCommunes } from './load/communes.ts'
import { createRun } from './load/run.ts'

/** The communes of France and the former codes that lead to them, into a new database. */
export async function loadCommunesFromPackage(db: Database): Promise<void> {
  await loadCommunes(db, null, createRun())
}
