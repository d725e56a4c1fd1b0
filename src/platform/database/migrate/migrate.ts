import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Database } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { onConnection } from '../connections/on-connection.ts'
import { connectForStart, whileConnected } from '../connections/while-connected.ts'
import { findJobsFault, migrateJobs } from './migrate-jobs.ts'
import { applyMigrations } from './migrations.ts'

export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
/** Number of the migration lock; no other program may use it for an advisory lock in this database. */
export const lockNumber = 7_241_306_552

/**
 * Migrates the schema as its owner. When several instances start together, one migrates and the others wait
 * for the lock and find nothing to do. The lock ends with its connection, so a killed instance releases it.
 * Returns the migrations applied, the newest that only a later version knows, and the result of the seed data load.
 */
export async function migrate<Loaded>(
  owner: Connection,
  serviceRole: string,
  seedData: (db: Database) => Promise<Loaded>,
  folder = migrationsFolder,
  say: (message: string) => void = () => {},
): Promise<{ applied: string[]; later: string | null; loaded: Loaded }> {
  const client = await connectForStart({ ...owner, application_name: 'parvis-migrate' }, say)
  const work = async () => {
    await refuseWithoutRights(client)
    // Creates and finds tables in `public`, whatever the role's search_path is.
    await client.query('set search_path to public')
    await takeLock(client, { say })
    const db = onConnection(client)
    const { applied, later } = await applyMigrations(db, folder, { say })
    // Two statements on most starts: pg-boss would take a connection and eight, 25 ms.
    if ((await findJobsFault(client)) !== null) applied.push(...(await migrateJobs(owner)))
    await grant(client, serviceRole)
    return { applied, later, loaded: await seedData(db) }
  }
  return whileConnected(client, work).finally(() => client.end())
}

/** Returns true if the role owns the tables or, on an empty database, may create them. */
export async function mayMigrate(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
    select coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.first_loads')),
      has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create')
    ) as may`)
  return rows[0].may
}

/** Throws early: a permission error halfway would not name the setting to change. */
async function refuseWithoutRights(client: pg.ClientBase): Promise<void> {
  if (await mayMigrate(client)) return
  const { rows } = await client.query('select current_user as role')
  throw new StartError(
    `The role ${rows[0].role} may not make or change the tables: let MIGRATE_DATABASE_URL name the role that owns the database, and DATABASE_URL the one that serves.`,
  )
}

/** Says that another instance migrates. */
export const sentenceOfOther = 'Another process is migrating the database: waiting'

/** Polls for the lock. A session that waits inside a statement would block a concurrent index build. */
export async function takeLock(
  client: pg.ClientBase,
  { isShared = false, say = (_message: string) => {} } = {},
): Promise<void> {
  for (let looks = 0; ; looks++) {
    const { rows } = await client.query(
      `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1) as taken`,
      [lockNumber],
    )
    if (rows[0].taken) return
    if (looks === 0) say(sentenceOfOther)
    await sleep(100)
  }
}

/** Tables that only the owner writes. */
const ownersOnly = ['kysely_migration', 'migration_digests', 'first_loads', 'audit_archives']

/**
 * Grants the service role its permissions: it reads and writes rows, only appends to the audit log, and
 * cannot change the schema. Repeated at every start, so that an interrupted start needs no repair. Does
 * nothing if owner and service are one role.
 */
async function grant(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query('select current_user as owner')
  if (rows[0].owner === role) return
  const name = pg.escapeIdentifier(role)
  const tables = await listTables(client)
  // A database that was migrated in part has no archives yet.
  const onlyRead = tables.filter((table) => ownersOnly.includes(table))
  await client.query(`
    begin;
    grant usage on schema public, pgboss to ${name};
    grant select, insert, update, delete on ${tables.join(', ')} to ${name};
    revoke insert, update, delete on ${onlyRead.join(', ')} from ${name};
    revoke update, delete on audit_log, audit_seals, audit_seal_faults, audit_verifications, identity_keys, act_seals,
      act_authorities from ${name};
    revoke delete on act_timestamps from ${name};
    revoke insert, delete on pgboss.version from ${name};
    revoke insert, update, delete on pgboss.bam from ${name};
    commit`)
}

/** Lists the tables of Parvis and pg-boss, without those of extensions and Kysely's migration lock. */
async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind in ('r', 'p', 'v')
      and relname <> 'kysely_migration_lock'
      and relowner in (current_user::regrole, (select relowner from pg_class where oid = 'first_loads'::regclass))
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`)
  return rows.map((row) => row.name)
}
