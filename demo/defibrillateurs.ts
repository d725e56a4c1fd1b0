import { loadWithin } from '../src/modules/defibrillateurs/sync/file.ts'
import { createTally } from '../src/modules/defibrillateurs/sync/tally.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { openData } from './data.ts'

/** Inserts about a hundred devices in the registry's format: some closed, broken or with unclear hours. */
export async function insertDemoDefibrillateurs(db: Database) {
  return loadWithin(db, openData('communes/defibrillateurs.csv'), createTally())
}
