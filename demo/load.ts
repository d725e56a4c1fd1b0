import type { Database } from '../src/platform/database/connect.ts'
import { insertDemoActeurs } from './acteurs.ts'
import { insertDemoActs } from './acts.ts'
import { insertDemoClaims } from './claims.ts'
import { insertDemoCommunes } from './communes.ts'
import { insertDemoDefibrillateurs } from './defibrillateurs.ts'
import { insertDemoDomains } from './domains.ts'
import { insertDemoExamples } from './examples.ts'
import { insertDemoGroups } from './groups.ts'
import { insertDemoImports } from './imports.ts'
import { insertDemoThreads } from './messages.ts'
import { insertDemoPages } from './pages.ts'
import { insertDemoPublications } from './publications.ts'
import { insertDemoReadings } from './readings.ts'
import { insertDemoSubscriptions } from './subscriptions.ts'
import { insertDemoUsers } from './users.ts'

/**
 * Inserts demo content of every kind in order of dependency, through the code of real loads and writes. Skips
 * content of communes that no longer exist. `publicUrl`: where the service is reached, which serves its pictures.
 */
export async function insertDemo(db: Database, publicUrl: string, now = new Date()): Promise<void> {
  const pictures = `${publicUrl}/demo`
  await insertDemoCommunes(db, pictures, now)
  await insertDemoDefibrillateurs(db)
  await insertDemoActeurs(db, now)
  await insertDemoGroups(db)
  await insertDemoDomains(db, publicUrl, now)
  await insertDemoUsers(db, now)
  await insertDemoClaims(db, now)
  await insertDemoThreads(db, now)
  await insertDemoPublications(db, now)
  await insertDemoActs(db, now)
  await insertDemoPages(db, now)
  await insertDemoSubscriptions(db, now)
  await insertDemoImports(db, now)
  await insertDemoExamples(db, now)
  await insertDemoReadings(db, now)
}
