import { loadAddresses } from '../../loaders/addresses/load.ts'
import { bytes } from '../../loaders/load.test-kit.ts'
import { createRun } from '../../loaders/run.ts'
import type { Database } from '../../platform/database/connect.ts'

/** Loads addresses from rows of `commune_insee;voie_nom;numero;suffixe;long;lat`. */
export async function insertAddresses(db: Database, ...rows: string[]): Promise<void> {
  const lines = ['commune_insee;voie_nom;numero;suffixe;long;lat', ...rows, '']
  await loadAddresses(db, bytes(lines.join('\n'), 65_536), createRun())
}
