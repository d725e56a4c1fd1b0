import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openCluster, removeCluster } from '../../src/embedded-postgres/cluster/cluster.ts'
import { serverSettings } from '../../src/embedded-postgres/cluster/settings.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import { migrate } from '../../src/platform/database/migrate/migrate.ts'
import { processorMsOf } from './proc-stat.ts'
import { makeSeenFolder, removeSeenFolder, unseenResponses } from './responses/seen-responses.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run and the migrated database that each test file clones. */
    server: { superuser: Connection; owner: Connection; service: Connection; template: string }
    /** Where workers lock what only one of them makes. It leads to no database of a test. */
    locks: Connection
    /** The data folder that process tests copy, once one of them has created it. */
    filled: string
    /** Folder in which workers record the responses of each route. */
    answered: string
  }
}

type Server = { superuser: Connection; owner: Connection; service: Connection; close(): Promise<void> }

/** One PostgreSQL per run: DATABASE_URL's or the embedded one, with one migrated template. */
export default async function setup(project: TestProject) {
  const { superuser, owner, service, close } = process.env.DATABASE_URL
    ? await externalServer(process.env.DATABASE_URL)
    : await embeddedServer()
  const template = `parvis_template_${randomBytes(4).toString('hex')}`
  await as(superuser, `create database ${template} owner ${owner.user}`)
  await migrate({ ...owner, database: template }, service.user ?? '', async () => {})
  await as({ ...owner, database: template }, noAutovacuum)
  project.provide('server', { superuser, owner, service, template })
  project.provide('locks', superuser)
  const filled = makeFilledFolder()
  project.provide('filled', filled)
  const answered = makeSeenFolder()
  project.provide('answered', answered)
  return async () => {
    const databases = await databasesLike(superuser, template)
    for (const name of databases) await as(superuser, `drop database ${name} with (force)`)
    await close()
    await removeFilled(filled)
    const left = databases.filter((name) => name !== template && !name.startsWith(`${template}_fill`))
    if (left.length > 0)
      throw new Error(`${left.length} databases were left behind by the tests that made them`)
    const unseen = isWhole(project)
      ? unseenResponses(answered, JSON.parse(readFileSync('docs/openapi.json', 'utf8')))
      : []
    removeSeenFolder(answered)
    if (unseen.length > 0) throw new Error(`No test has seen these answers:\n${unseen.join('\n')}`)
  }
}

/** Root's PostgreSQL belongs to another user. */
function makeFilledFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-filled-'))
  chmodSync(folder, 0o755)
  return folder
}

async function removeFilled(folder: string): Promise<void> {
  const dataDir = join(folder, 'data')
  if (existsSync(dataDir)) await removeCluster(dataDir, clusterNames)
  rmSync(folder, { recursive: true })
}

/** True when every file ran with all its tests: in one round, or in the last of those that share what they have seen. */
const isWhole = ({ vitest, config }: TestProject) =>
  process.env.PARVIS_TEST_ROUND === (process.env.PARVIS_TEST_SEEN === undefined ? 'all' : 'rest') &&
  config.testNamePattern === undefined &&
  vitest.state.getPaths().length === globSync(config.include, { cwd: config.root }).length

/** Keeps statistics as tests leave them: no ANALYZE and no visibility map update in between. */
const noAutovacuum = `
  do $$ declare own regclass; begin
    for own in select oid from pg_class where relkind = 'r' and pg_get_userbyid(relowner) = current_user
    loop execute format('alter table %s set (autovacuum_enabled = false)', own); end loop;
  end $$`

async function databasesLike(connection: Connection, prefix: string): Promise<string[]> {
  const { rows } = await as(
    connection,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  )
  return rows.map(({ datname }) => datname)
}

async function embeddedServer(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parvis-test-'))
  // PostgreSQL of root runs as another user: it enters, so that the cluster lies here.
  chmodSync(dataDir, 0o755)
  const cluster = await openCluster({ dataDir, names: clusterNames, durable: false, log: () => {} })
  return {
    ...cluster,
    close: async () => {
      printProcessorTime(join(dataDir, 'postgres/data/postmaster.pid'))
      await cluster.stop()
      await removeCluster(dataDir, clusterNames)
    },
  }
}

/** What the server and its backends took, those of this run that have ended and those that have not. */
function printProcessorTime(pidFile: string): void {
  if (process.platform !== 'linux') return
  const [pid = ''] = readFileSync(pidFile, 'utf8').split('\n')
  const live = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const ms = [pid, ...live].reduce((sum, one) => sum + processorMsOf(one), 0)
  process.stdout.write(`Processor time of PostgreSQL: ${(ms / 1_000).toFixed(1)} s\n`)
}

async function externalServer(url: string): Promise<Server> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  const superuser = {
    host,
    port,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
  }
  for (const role of ['parvis_test_owner', 'parvis_test_service']) await as(superuser, makeRole(role))
  const enterAs = (role: string) => ({ ...superuser, user: role, password: role, options: likeEmbedded })
  return {
    superuser,
    owner: enterAs('parvis_test_owner'),
    service: enterAs('parvis_test_service'),
    close: async () => {},
  }
}

/** Makes the planner decide as on the embedded server, and a commit wait for no disk. */
const likeEmbedded = ['random_page_cost', 'work_mem', 'jit', 'max_parallel_workers_per_gather']
  .map((name) => `-c ${name}=${serverSettings(false)[name]}`)
  .concat('-c synchronous_commit=off')
  .join(' ')

/** Does nothing when the role exists, also for two concurrent runs. */
const makeRole = (role: string) => `
  do $$ begin create role ${role} login password '${role}';
  exception when duplicate_object or unique_violation then null; end $$`

async function as(connection: Connection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(statement).finally(() => client.end())
}
