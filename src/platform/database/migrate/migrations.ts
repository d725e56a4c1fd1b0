import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../../config/start-error.ts'

type MigrationFile = { name: string; text: string; digest: string }
/** A database without table types: some tables do not exist yet. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own type of a database that is being migrated
type Unmigrated = Kysely<any>

/**
 * Applies the numbered SQL files of a folder that are not applied yet, in order, each in its own transaction. Returns
 * their names, and the newest that only a later version knows. Kysely records the names; a digest of each file is stored beside them, because an applied file must not
 * change.
 *
 * A statement that cannot run in a transaction, such as building an index concurrently, goes into a file whose first
 * line is `-- outside a transaction`. Its statements are separated by empty lines and run one by one. After a crash all
 * of them run again, so each must be repeatable: `drop index concurrently if exists …`, then `create index concurrently
 * …`.
 */
export async function applyMigrations(
  db: Unmigrated,
  folder: string,
  patience: LockPatience,
): Promise<{ applied: string[]; later: string | null }> {
  const files = await readMigrations(folder)
  const { pending, later } = await compareMigrations(db, files)
  if (pending.length === 0) return { applied: [], later }
  await sql`create table if not exists migration_digests (name text primary key, digest text not null)`.execute(
    db,
  )
  const migrations = Object.fromEntries(files.map((file) => [file.name, migrationOf(file)]))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  for (const file of pending) await applyNext(db, migrator, file, patience)
  return { applied: pending.map(({ name }) => name), later }
}

async function applyNext(
  db: Unmigrated,
  migrator: Migrator,
  file: MigrationFile,
  patience: LockPatience,
): Promise<void> {
  const { name } = file
  // Statements outside a transaction block no other and would have to start over, so they have no timeout.
  await untilUnlocked(db, { name, timeout: isOutside(file) ? '0' : lockTimeout, ...patience }, async () => {
    const { error } = await migrator.migrateUp({ disableTransactions: isOutside(file) })
    if (error !== undefined) throw error
  })
}

type LockPatience = {
  say: (message: string) => void
  /** For tests: how often it is tried against the same transactions, and what happens between two attempts. */
  tries?: number
  pause?: () => Promise<unknown>
}

/**
 * Applies one migration with a short lock timeout. Every statement behind a waiting lock request waits too,
 * so the migration backs off and retries, as it does when PostgreSQL ends it to resolve a deadlock. It gives up when
 * one of the transactions that had locks at the first attempt still has them at the last: those that end are progress.
 */
async function untilUnlocked(
  db: Unmigrated,
  options: LockPatience & { name: string; timeout: string },
  apply: () => Promise<void>,
): Promise<void> {
  const { name, timeout, say, tries = lockTries, pause = () => sleep(lockPauseMs) } = options
  await sql.raw(`set lock_timeout = '${timeout}'`).execute(db)
  let holders = new Map<string, number | null>()
  for (let attempt = 0, stuck = 1; ; attempt++, stuck++) {
    try {
      await apply()
      break
    } catch (error) {
      if (!isLocked(error)) throw error
      const present = await findLockHolders(db)
      holders = new Map([...holders].filter(([transaction]) => present.has(transaction)))
      if (holders.size === 0) {
        holders = present
        stuck = 1
      }
      const sentence = `The migration ${name} waits for a table that another transaction locks${processes(holders)}`
      if (stuck >= tries) throw new StartError(`${sentence}: end that transaction, and start again.`)
      if (attempt % 10 === 0) say(`${sentence}: waiting`)
      await pause()
    }
  }
  await sql`reset lock_timeout`.execute(db)
}

function processes(holders: Map<string, number | null>): string {
  const names = [...holders.values()].map((pid) => (pid === null ? 'a prepared one' : `process ${pid}`))
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

/** Finds the transactions that have locked tables, which every role may see, and their processes. */
async function findLockHolders(db: Unmigrated): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ transaction: string; pid: number | null }>`
    select distinct virtualtransaction as transaction, pid from pg_locks
    where locktype = 'relation' and granted and pid is distinct from pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and relation >= 16384 -- not those of PostgreSQL itself
    order by pid`.execute(db)
  return new Map(rows.map(({ transaction, pid }) => [transaction, pid]))
}

const lockTimeout = '2s'
const lockPauseMs = 1_000
const lockTries = 60
/** lock_not_available, deadlock_detected */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

/** Returns the files that are not applied yet, and the newest applied migration that only a later version knows, or null. */
export async function compareMigrations(
  db: Unmigrated,
  files: MigrationFile[],
): Promise<{ pending: MigrationFile[]; later: string | null }> {
  const applied = await findApplied(db)
  const first = files[0]?.name
  if (applied.size > 0 && first !== undefined && !applied.has(first))
    throw new StartError(
      `This database was made by Parvis 0.2.0 or earlier, whose migrations this version does not know (it lacks ${first}): docs/operations.md, "Upgrade", says which version brings it here.`,
    )
  const edited = files.find(({ name, digest }) => (applied.get(name) ?? digest) !== digest)
  if (edited !== undefined)
    throw new StartError(
      `The migration ${edited.name} was edited since this database was migrated by it: put it back, and make the change in a new one.`,
    )
  const known = new Set(files.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort()
  for (const name of unknown) {
    const needed = neededBy(name)
    if (needed !== null && !files.some((file) => file.name.startsWith(`${needed}-`)))
      throw new StartError(
        `A later version has migrated this database (${name}) and removed what this version needs: start a version that has the migration ${needed}, or restore the backup from before the upgrade.`,
      )
  }
  const pending = files.filter(({ name }) => !applied.has(name))
  const later = unknown.at(-1) ?? null
  if (later !== null && pending[0] !== undefined)
    throw new StartError(
      `Another version has migrated this database (${later}), without the migration ${pending[0].name} of this one: start a version that has both, or restore a backup from before.`,
    )
  return { pending, later }
}

/** Says that the database was migrated by a later version, on which this one works too. */
export const sentenceOfLater = (later: string) =>
  `A later version has migrated this database (${later}): this version works on it, and does not use what was added`

/**
 * Returns the number at the end of a name such as `0210-drop-motto.needs-0195`, or null: this migration removes
 * something that versions without migration 0195 use. The name is what they can read of it, so they refuse to start.
 */
export const neededBy = (name: string): string | null => /\.needs-(\d{4})$/.exec(name)?.[1] ?? null

/** Reads the files with a digest that does not depend on line endings. */
export async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      const digest = createHash('sha256').update(text).digest('hex')
      return { name: file.slice(0, -'.sql'.length), text, digest }
    }),
  )
}

/**
 * Returns applied migrations with their digests. It may include migrations that only a newer version knows.
 */
async function findApplied(db: Unmigrated): Promise<Map<string, string | null>> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!tables[0]?.found) return new Map()
  const { rows } = await sql<{ name: string; digest: string | null }>`
    select name, digest from kysely_migration left join migration_digests using (name)`.execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

/**
 * Wraps a file as a Kysely migration. The digest is committed with it; outside a transaction it is written before
 * Kysely records completion.
 */
function migrationOf(file: MigrationFile): Migration {
  const statements = isOutside(file) ? file.text.split(/\n\s*\n/) : [file.text]
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db)
      await sql`
        insert into migration_digests (name, digest) values (${file.name}, ${file.digest})
        on conflict (name) do update set digest = excluded.digest`.execute(db)
    },
  }
}

const isOutside = ({ text }: MigrationFile): boolean => text.startsWith('-- outside a transaction\n')
