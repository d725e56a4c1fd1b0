import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { modules } from './app.ts'
import { greeting } from './greeting.ts'
import { makeSignInLink } from './modules/sign-in/operator.ts'
import { grantAndSign } from './modules/users/tokens.ts'
import { openApp, openParts, openWebApp, type Parts, replicaOf, startJobs, watchShared } from './parts.ts'
import type { LoadDigests } from './platform/access/erased-identities.ts'
import { type Config, readConfig, readEnvFile, withStoredSecrets } from './platform/config/config.ts'
import { refuseToListen, sentenceOf } from './platform/config/start-error.ts'
import { version } from './platform/config/version.ts'
import type { Database } from './platform/database/connect.ts'
import { type OpenDatabase, openDatabase } from './platform/database/open.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { refuseOtherDatabase } from './platform/database/replica/open.ts'
import { ApiError } from './platform/errors.ts'
import { serveMetrics } from './platform/http/operation/metrics.ts'
import { createLog, type Log, sharedOutput } from './platform/log/log.ts'
import { systemClock } from './platform/time/clock.ts'
import { seedData } from './seed-data.ts'
import { isAtTerminal, type Opened, runUntilStopped, type Stop } from './stop.ts'
import { systemdNotifier } from './systemd.ts'
import type { WebApp } from './web-app/web-app.ts'

/** Starts the service: config → database → app → listen. Returns a function that announces the shutdown. */
async function start(opened: Opened, stop: Stop): Promise<() => Promise<void>> {
  readEnvFile()
  const settings = readConfig(modules, process.env, { needsSessionKey: true })
  const log =
    settings.workers === 1 ? createLog(settings.logLevel) : createLog(settings.logLevel, sharedOutput())
  logStop(log, stop)
  // Last resort: otherwise a single unhandled rejection would end the process and all requests in flight.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejected promise was not handled'))

  const notifySystemd = systemdNotifier(log)

  const { config, database, secrets } = await openMigrated(settings, log, opened)
  const parts = await openParts({ config, database, log, opened })
  watchShared(parts)
  const webApp = openWebApp(parts)
  const webAppFound = webApp?.find()
  const serving =
    config.workers === 1
      ? await openSingle(parts, webApp)
      : (await import('./workers/primary.ts')).openPrimary(parts, webApp, secrets)
  if (config.metricsPort !== null) {
    const listening = serveMetrics(serving.metrics, config.host, config.metricsPort)
    const metricsServer = await listening.catch(refuseToListen)
    opened(() => metricsServer.close())
  }
  await startJobs(parts)
  // A load balancer sends requests as soon as the service listens: a built application must not return 503 then.
  await webAppFound
  const url = await serving.listen()
  void serving.prepareWebApp()
  restartOnHangup(log, serving.restart)
  const { databases, digests } = parts
  const { db } = databases
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
  const workers = config.workers === 1 ? {} : { workers: config.workers }
  const about = { version, node: process.versions.node, url, jobs: config.jobs, ...workers, ms }
  log.info(about, 'Parvis is ready')
  log.flush()
  notifySystemd('READY=1')
  // Standard output contains only log lines in JSON.
  const hasNpm = process.env.npm_lifecycle_event !== undefined
  const { jobs, docs } = config
  const access = { trialToken, trialLink, ownTokens: jwtSecret !== null, jobs, docs, hasNpm }
  process.stderr.write(greeting(url, access))
  return async () => {
    notifySystemd('STOPPING=1')
    serving.announce()
    // At a terminal, stop immediately. Otherwise give the load balancer time to notice the announcement.
    const isByTerminal = stop.signal !== 'SIGTERM' && isAtTerminal()
    if (!isByTerminal) await sleep(config.shutdownDelayMs)
  }
}

/** Serves requests in this process. */
async function openSingle(parts: Parts, webApp: WebApp | null) {
  const { drain, listen } = await openApp(parts, { webApp })
  const prepareWebApp = async () => webApp?.prepare()
  return { metrics: parts.registry, announce: drain.announce, restart: null, listen, prepareWebApp }
}

/**
 * Replaces the workers at SIGHUP, as by `systemctl reload`. With a single process it must not end the service. At a
 * terminal, the signal means that the terminal is gone, and ends the service as usual.
 */
function restartOnHangup(log: Log, restart: (() => Promise<void>) | null): void {
  if (isAtTerminal()) return
  process.on('SIGHUP', () => {
    log.info({ signal: 'SIGHUP' }, restart ? 'the workers are replaced' : 'WORKERS is 1: nothing is replaced')
    void restart?.()
  })
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
  // Removes the owner's URL, which is no longer needed, also from the environment. Creates the secrets before the service is ready,
  // because commands that run beside it need them.
  const { secret, read: secrets } = rememberSecrets(database.secret)
  const config = { ...withStoredSecrets(settings, modules, secret), migrateDatabaseUrl: null }
  delete process.env.MIGRATE_DATABASE_URL
  await tryToListen(config)
  const { direct, isPooled } = database
  if (isPooled && direct === database.service)
    log.warn(
      'DATABASE_URL leads through a connection pooler: set DIRECT_DATABASE_URL to PostgreSQL itself, for the cache, the jobs, syncs and migrations',
    )
  if (oneRole) log.warn('the database has one role only: set MIGRATE_DATABASE_URL to the owning one')
  const filled = await prepareDatabase({ owner, service: direct }, seedData(settings, say), say)
  const replica = replicaOf(config)
  if (replica !== null) await refuseOtherDatabase(replica, direct)
  if (database.embedded && filled?.hasDemo) config.secondFactor = config.secondFactorOfDemo
  return { config, secrets, database: { ...database, demoFilled: filled?.demoFilled ?? false } }
}

/** Remembers the stored secrets that were read: workers get them too. Null with an external database. */
function rememberSecrets(secret: OpenDatabase['secret']) {
  if (secret === null) return { secret, read: null }
  const read: Record<string, string> = {}
  function readSecret(name: string): string {
    const value = (secret as NonNullable<typeof secret>)(name)
    read[name] = value
    return value
  }
  return { secret: readSecret, read }
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
  await runUntilStopped(start)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

function explain(error: unknown): string {
  const isUnavailable = error instanceof ApiError && error.code === 'unavailable'
  return isUnavailable ? 'The database became unavailable during the start: start again.' : sentenceOf(error)
}
