import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { cloneDatabase, run } from '../../../test/support/world.ts'
import { connect } from '../database/connect.ts'
import type { Connection } from '../database/connection.ts'
import { createJobs } from './jobs.ts'
import type { Timing } from './timing.ts'

/** Short intervals for tests. */
export const hurry: Timing = {
  pollSeconds: 0.5,
  touchSeconds: 0.3,
  superviseSeconds: 0.5,
  calmSeconds: 2,
  cronSeconds: 1,
  graceMs: 1_000,
}

export async function jobsDatabase() {
  const database = await cloneDatabase()
  onTestFinished(async () => {
    await database.drop()
  })
  await asOwner(database.owner, async (client) => {
    await client.query(`
      create table runs (job uuid, worker text, began timestamptz default clock_timestamp(), ended timestamptz);
      create table held (job uuid);
      grant all on runs, held to ${database.service.user}`)
  })
  return database
}

export async function asOwner(owner: Connection, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(owner)
  await client.connect()
  await work(client).finally(() => client.end())
}

/** Runs `during` while the database has no connections and refuses new ones. */
export async function withoutDatabase({ name }: { name: string }, during: () => Promise<unknown>) {
  const { superuser } = inject('server')
  await run(superuser, `alter database ${name} allow_connections false`)
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await until('nobody is connected', async () => (await run(superuser, cut)).rowCount === 0)
  await during().finally(() => run(superuser, `alter database ${name} allow_connections true`))
}

/** Opens one instance's jobs with the service role. */
export function openJobs(connection: Connection, timing: Partial<Timing> = {}) {
  const log = recordingLog()
  const { db, pools, close } = connect(connection, log, { timeoutMs: 3_000 })
  const pool = pools.jobs
  const jobs = createJobs({ db, pool, log }, { ...hurry, ...timing })
  onTestFinished(async () => {
    await jobs.stop()
    await close()
  })
  return { jobs, db, pool, log, stored: (name: string) => stored(db, name) }
}

type StoredJob = {
  id: string
  state: string
  retry_count: number
  waits: number
  /** Measured from the start of its last attempt. */
  waits_since_start: number
  retry_limit: number
  output: { message?: string } | null
  source_name: string | null
  source_output: object | null
  started_on: Date | null
}

async function stored(db: ReturnType<typeof connect>['db'], name: string): Promise<StoredJob[]> {
  const { rows } = await sql<StoredJob>`
    select *, extract(epoch from start_after - now())::float8 as waits,
      extract(epoch from start_after - started_on)::float8 as waits_since_start
    from pgboss.job where name = ${name} order by created_on`.execute(db)
  return rows
}

export function recordingLog() {
  const lines: { level: string; message: string; [key: string]: unknown }[] = []
  const write = (level: string) => (about: object, message: string) => {
    lines.push({ ...about, level, message })
  }
  return { lines, warn: write('warn') as pino, error: write('error') as pino }
}
type pino = Parameters<typeof createJobs>[0]['log']['warn']

export async function until(what: string, holds: () => unknown, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await sleep(20)
  }
}

/** Starts a process that runs jobs from this script until a test kills it. Its arguments: database, timing, `more`. */
export async function startWorker(
  script: URL,
  connection: Connection,
  more: string[] = [],
): Promise<ChildProcess> {
  const words = [fileURLToPath(script), JSON.stringify(connection), JSON.stringify(hurry), ...more]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child
}
