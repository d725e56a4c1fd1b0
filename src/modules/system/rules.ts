import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { version } from '../../platform/config/version.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Text } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { deadLetters } from '../../platform/jobs/boss.ts'
import type { Deps } from '../../platform/module.ts'
import { noAddress } from './errors.ts'
import { testMail } from './mail.ts'
import type { PartName, Parts, System, TestMail } from './schema.ts'
import { listTransports } from './transports.ts'

type Tools = Pick<Deps, 'reads' | 'config' | 'modules' | 'log'>

/** Describes the installation. A part that cannot be read is null and named in `failed`. */
export async function describeSystem(
  { reads, config, modules, log }: Tools,
  language: keyof Text,
): Promise<System> {
  const isOurs = config.databaseUrl === null
  const readers: { [Name in PartName]: () => Promise<Parts[Name]> } = {
    instances: () => listInstances(reads),
    database: async () => ({ ...(await readDatabase(reads)), is_embedded: isOurs }),
    jobs: () => readJobs(reads, deadLetters),
    transports: () => listTransports(reads, modules, language),
    backup: async () => ({ is_ours: isOurs, made_at: null, bytes: null, ...(await findLastBackup(reads)) }),
    disk: () => readDisk(config.dataDir),
  }
  const names = Object.keys(readers) as PartName[]
  const read = await Promise.all(
    names.map(async (name) => [name, await orNull<Parts[PartName]>(readers[name], log)] as const),
  )
  const settings_off = modules
    .flatMap(({ settings }) => settings?.off ?? [])
    .filter(({ isOff }) => isOff(config))
    .map(({ setting, effect, isAdvised, docs }) => ({
      ...{ setting, docs },
      effect: effect[language],
      is_advised: isAdvised,
    }))
    .sort((one, other) => Number(other.is_advised) - Number(one.is_advised))
  return {
    version,
    node: process.versions.node,
    failed: read.flatMap(([name, part]) => (part === null ? name : [])),
    ...(Object.fromEntries(read) as unknown as Parts),
    mail: config.mail.url === null ? 'files' : 'smtp',
    settings_off,
  }
}

async function orNull<Part>(read: () => Promise<Part>, log: FastifyBaseLogger): Promise<Part | null> {
  try {
    return await read()
  } catch (err) {
    log.warn({ err }, 'a part of the system page could not be read')
    return null
  }
}

/** Reads the space on the folder's disk. It may not exist: with an external database, nothing may need it. */
async function readDisk(folder: string): Promise<Parts['disk']> {
  if (!existsSync(folder)) return readDisk(dirname(folder))
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

const answerMs = 15_000

/** Sends a mail to the caller and returns what the mail server said, or `uncertain` after 15 s. */
export async function sendTestMail(
  { reads, config, mailer }: Pick<Deps, 'reads' | 'config' | 'mailer'>,
  { user }: SignedIn,
): Promise<TestMail> {
  const { email = null, langue = 'fr' } = (await findAddress(reads, user.id)) ?? {}
  if (email === null) throw noAddress()
  const { mail, publicUrl: url } = config
  const delivery = mail.url === null ? 'files' : 'smtp'
  const late = new AbortController()
  const outcome = await Promise.race([
    mailer.send(testMail({ id: uuidv7(), to: email, from: mail.from, langue, url })),
    sleep(answerMs, null, { signal: late.signal }).catch(() => null),
  ])
  late.abort()
  if (outcome === null) return { status: 'uncertain', delivery, error: null }
  return { status: outcome.status, delivery, error: outcome.status === 'sent' ? null : outcome.error }
}

type Read<Name extends keyof Parts> = Promise<NonNullable<Parts[Name]>>

/** Lists the instances by the connections on which they listen for changes. */
async function listInstances(db: Database): Read<'instances'> {
  const { rows } = await sql<NonNullable<Parts['instances']>[number]>`
    select nullif(substring(application_name from '^parvis-changes ([^ ]+)'), '') as version,
      coalesce(substring(application_name from ' jobs=(off|only)$'), 'on') as jobs,
      backend_start as connected_at
    from pg_stat_activity
    where datname = current_database() and application_name like 'parvis-changes%'
    order by connected_at limit 100`.execute(db)
  return rows
}

async function readDatabase(db: Database): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0] ?? { version: '', bytes: 0 }
}

/** Counts to a limit, so that a flood of jobs does not slow the page. */
async function readJobs(db: Database, deadLetters: string): Read<'jobs'> {
  const { rows } = await sql<NonNullable<Parts['jobs']>>`
    with due as materialized (
      select start_after from pgboss.job
      where name <> ${deadLetters} and state < 'active' and (start_after <= now() or retry_count > 0) limit 1000),
    dead as materialized (
      select from pgboss.job where name = ${deadLetters} and state < 'completed' limit 1000)
    select (select count(*) from due)::int as waiting, (select min(start_after) from due) as oldest_at,
      (select count(*) from dead)::int as failed`.execute(db)
  return rows[0] ?? { waiting: 0, oldest_at: null, failed: 0 }
}

async function findLastBackup(db: Database): Promise<{ made_at: Date; bytes: number } | null> {
  const { rows } = await sql<{ made_at: Date; bytes: number }>`
    select made_at, bytes from last_backup`.execute(db)
  return rows[0] ?? null
}

async function findAddress(
  db: Database,
  userId: string,
): Promise<{ email: string | null; langue: 'fr' | 'en' } | null> {
  const { rows } = await sql<{ email: string | null; langue: 'fr' | 'en' }>`
    select email, langue from users where id = ${userId}`.execute(db)
  return rows[0] ?? null
}
