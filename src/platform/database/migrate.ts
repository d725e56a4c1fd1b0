import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect } from 'kysely'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { migrateJobs } from '../jobs/migrate-jobs.ts'
import { StartError } from '../start-error.ts'
import type { Connection, Database } from './connect.ts'
import type { DB } from './types.generated.ts'
import { whileConnected } from './while-connected.ts'

const folder = fileURLToPath(new URL('migrations', import.meta.url))
// Any number that no other program uses for an advisory lock in this database.
const lockNumber = 7_241_306_552

/**
 * Brings the database to the present shape, as its owner. Several instances may start at once: one works, the others
 * wait for the lock and find nothing left to do. The lock goes with its connection, so a killed one frees the next.
 */
export async function migrate<Loaded>(
  owner: Connection,
  serviceRole: string,
  firstLoads: (db: Database) => Promise<Loaded>,
): Promise<Loaded> {
  const client = new pg.Client({
    ...owner,
    application_name: 'parvis-migrate',
    connectionTimeoutMillis: 10_000,
  })
  const work = async () => {
    await client.connect()
    await refuseWithoutRights(client)
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      logger: quiet,
    })
    await migrateJobs(owner)
    await grant(client, serviceRole)
    return firstLoads(borrowed(client))
  }
  return whileConnected(client, work).finally(() => client.end())
}

/** Asked before: the runner of the migrations tells what PostgreSQL refuses in words of its own, without the code. */
async function refuseWithoutRights(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`
    select current_user as role, coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.migrations')),
      has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create')
    ) as may_migrate`)
  if (rows[0].may_migrate) return
  throw new StartError(
    `The role ${rows[0].role} may not make or change the tables: let MIGRATE_DATABASE_URL name the role that owns the database, and DATABASE_URL the one that serves.`,
  )
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * The service reads and writes rows; the shape of the tables stays the owner's, and the trail only grows. Given at every
 * start, so that a start killed half-way needs no repair. An owner that is the service too has its rights already.
 */
async function grant(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query('select current_user as owner')
  if (rows[0].owner === role) return
  const name = pg.escapeIdentifier(role)
  await client.query(`
    begin;
    grant usage on schema public, pgboss to ${name};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${name};
    revoke insert, update, delete on migrations, first_loads from ${name};
    revoke update, delete on audit_log from ${name};
    revoke insert, delete on pgboss.version from ${name};
    revoke insert, update, delete on pgboss.bam from ${name};
    commit`)
}

/** Queries on the connection that holds the lock. */
function borrowed(client: pg.Client): Database {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as pg.PoolClient
  const pool = { options: {}, connect: async () => lent, end: async () => {} }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
