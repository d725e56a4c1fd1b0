import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../../config/start-error.ts'
import type { Connection } from '../connection.ts'
import { whileConnected } from '../connections/while-connected.ts'
import { migrate, migrationsFolder } from '../migrate/migrate.ts'
import { readMigrations } from '../migrate/migrations.ts'
import { roleOf } from '../open.ts'
import { type BackupRecord, readBackup } from './backup-file.ts'
import { listTables } from './take-backup.ts'

type Header = Extract<BackupRecord, { kind: 'backup' }>
export type BackupSummary = { header: Header; secrets: Record<string, string> }
type Roles = Record<'owner' | 'service' | 'superuser', Connection & { database?: string | undefined }>

/** Reads the whole file without writing: checks that it is intact and that this version can restore it. */
export async function checkBackup(file: string, folder = migrationsFolder): Promise<BackupSummary> {
  let header: Header | null = null
  let secrets: Record<string, string> = {}
  for await (const record of readBackup(file)) {
    if (record.kind === 'backup') header = record
    if (record.kind === 'secrets') secrets = record.secrets
  }
  if (header === null) throw new StartError(`${file} is not a complete backup (it is empty).`)
  const files = await readMigrations(folder)
  const known = new Map(files.map(({ name, digest }) => [name, digest]))
  const unknown = Object.entries(header.migrations).find(([name, digest]) => known.get(name) !== digest)
  if (unknown !== undefined)
    throw new StartError(
      `${file} was made by Parvis ${header.version}, which has another migration ${unknown[0]}: restore it with that version.`,
    )
  return { header, secrets }
}

/**
 * Restores into an empty database: creates the tables with the backup's schema, then loads all rows in one
 * transaction. The next start applies later migrations.
 */
export async function restoreBackup({ owner, service, superuser }: Roles, file: string): Promise<void> {
  const { header } = await checkBackup(file)
  await migrateTo(Object.keys(header.migrations), { owner, service })
  // Triggers would refuse the rows or change their timestamps. Only a superuser may disable them.
  const client = new pg.Client({ ...superuser, database: owner.database, application_name: 'parvis-restore' })
  const work = async () => {
    await client.connect()
    await client.query(`begin; set local session_replication_role = replica; set local statement_timeout = 0;
      set local maintenance_work_mem = '256MB'`)
    await refuseOtherJobs(client, header)
    const tables = (await listTables(client)).map(({ name }) => name)
    await client.query(`truncate ${tables.join(', ')}`)
    const indexes = await dropIndexes(client)
    await putBack(client, file, tables)
    for (const index of indexes) await client.query(index)
    await client.query('commit; analyze')
  }
  await whileConnected(client, work).finally(() => client.end())
}

/**
 * Drops the indexes that no constraint needs, and returns the statements that create them: with each built once over all
 * rows, a restore takes half the time.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = indexrelid)
     order by indrelid, indexrelid`,
  )
  await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`)
  return rows.map(({ definition }) => definition)
}

async function putBack(client: pg.Client, file: string, tables: string[]): Promise<void> {
  let copy: Copy | null = null
  for await (const record of readBackup(file)) {
    if (record.kind === 'rows') {
      await (copy ?? refuseStray(file)).write(record.bytes)
      continue
    }
    await copy?.end()
    copy = null
    if (record.kind === 'table') {
      const { name, columns } = record
      if (!tables.includes(name)) throw new StartError(`There is no table ${name} to restore into.`)
      copy = copyInto(
        client,
        `copy ${name} (${columns.join(', ')}) from stdin`,
        (reason) => new StartError(`${file} cannot be restored: ${reason} (table ${name}).`),
      )
    }
    if (record.kind === 'sequence')
      await client.query('select setval($1::regclass, $2, $3)', [record.name, record.value, record.called])
  }
  await copy?.end()
}

type Copy = { write(bytes: Buffer): Promise<void>; end(): Promise<void> }

/**
 * Starts a COPY. Its stream neither calls back a write nor finishes once PostgreSQL has refused the statement or a row, so
 * every wait also ends with its error.
 */
function copyInto(client: pg.Client, statement: string, failureOf: (reason: string) => Error): Copy {
  const stream = client.query(copyFrom(statement))
  const failed = new Promise<never>((_resolve, reject) => {
    stream.on('error', ({ message }: Error) => reject(failureOf(message)))
  })
  failed.catch(() => {})
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve) => {
      stream.write(bytes, (error) => {
        if (!error) resolve()
      })
    })
  const end = () => new Promise<void>((resolve) => stream.on('finish', resolve).end())
  return {
    write: (bytes) => Promise.race([failed, write(bytes)]),
    end: () => Promise.race([failed, end()]),
  }
}

const refuseStray = (file: string): never => {
  throw new StartError(`${file} is not a complete backup (rows without a table).`)
}

/** Migrates exactly to the schema of the backup. */
async function migrateTo(
  names: string[],
  { owner, service }: Pick<Roles, 'owner' | 'service'>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parvis-migrations-'))
  try {
    for (const name of names) await cp(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`))
    await migrate(owner, roleOf(service), async () => {}, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function refuseOtherJobs(client: pg.Client, { jobs, version }: Header): Promise<void> {
  const { rows } = await client.query('select version from pgboss.version')
  if (rows[0].version !== jobs)
    throw new StartError(
      `The backup has job tables of another pg-boss version: restore it with Parvis ${version}, which made it.`,
    )
}
