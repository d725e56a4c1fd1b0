import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { buildApp, modules } from '../src/app.ts'
import { openCluster, removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import { connect } from '../src/platform/database/connect.ts'
import { ownConnections } from '../src/platform/database/connections/own-connection.ts'
import { migrate } from '../src/platform/database/migrate/migrate.ts'
import { createJobs } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createMailer } from '../src/platform/mail/mailer.ts'
import { systemClock } from '../src/platform/time/clock.ts'
import { createClient } from '../test/support/client.ts'
import { factories, jwtSecret, sessionKey, signingSecret } from '../test/support/factories.ts'
import { nameServer } from '../test/support/name-server.ts'
import { callsByModule, openStage } from '../test/support/route-calls.ts'
import { clientTypes } from './client/types.ts'
import { compactJson } from './compact-json.ts'
import { writeFile, written } from './drift.ts'
import {
  describeStatements,
  listStatements,
  misplacedReads,
  queriesFolder,
  watchStatements,
} from './queries.ts'
import { describeRights } from './rights.ts'

/**
 * Writes what is generated: the types of the database and of the client, and the statements of each route, which git
 * ignores; the OpenAPI document and the permissions, which are committed. With `--check` fails when a committed file is
 * outdated, instead of writing it.
 */
const files = {
  types: 'src/platform/database/types.generated.ts',
  openapi: 'docs/openapi.json',
  client: 'web/src/api/api.generated.ts',
  rights: 'docs/rights.md',
}
const statements = watchStatements()
const asked = { check: process.argv.includes('--check') }
const dataDir = mkdtempSync(join(tmpdir(), 'parvis-generate-'))
const cluster = await openCluster({ dataDir, names: clusterNames, durable: false, log: () => {} })
try {
  await migrate(cluster.owner, cluster.service.user, async () => {})
  writeFile(files.types, generateTypes())
  const drifted = (await generateFromApp()).flat()
  if (drifted.length > 0) {
    console.error(`Not up to date: ${drifted.join(', ')}. Run "npm run generate" and commit the result.`)
    process.exitCode = 1
  }
} finally {
  await cluster.stop()
  await removeCluster(dataDir, clusterNames)
}

function generateTypes(): string {
  const { host, port, user, password, database } = cluster.owner
  const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const out = join(dataDir, 'types.ts')
  const options = ['--dialect', 'postgres', '--url', url, '--out-file', out, '--date-parser', 'string']
  const only = [
    '--default-schema',
    'public',
    '--include-pattern',
    'public.*',
    '--exclude-pattern',
    'public.migration_digests',
  ]
  const codegen = join(import.meta.dirname, '../node_modules/.bin/kysely-codegen')
  execFileSync(process.execPath, [codegen, ...options, ...only], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(out, 'utf8')
}

async function generateFromApp(): Promise<string[][]> {
  const log = createLog('silent')
  const config = readConfig(modules, {
    AUTH_JWT_SECRET: jwtSecret,
    PAYMENT_SIGNING_SECRETS: signingSecret,
    SESSION_KEY: sessionKey,
    DOMAIN_NAME_SERVERS: await nameServer(),
  })
  // A slow machine must not change the output.
  const { pools, close, ...databases } = connect(cluster.service, log, {
    timeoutMs: 60_000,
    maxPrepared: 10_000,
  })
  statements.names(pools)
  const { db } = databases
  const jobs = createJobs({ db, pool: pools.jobs, log })
  const mailer = createMailer({ ...config.mail, outboxDir: dataDir })
  const routes: RouteOptions[] = []
  const watchRoutes = (route: RouteOptions) => {
    if (route.method !== 'HEAD') routes.push(route)
  }
  const onOwnConnection = ownConnections(cluster.service)
  const deps = { config, ...databases, onOwnConnection, log, clock: systemClock, jobs, mailer, modules }
  const app = await buildApp({ ...deps, watchRoutes, maxEventLoopDelayMs: 0 })
  const document = JSON.stringify(app.server.swagger())
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const client = (call: Parameters<typeof createClient>[2]) => createClient(url, () => {}, call)
  const calls = await callsByModule(await openStage({ ...factories(db), db, client, database: cluster }))
  // Sets every last visit to now, so that no statement records one.
  await db.updateTable('users').set({ last_seen_at: new Date() }).execute()
  const listed = await listStatements(calls, statements)
  await app.server.close()
  await close()
  const misplaced = misplacedReads([...listed.values()].flat(), new Set(listsOf(routes)))
  if (misplaced.length > 0)
    throw new Error(`Lists use \`lists\`, other reads \`reads\`: ${misplaced.join('; ')}`)
  writeFile(files.client, await clientTypes(document))
  rmSync(queriesFolder, { recursive: true, force: true })
  for (const [file, content] of Object.entries(describeStatements(listed))) writeFile(file, content)
  return [
    written(files.openapi, `${compactJson(JSON.parse(document))}\n`, asked),
    written(files.rights, describeRights(routes, modules), asked),
  ]
}

function listsOf(routes: RouteOptions[]): string[] {
  const lists = routes.filter(({ config }) => config?.load === 'list')
  return lists.map(({ url }) => `GET ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`)
}
