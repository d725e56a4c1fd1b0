import { sql } from 'kysely'
import { loadCommunes, loadFormerNames } from './loaders/communes/load.ts'
import { loadGroups } from './loaders/groups/load.ts'
import { createRun } from './loaders/run.ts'
import type { Config } from './platform/config/config.ts'
import type { Database } from './platform/database/connect.ts'
import { loadOnce } from './platform/database/load-once.ts'
import type { SeedData } from './platform/database/prepare.ts'

type Filled = {
  /** Whether this start has filled the database with demo content. */
  demoFilled: boolean
  hasDemo: boolean
}

/** Demo content is loaded by default on the embedded database only. */
export function seedData(
  { seed, databaseUrl, publicUrl }: Pick<Config, 'seed' | 'databaseUrl' | 'publicUrl'>,
  log: (message: string) => void,
): SeedData<Filled> {
  const demo = seed === 'demo' || (seed === null && databaseUrl === null)
  return {
    names: ['communes', 'former-names', 'groups', ...(demo ? ['demo'] : [])],
    fill: (db) => fillNewDatabase(db, demo ? publicUrl : null, log),
  }
}

/** Fills a new database: communes and their intercommunalities always, demo content if the database is empty; null: none. Its pictures are at `demoUrl`. */
export async function fillNewDatabase(
  db: Database,
  demoUrl: string | null,
  log: (message: string) => void,
): Promise<Filled> {
  if (await loadOnce(db, 'communes', (tx) => loadCommunes(tx, null, createRun())))
    log('The communes of France are loaded.')
  // An earlier version may have loaded the communes alone.
  await loadOnce(db, 'former-names', loadFormerNames)
  await loadOnce(db, 'groups', (tx) => loadGroups(tx, null, createRun()))
  if (demoUrl === null) return { demoFilled: false, hasDemo: false }
  let demoFilled = false
  await loadOnce(db, 'demo', async (tx) => {
    if (!(await isEmpty(tx))) return
    // Needed once in the life of a database, so it is not loaded at every start.
    const { insertDemo } = await import('../demo/load.ts')
    await insertDemo(tx, demoUrl)
    demoFilled = true
  })
  if (demoFilled) log('Demo content is in place.')
  return { demoFilled, hasDemo: demoFilled || (await hasDemoSources(db)) }
}

async function isEmpty(db: Database): Promise<boolean> {
  const used = sql<boolean>`exists (select from acteurs) or exists (select from users)`
  const found = await db.selectNoFrom(used.as('used')).executeTakeFirstOrThrow()
  return !found.used
}

/** An empty database and one that was in use before have the same mark of `loadOnce`: only the content tells. */
async function hasDemoSources(db: Database): Promise<boolean> {
  const sources = db.selectFrom('import_sources').select('id').where('url', 'like', 'demo:%')
  return (await sources.limit(1).executeTakeFirst()) !== undefined
}
