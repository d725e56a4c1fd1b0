import { sql } from 'kysely'
import { keepDigest, type MigrationFile, makeDigestTable, type Unmigrated } from './migration-digests.ts'

/**
 * What node-pg-migrate has applied, before Kysely took its place, is noted as Kysely does, all or nothing. Which text it
 * had is not known any more: it counts as the present one.
 */
export async function adoptMigrations(db: Unmigrated, files: MigrationFile[]): Promise<void> {
  if (!(await isMarked(db))) return
  await db.transaction().execute(async (tx) => {
    // Another program's table may look the same: what it notes tells.
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
    const ours = files.filter((file) => rows.some(({ name }) => name === file.name))
    if (ours.length === 0) return
    await makeDigestTable(tx)
    for (const file of ours) await keepDigest(tx, file)
    await sql`
      create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      tx,
    )
    // Kysely reads the order off the times, whatever a clock did meanwhile.
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
