import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { buildApp, modules } from './app.ts'
import { greeting } from './greeting.ts'
import { makeSignInLink } from './modules/sign-in/operator/rules.ts'
import { grantAndSign } from './modules/users/tokens.ts'
import { identityDigests, type LoadDigests } from './platform/access/erased-identities.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, readConfig, readEnvFile, withStoredSecrets } from './platform/config.ts'
import { notifyOn, watchChanges } from './platform/database/changes.ts'
import { connect, type Database } from './platform/database/connect.ts'
import { ownConnections } from './platform/database/connections/own-connection.ts'
import { openDatabase } from './platform/database/open.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { watchClock } from './platform/database/watch-clock.ts'
import { watchDisk } from './platform/database/watch-disk.ts'
import type { WriteState } from './platform/database/write-state.ts'
import { ApiError } from './platform/errors.ts'
import { createMetrics, serveMetrics } from './platform/http/operation/metrics.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { watchJobs } from './platform/jobs/watch-jobs.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { schedulesOf } from './platform/module.ts'
import { refuseToListen, sentenceOf } from './platform/start-error.ts'
import { version } from './platform/version.ts'
import { seedData } from './seed-data.ts'
import { type Opened, runUntilSignal, type Stop } from './stop.ts'
import { systemdNotifier } from './systemd.ts'
import { createWebApp } from './web-app/web-app.ts'

/** Starts the service: config → database → app → listen. Returns a function that announces the shutdown. */
async function start(opened: Opened, stop: Stop): Promise<() => Promise<void>> {
  readEnvFile()
  const settings = readConfig(modules, process.env, { needsSessionKey: true })
  const log = createLog(settings.logLevel)
  logStop(log, stop)
  // Last resort: otherwise a single unhandled rejection would end the process and all requests in flight.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejected promise was not handled'))

  const notifySystemd = systemdNotifier(log)

  const { config, database } = await openMigrated(settings, log, opened)
  const { service, direct, isPooled } = database
  const maxPrepared = config.preparesStatements ? undefined : 0
  const { pools, close, ...databases } = connect(service, log, { direct, isPooled, maxPrepared })
  const { db } = databases
  opened(close)
  // Stores the digest keys before AUTH_JWT_SECRET can change: earlier versions derived them from it.
  const digests = identityDigests(config)
  await digests(db)
  const writeState: WriteState = { writesRefused: null }
  const jobs = createJobs({ db, pool: pools.jobs, log })
  if (database.folder !== null) opened(watchDisk({ folder: database.folder, writeState, jobs, log }))
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox') })
  // Waits up to 1 s, so that the outcome of a running mail attempt is still recorded.
  opened(() => Promise.race([mailer.close(), sleep(1_000)]))
  const metrics = createMetrics(config.jobs)
  metrics.watchPools(pools)
  watchJobs(metrics.registry, db)
  opened(watchClock({ db: databases.health, registry: metrics.registry, log }))
  const onOwnConnection = ownConnections(direct, isPooled && direct === service)
  const deps = { config, ...databases, onOwnConnection, log, clock: systemClock, jobs, mailer, modules }
  for (const module of modules) module.metrics?.(metrics.registry, deps)
  const changes = watchChanges(direct, notifyOn(databases.health), log, { jobs: config.jobs })
  opened(changes.close)
  const webApp =
    config.backoffice && config.jobs !== 'only' ? createWebApp({ dataDir: config.dataDir, log }) : null
  if (webApp) opened(webApp.close)
  const served = webApp ? { webApp } : {}
  const { server, drain } = await buildApp({ ...deps, ...served, changes, metrics, writeState })
  if (config.metricsPort !== null) {
    const serving = serveMetrics(metrics.registry, config.host, config.metricsPort)
    const metricsServer = await serving.catch(refuseToListen)
    opened(() => metricsServer.close())
  }
  opened(() => server.close())
  opened(() => jobs.stop())
  if (config.jobs !== 'off') {
    await jobs.start(
      modules.flatMap((module) => module.jobs?.(deps) ?? []),
      schedulesOf(modules, config),
    )
  }
  const url = await server.listen({ host: config.host, port: config.port }).catch(refuseToListen)
  void webApp?.prepare()
  opened(() => Promise.all([drain.finish(5_000), jobs.stop()]))
  // Waits for the load of the start to end: on a slow machine the first request would hit a busy service.
  for (let looks = 0; server.isUnderPressure() && looks < 50; looks++) await sleep(100)
  const { jwtSecret } = config.auth
  // Only on a terminal: in a log file, everyone who can read it would get an administrator token.
  const isTrial = database.demoFilled && database.embedded && process.stderr.isTTY
  const trialToken = isTrial && jwtSecret !== null ? await signTrialToken(db, jwtSecret, digests) : null
  const { sessionKeys } = config
  const publicUrl = config.port === 0 ? `http://localhost:${new URL(url).port}` : config.publicUrl
  const trialLink =
    isTrial && jwtSecret !== null ? await makeTrialLink(db, { digests, publicUrl, sessionKeys }) : null
  // Restores V8's default, which bin/small-start.js lowered.
  setFlagsFromString('--semi-space-growth-factor=2')
  const ms = Math.round(performance.now())
  log.info({ version, node: process.versions.node, url, jobs: config.jobs, ms }, 'Parvis is ready')
  log.flush()
  notifySystemd('READY=1')
  // Standard output contains only log lines in JSON.
  process.stderr.write(
    greeting(url, { trialToken, trialLink, ownTokens: jwtSecret !== null, jobs: config.jobs }),
  )
  return async () => {
    notifySystemd('STOPPING=1')
    drain.announce()
    // At a terminal, stop immediately. Otherwise give the load balancer time to notice the announcement.
    const isCtrlC = stop.signal === 'SIGINT' && (isatty(0) || process.stdout.isTTY)
    if (!isCtrlC) await sleep(config.shutdownDelayMs)
  }
}

/** Logs why the service stops and how long that took. */
function logStop(log: Log, stop: Stop): void {
  stop.asked.then(() => log.info({ signal: stop.signal }, 'Parvis stops'))
  process.once('exit', (status) => {
    const { signal, ms } = stop
    if (signal !== null) log.info({ signal, exit_code: status, ms: Math.round(ms) }, 'Parvis has stopped')
  })
}

/**
 * Opens and migrates the database. Afterwards only the service role is known: no password of the owner or the
 * superuser stays in memory.
 */
async function openMigrated(settings: Config, log: Log, opened: Opened) {
  const say = (message: string) => log.info(message)
  const { owner, oneRole, ...database } = await openDatabase(settings, say)
  opened(database.close)
  // Removes the owner's URL, which is no longer needed. Creates the secrets before the service is ready,
  // because commands that run beside it need them.
  const config = { ...withStoredSecrets(settings, modules, database.secret), migrateDatabaseUrl: null }
  await tryToListen(config)
  const { direct, isPooled } = database
  if (isPooled && direct === database.service)
    log.warn(
      'DATABASE_URL leads through a connection pooler: set DIRECT_DATABASE_URL to PostgreSQL itself, for the cache, the jobs, syncs and migrations',
    )
  if (oneRole) log.warn('the database has one role only: set MIGRATE_DATABASE_URL to the owning one')
  const filled = await prepareDatabase({ owner, service: direct }, seedData(settings, say), say)
  return { config, database: { ...database, demoFilled: filled?.demoFilled ?? false } }
}

/** Checks the ports before the initial load, so that a start on a taken port fails early. */
async function tryToListen({ host, port, metricsPort }: Config): Promise<void> {
  const servers = []
  for (const wanted of metricsPort === null ? [port] : [port, metricsPort]) {
    const server = createServer().listen(wanted, host)
    await once(server, 'listening').catch(refuseToListen)
    servers.push(server)
  }
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
}

/** Issues a token for evaluation, only at the first start, so that a later revocation lasts. */
function signTrialToken(db: Database, secret: string, digests: LoadDigests): Promise<string> {
  const admin = { email: 'admin@example.org', role: 'admin' } as const
  return grantAndSign(db, { ...admin, secret, digests, ttlS: 8 * 3_600, now: systemClock() })
}

/** Creates a sign-in link for the same administrator, for a browser. */
function makeTrialLink(
  db: Database,
  keys: { digests: LoadDigests; publicUrl: string; sessionKeys: readonly string[] },
): Promise<string> {
  return makeSignInLink(db, { email: 'admin@example.org', role: 'admin', resetFactors: false, ...keys })
}

try {
  await runUntilSignal(start)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

function explain(error: unknown): string {
  const isUnavailable = error instanceof ApiError && error.code === 'unavailable'
  return isUnavailable ? 'The database became unavailable during the start: start again.' : sentenceOf(error)
}
