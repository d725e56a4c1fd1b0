import { insertDemoActeurs } from './modules/acteurs/demo.ts'
import { insertDemoClaims } from './modules/claims/demo.ts'
import { insertDemoCommunes } from './modules/communes/demo/demo.ts'
import { insertDemoPublications } from './modules/publications/demo/demo.ts'
import { insertDemoUsers } from './modules/users/demo.ts'
import type { Database } from './platform/database/connect.ts'

/** Something of everything, in the order in which one hangs on the other. */
export async function insertDemo(db: Database): Promise<void> {
  await insertDemoCommunes(db)
  await insertDemoActeurs(db)
  await insertDemoUsers(db)
  await insertDemoClaims(db)
  await insertDemoPublications(db)
}
