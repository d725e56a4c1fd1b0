import { loadCommunes } from './loaders/communes/load.ts'
import { createRun } from './loaders/run.ts'
import type { Database } from './platform/database/connect.ts'
import { loadOnce } from './platform/database/first-loads.ts'

/** What a new database is filled with: the communes always, demo content if asked and while there is nothing else. */
export async function fillNewDatabase(
  db: Database,
  demo: boolean,
  log: (message: string) => void,
): Promise<{ demoFilled: boolean }> {
  if (await loadOnce(db, 'communes', (tx) => loadCommunes(tx, null, createRun())))
    log('The communes of France are loaded.')
  if (!demo) return { demoFilled: false }
  const demoFilled = await loadOnce(db, 'demo', async (tx) => {
    if ((await tx.selectFrom('acteurs').select('id').limit(1).executeTakeFirst()) !== undefined) return
    // Needed once in the life of a database: not loaded at every start.
    const { insertDemo } = await import('../demo/load.ts')
    await insertDemo(tx)
  })
  if (demoFilled) log('Demo content is in place.')
  return { demoFilled }
}
