import { type Kysely, sql } from 'kysely'

export type MigrationFile = { name: string; text: string; digest: string }
/** A database without table types: some tables do not exist yet. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own type of a database that is being migrated
export type Unmigrated = Kysely<any>

export async function makeDigestTable(db: Unmigrated): Promise<void> {
  await sql`create table if not exists migration_digests (name text primary key, digest text not null)`.execute(
    db,
  )
}

export async function storeDigest(db: Unmigrated, { name, digest }: MigrationFile): Promise<void> {
  await sql`
    insert into migration_digests (name, digest) values (${name}, ${digest})
    on conflict (name) do update set digest = excluded.digest`.execute(db)
}
