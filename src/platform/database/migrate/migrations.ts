import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../../start-error.ts'
import { adoptMigrations } from './adopt-migrations.ts'
import { keepDigest, type MigrationFile, makeDigestTable, type Unmigrated } from './migration-digests.ts'

/**
 * Applies the numbered SQL files of a folder that are not applied yet, in their order, each in a transaction of its own;
 * answers which. Kysely notes their names; beside them stand the digests of the files, for a file that is applied stays
 * as it is.
 *
 * What cannot be done in a transaction, as building an index concurrently, has a file whose first line is
 * `-- outside a transaction`. Its statements stand apart by empty lines and run one by one. After a crash all of them
 * run again, so each must bear that: `drop index concurrently if exists …`, then `create index concurrently …`.
 */
export async function applyMigrations(db: Unmigrated, folder: string): Promise<string[]> {
  const files = await readMigrations(folder)
  await adoptMigrations(db, files)
  const pending = await listPending(db, files)
  if (pending.length === 0) return []
  await makeDigestTable(db)
  const migrations = Object.fromEntries(files.map((file) => [file.name, migrationOf(file)]))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  for (const file of pending) await applyNext(db, migrator, file)
  return pending.map(({ name }) => name)
}

/**
 * Whoever comes after one that waits for a table waits behind it: so it waits a moment, steps back, and tries again. What
 * is done outside a transaction stands in nobody's way, and would have to begin anew.
 */
async function applyNext(db: Unmigrated, migrator: Migrator, file: MigrationFile): Promise<void> {
  await sql.raw(`set lock_timeout = '${isOutside(file) ? 0 : lockPatience}'`).execute(db)
  for (let tries = 1; ; tries++) {
    const { error } = await migrator.migrateUp({ disableTransactions: isOutside(file) })
    if (error === undefined) break
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
    if (tries === lockTries)
      throw new StartError(
        `The migration ${file.name} waits for a table that somebody holds: end the transaction that does, and start again.`,
      )
    await sleep(lockPauseMs)
  }
  await sql`reset lock_timeout`.execute(db)
}

const lockPatience = '2s'
const lockPauseMs = 1_000
const lockTries = 60
const lockNotAvailable = '55P03'

/** Those of the files that are not applied yet. */
export async function listPending(db: Unmigrated, files: MigrationFile[]): Promise<MigrationFile[]> {
  const applied = await findApplied(db)
  const edited = files.find(({ name, digest }) => (applied.get(name) ?? digest) !== digest)
  if (edited !== undefined)
    throw new StartError(
      `The migration ${edited.name} was edited since this database was migrated by it: put it back, and make the change in a new one.`,
    )
  return files.filter(({ name }) => !applied.has(name))
}

/** However git wrote the ends of the lines here, a file has one digest. */
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

/** With their digests. Some may be unknown here, for an instance of the version before starts on these tables too. */
async function findApplied(db: Unmigrated): Promise<Map<string, string | null>> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!tables[0]?.found) return new Map()
  const { rows } = await sql<{ name: string; digest: string | null }>`
    select name, digest from kysely_migration left join migration_digests using (name)`.execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

/** The digest commits with the migration; outside a transaction, before Kysely notes that the migration is done. */
function migrationOf(file: MigrationFile): Migration {
  const statements = isOutside(file) ? file.text.split(/\n\s*\n/) : [file.text]
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db)
      await keepDigest(db, file)
    },
  }
}

const isOutside = ({ text }: MigrationFile): boolean => text.startsWith('-- outside a transaction\n')
