import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import openapiTypes, { astToString } from 'openapi-typescript'
import { buildApp, modules } from '../src/app.ts'
import { openCluster, removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import { connect } from '../src/platform/database/connect.ts'
import { ownConnections } from '../src/platform/database/connections/own-connection.ts'
import { migrate } from '../src/platform/database/migrate/migrate.ts'
import { createJobs } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createMailer } from '../src/platform/mail/mailer.ts'
import { createClient } from '../test/support/client.ts'
import { factories, jwtSecret, signingSecret } from '../test/support/factories.ts'
import { callsOfEachModule, openStage } from '../test/support/route-calls.ts'
import { written } from './drift.ts'
import { dumpSchema } from './dump-schema.ts'
import { describeQueries, watchStatements } from './queries.ts'
import { describeRights } from './rights.ts'

/**
 * Writes what is derived from the code and committed: the database's types and schema, the OpenAPI document and
 * the types of a client made of it, who may call which route, and the statements that each sends. With `--check` writes
 * nothing, and fails where a committed file is not what it should be.
 */
const files = {
  types: 'src/platform/database/types.generated.ts',
  schema: 'src/platform/database/schema.generated.sql',
  openapi: 'docs/openapi.json',
  client: 'test/stories/api.generated.ts',
  rights: 'docs/rights.md',
  queries: 'docs/queries.md',
}
const statementsOf = watchStatements()
const asked = { check: process.argv.includes('--check') }
const dataDir = mkdtempSync(join(tmpdir(), 'parvis-generate-'))
const cluster = await openCluster({ dataDir, names: clusterNames, durable: false, log: () => {} })
try {
  await migrate(cluster.owner, cluster.service.user, async () => {})
  const drifted = [
    written(files.types, generateTypes(), asked),
    written(files.schema, await dumpSchema(cluster.owner), asked),
    ...(await generateFromApp()),
  ].flat()
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
  execFileSync('kysely-codegen', [...options, ...only], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(out, 'utf8')
}

async function generateFromApp(): Promise<string[][]> {
  const log = createLog('silent')
  const config = readConfig(modules, { AUTH_JWT_SECRET: jwtSecret, PAYMENT_SIGNING_SECRETS: signingSecret })
  // A busy machine is slow: that changes nothing of what is written here.
  const { pools, close, ...databases } = connect(cluster.service, log, { patienceMs: 60_000 })
  const { db } = databases
  const jobs = createJobs({ db, pool: pools.jobs, log })
  const mailer = createMailer({ ...config.mail, outboxDir: dataDir })
  const routes: RouteOptions[] = []
  const watchRoutes = (route: RouteOptions) => {
    if (route.method !== 'HEAD') routes.push(route)
  }
  const onOwnConnection = ownConnections(cluster.service)
  const deps = { config, db, onOwnConnection, log, clock: systemClock, jobs, mailer, modules }
  const app = await buildApp({ ...deps, ...databases, watchRoutes, maxEventLoopDelayMs: 0 })
  const document = JSON.stringify(app.server.swagger(), null, 2)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const client = (call: Parameters<typeof createClient>[2]) => createClient(url, () => {}, call)
  const calls = await callsOfEachModule(await openStage({ ...factories(db), db, client }))
  // Nobody is seen for the first time: that is noted once in five minutes.
  await db.updateTable('users').set({ last_seen_at: new Date() }).execute()
  const queries = await describeQueries(calls, statementsOf)
  await app.server.close()
  await close()
  return [
    written(files.openapi, `${document}\n`, asked),
    written(files.client, astToString(await openapiTypes(document)), asked),
    written(files.rights, describeRights(routes, modules), asked),
    written(files.queries, queries, asked),
  ]
}
