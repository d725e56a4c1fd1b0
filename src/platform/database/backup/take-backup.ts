import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { version } from '../../config/version.ts'
import type { Connection } from '../connection.ts'
import { whileConnected } from '../connections/while-connected.ts'
import { takeLock } from '../migrate/migrate.ts'
import { type BackupRecord, writeBackup } from './backup-file.ts'

type Table = { name: string; columns: string[] }
/** Tables whose rows are left out. */
type Options = { emptyTables?: readonly string[] }
const chunkBytes = 1_048_576

/**
 * Writes all rows as of one snapshot while the service keeps working; only migrations wait. Returns the number of
 * tables and bytes.
 */
export async function takeBackup(
  owner: Connection,
  secrets: Record<string, string>,
  file: string,
  { emptyTables = [] }: Options = {},
): Promise<{ tables: number; bytes: number }> {
  const client = new pg.Client({
    ...owner,
    application_name: 'parvis-backup',
    connectionTimeoutMillis: 10_000,
  })
  const counted = { tables: 0, bytes: 0 }
  async function* counting(records: AsyncIterable<BackupRecord>): AsyncGenerator<BackupRecord> {
    for await (const record of records) {
      if (record.kind === 'table') counted.tables++
      if (record.kind === 'rows') counted.bytes += record.bytes.length
      yield record
    }
  }
  const work = async () => {
    await client.connect()
    await client.query(
      'set search_path to public; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await takeLock(client, { isShared: true })
    await client.query('begin isolation level repeatable read read only')
    await writeBackup(file, counting(recordsOf(client, secrets, emptyTables)))
    await client.query('commit')
    await noteBackup(client, counted.bytes)
    return counted
  }
  return whileConnected(client, work).finally(() => client.end())
}

/** Notes when it was, for the system page. The schema may be older than the table; a backup is one without it. */
async function noteBackup(client: pg.ClientBase, bytes: number): Promise<void> {
  const { rows } = await client.query("select to_regclass('public.last_backup') is not null as is_there")
  if (!rows[0]?.is_there) return
  await client.query(
    `insert into last_backup (made_at, bytes) values (now(), $1)
     on conflict (one) do update set made_at = excluded.made_at, bytes = excluded.bytes`,
    [bytes],
  )
}

async function* recordsOf(
  client: pg.Client,
  secrets: Record<string, string>,
  emptyTables: readonly string[],
): AsyncGenerator<BackupRecord> {
  const { rows: applied } = await client.query(
    'select name, digest from kysely_migration left join migration_digests using (name) order by name',
  )
  const { rows: jobs } = await client.query('select version from pgboss.version')
  const migrations = Object.fromEntries(applied.map(({ name, digest }) => [name, digest]))
  yield { kind: 'backup', made_at: new Date().toISOString(), version, migrations, jobs: jobs[0].version }
  for (const table of await listTables(client)) {
    yield { kind: 'table', ...table }
    if (emptyTables.includes(table.name)) continue
    for await (const bytes of rowsOf(client, table)) yield { kind: 'rows', bytes }
  }
  // Reads sequences last: they advance outside transactions, so their values exceed those in the rows above.
  for (const name of await listSequences(client)) {
    const { rows } = await client.query(`select last_value::text as value, is_called as called from ${name}`)
    yield { kind: 'sequence', name, ...rows[0] }
  }
  yield { kind: 'secrets', secrets }
}

/** Regroups the driver's chunks into pieces of similar size; each becomes a record. */
async function* rowsOf(client: pg.Client, { name, columns }: Table): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`))
  let held: Buffer[] = []
  let size = 0
  for await (const piece of rows as AsyncIterable<Buffer>) {
    held.push(piece)
    size += piece.length
    if (size < chunkBytes) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/**
 * Lists the tables of Parvis and of pg-boss, without those that record migrations: the restore fills these.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', nspname, relname) as name, array(
      select quote_ident(attname) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('public', 'pgboss') and relkind = 'r' and pg_has_role(relowner, 'usage')
      and relname not in ('kysely_migration', 'kysely_migration_lock', 'migration_digests')
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    order by 1`)
  return rows
}

async function listSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname in ('public', 'pgboss') and pg_has_role(sequenceowner, 'usage') order by 1`)
  return rows.map(({ name }) => name)
}
