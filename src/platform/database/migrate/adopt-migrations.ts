import { sql } from 'kysely'
import { type MigrationFile, makeDigestTable, storeDigest, type Unmigrated } from './migration-digests.ts'

/**
 * Records the migrations that node-pg-migrate applied in Kysely's format, all or none. Their original text is
 * unknown, so it stores the digests of the present files.
 */
export async function adoptMigrations(db: Unmigrated, files: MigrationFile[]): Promise<void> {
  if (!(await isMarked(db))) return
  await db.transaction().execute(async (tx) => {
    // Another program's table may have the same shape; the recorded names tell them apart.
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
    const ours = files.filter((file) => rows.some(({ name }) => name === file.name))
    if (ours.length === 0) return
    await makeDigestTable(tx)
    for (const file of ours) await storeDigest(tx, file)
    await sql`
      create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      tx,
    )
    // Kysely orders by timestamp, so the timestamps must be in order even if the clock was not.
    await sql`
      insert into kysely_migration (name, timestamp)
      select name, to_char(
        max(run_on::timestamptz) over (order by id) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      from migrations`.execute(tx)
    await sql`drop table migrations`.execute(tx)
  })
}

async function isMarked(db: Unmigrated): Promise<boolean> {
  const { rows } = await sql<{ marked: boolean }>`
    select to_regclass('kysely_migration') is null and exists (
      select from pg_class join pg_attribute on attrelid = pg_class.oid
      where pg_class.oid = to_regclass('migrations') and attname = 'run_on' and pg_has_role(relowner, 'usage')
    ) as marked`.execute(db)
  return rows[0]?.marked ?? false
}
