import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../config/start-error.ts'
import type { Database } from './connect.ts'
import type { Connection } from './connection.ts'
import { onConnection } from './connections/on-connection.ts'
import { connectForStart, whileConnected } from './connections/while-connected.ts'
import { lockNumber, migrate, migrationsFolder, sentenceOfOther } from './migrate/migrate.ts'
import { findJobsFault } from './migrate/migrate-jobs.ts'
import { compareMigrations, readMigrations, sentenceOfLater } from './migrate/migrations.ts'
import { roleOf } from './open.ts'

/** The seed data of a new database: the names that `loadOnce` records, and the function that loads it. */
export type SeedData<Loaded> = { names: string[]; fill: (db: Database) => Promise<Loaded> }
type Roles = { owner: Connection | null; service: Connection }

/**
 * Prepares the database at start. With an owner, it migrates, loads seed data and returns what was loaded.
 * With the service role alone, it changes nothing, requires a prepared database and returns null.
 */
export async function prepareDatabase<Loaded>(
  { owner, service }: Roles,
  seedData: SeedData<Loaded>,
  log: (message: string) => void,
): Promise<Loaded | null> {
  if (owner !== null) {
    const { later, loaded } = await migrate(owner, roleOf(service), seedData.fill, migrationsFolder, log)
    if (later !== null) log(sentenceOfLater(later))
    return loaded
  }
  await requirePrepared(service, seedData.names, log)
  return null
}

/** Throws unless the schema, the grants and the seed data exist. Waits for a running migration. */
export async function requirePrepared(
  service: Connection,
  loads: string[],
  log: (message: string) => void,
  folder = migrationsFolder,
): Promise<void> {
  const client = await connectForStart({ ...service, application_name: 'parvis' }, log)
  const work = async () => {
    await beginUndisturbed(client, log)
    const fault = await findFault(client, loads, folder, log)
    await client.query('rollback')
    if (fault !== null)
      throw new StartError(
        `The database that DATABASE_URL names is not ready, since ${fault}: run "npm run migrate" with MIGRATE_DATABASE_URL, the role that owns it, beside DATABASE_URL.`,
      )
  }
  await whileConnected(client, work).finally(() => client.end())
}

/**
 * Opens a transaction that locks out migrations until it ends. Behind a pooler, a transaction can hold locks
 * and a session cannot.
 */
async function beginUndisturbed(client: pg.Client, log: (message: string) => void): Promise<void> {
  for (let looks = 0; ; looks++) {
    await client.query('begin; set local search_path to public')
    const { rows } = await client.query('select pg_try_advisory_xact_lock_shared($1) as taken', [lockNumber])
    if (rows[0].taken) return
    await client.query('rollback')
    if (looks === 0) log(sentenceOfOther)
    await sleep(100)
  }
}

async function findFault(
  client: pg.Client,
  loads: string[],
  folder: string,
  log: (message: string) => void,
): Promise<string | null> {
  try {
    const files = await readMigrations(folder)
    const { pending, later } = await compareMigrations(onConnection(client), files)
    if (pending[0] !== undefined) return `the migration ${pending[0].name} has not been applied`
    if (later !== null) log(sentenceOfLater(later))
    const jobs = await findJobsFault(client)
    if (jobs !== null) return jobs
    const closed = await findClosedTable(client, files.map(({ text }) => text).join('\n'))
    if (closed !== null) return `the role ${client.user} has no rights to its table ${closed}`
    const { rows } = await client.query(
      'select name from unnest($1::text[]) as name except select name from first_loads',
      [loads],
    )
    return rows.length === 0 ? null : `the first load of ${rows[0].name} has not been done`
  } catch (error) {
    const isDenied = error instanceof pg.DatabaseError && error.code === '42501'
    if (isDenied) return `the role ${client.user} has no rights to its tables`
    throw error
  }
}

/** Returns one of our tables without grants: a migration may have been killed before granting. */
async function findClosedTable(client: pg.Client, migrations: string): Promise<string | null> {
  const names = Array.from(
    migrations.matchAll(/^create table (?:if not exists )?(\w+)/gim),
    ([, name]) => name,
  )
  const { rows } = await client.query(
    `select oid::regclass::text as name from pg_class
     where not has_table_privilege(oid, 'select') and (
       relnamespace = 'public'::regnamespace and relname = any($1)
       or relnamespace = 'pgboss'::regnamespace and relkind in ('r', 'p', 'v'))
     limit 1`,
    [names],
  )
  return rows[0]?.name ?? null
}
