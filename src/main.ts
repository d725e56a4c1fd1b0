import { once } from 'node:events'
import { type AddressInfo, createServer, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { modules } from './app.ts'
import { connectionsPerAddress } from './bounds.ts'
import { greeting } from './greeting.ts'
import { makeSignInLink } from './modules/sign-in/operator.ts'
import { grantAndSign } from './modules/users/tokens.ts'
import {
  type DatabaseAccess,
  openApp,
  openParts,
  openWebApp,
  replicaOf,
  startJobs,
  watchShared,
} from './parts.ts'
import { identityDigests } from './platform/access/erased-identities.ts'
import { type Config, readConfig, readEnvFile, withStoredSecrets } from './platform/config/config.ts'
import { refuseFullDisk, refuseToListen, sentenceOf } from './platform/config/start-error.ts'
import { version } from './platform/config/version.ts'
import { connect } from './platform/database/connect.ts'
import { untilAvailable } from './platform/database/connections/until-available.ts'
import { openDatabase } from './platform/database/open.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { refuseOtherDatabase } from './platform/database/replica/refuse-other-database.ts'
import { ApiError } from './platform/errors.ts'
import { serveMetrics } from './platform/http/operation/metrics.ts'
import { createLog, type Log, sharedOutput } from './platform/log/log.ts'
import { systemClock } from './platform/time/clock.ts'
import { seedData } from './seed-data.ts'
import { isAtTerminal, type OnOpened, runUntilStopped, type Stop } from './stop.ts'
import { type FromInstance, supervise } from './supervisor.ts'
import { systemdNotifier } from './systemd.ts'

/**
 * Starts the service: config → database → app → listen. With WORKERS, the supervisor does the first two, and its instances
 * the last two. Returns a function that announces the shutdown.
 */
async function start(opened: OnOpened, stop: Stop): Promise<() => Promise<void>> {
  readEnvFile()
  const settings = readConfig(modules, process.env, { needsSessionKey: true })
  const { workers, instance } = settings
  const log =
    workers === 1 ? createLog(settings.logLevel) : createLog(settings.logLevel, sharedOutput(), instance)
  logStop(log, stop)
  logIgnored(log, workers)
  if (instance === null)
    for (const { name, setting } of settings.misspelled)
      log.warn(`${name} is not a setting: did you mean ${setting}?`)
  // Last resort: otherwise a single unhandled rejection would end the process and all requests in flight.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejected promise was not handled'))

  const notifySystemd = systemdNotifier(log)

  const opening = openMigrated(settings, log, opened)
  const { config, database } = await opening.catch(refuseFullDisk(settings))
  const isSupervisor = workers > 1 && instance === null
  const serving = isSupervisor
    ? openSupervisor(config, log, opened)
    : await openInstance(config, database, log, opened)
  const url = await serving.listen()
  // Restores V8's default, which bin/small-start.js lowered.
  setFlagsFromString('--semi-space-growth-factor=2')
  if (instance === null) {
    const { trialToken, trialLink } = await makeTrialAccess(config, database, log, url)
    const ms = Math.round(performance.now())
    const { jobs, docs, mail } = config
    const outbox = mail.url === null ? mail.outboxDir : null
    const about = { version, node: process.versions.node, url, jobs, ...(isSupervisor && { workers }), ms }
    log.info(about, 'Parvis is ready')
    log.flush()
    notifySystemd('READY=1')
    // Standard output contains only log lines in JSON.
    const hasNpm = process.env.npm_lifecycle_event !== undefined
    const ownTokens = config.auth.jwtSecret !== null
    const access = { trialToken, trialLink, ownTokens, outbox, jobs, docs, hasNpm }
    process.stderr.write(greeting(url, access))
  } else await tell({ ready: url })
  return async () => {
    notifySystemd('STOPPING=1')
    // At a terminal, stop immediately. Otherwise give the load balancer time to notice the announcement.
    const isByTerminal = stop.signal !== 'SIGTERM' && isAtTerminal()
    if (serving.announce(stop.signal ?? 'SIGTERM') && !isByTerminal) await sleep(config.shutdownDelayMs)
  }
}

/** Serves requests and runs jobs in this process. */
async function openInstance(config: Config, database: DatabaseAccess, log: Log, opened: OnOpened) {
  const parts = await openParts({ config, database, log, opened })
  watchShared(parts)
  const webApp = openWebApp(parts)
  const webAppFound = webApp?.find()
  const { server, drain, listen } = await openApp(parts, webApp)
  if (config.metricsPort !== null) {
    const listening = serveMetrics(parts.registry, config.host, config.metricsPort)
    const metricsServer = await listening.catch(refuseToListen)
    opened(() => metricsServer.close())
  }
  await startJobs(parts)
  // A load balancer sends requests as soon as the service listens: a built application must not return 503 then.
  await webAppFound
  let isRetired = false

  /** Stops accepting connections, and ends once those that are open have been closed after their next response. */
  async function retire(): Promise<void> {
    isRetired = true
    // Once all connections that wait have been accepted: closing the socket resets them.
    await new Promise(setImmediate)
    // Not that of the HTTP server, which would close idle connections on which a request may just arrive.
    const closed = new Promise((resolve) => Server.prototype.close.call(server.server, resolve))
    // Afterwards, so that clients connect again to another instance.
    drain.retire()
    await Promise.race([closed, sleep(retiringMs)])
    process.kill(process.pid, 'SIGTERM')
  }
  return {
    async listen() {
      const url = await listen()
      process.on('message', (message) => message === 'retire' && void retire())
      void webApp?.prepare()
      return url
    },
    /** Returns whether requests may still arrive. */
    announce() {
      drain.announce()
      return !isRetired
    },
  }
}

/** How long a retired instance waits for idle connections: most clients and proxies have closed theirs by then. */
const retiringMs = 30_000

/** Keeps WORKERS instances running, which find their database migrated. SIGUSR2 replaces them. */
function openSupervisor(config: Config, log: Log, opened: OnOpened) {
  const { workers, port, metricsPort, secondFactor } = config
  const { start, restart, stop, close } = supervise({
    count: workers,
    env: (number) => ({
      ...process.env,
      ...{
        PARVIS_INSTANCE: `${number}`,
        WORKERS: `${workers}`,
        PORT: `${port}`,
        SECOND_FACTOR: secondFactor,
      },
      ...(metricsPort !== null && { METRICS_PORT: `${metricsPort === 0 ? 0 : metricsPort + number}` }),
      // The password of the owner stays out of the instances.
      MIGRATE_DATABASE_URL: '',
    }),
    log,
  })
  process.removeAllListeners('SIGUSR2').on('SIGUSR2', () => {
    log.info({ signal: 'SIGUSR2' }, 'the instances are replaced')
    void restart()
  })
  return {
    listen() {
      opened(close)
      return start()
    },
    announce(signal: NodeJS.Signals) {
      stop(signal)
      return true
    },
  }
}

/** Sends a message to the supervisor, and resolves once it has left. */
const tell = (message: FromInstance): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))

/** Responds to the supervisor, and ends with it. */
function obeySupervisor(): void {
  process.on('message', (message) => message === 'ping' && void tell('alive'))
  process.once('disconnect', () => process.exit(1))
}

/** Logs signals that do nothing: without a listener, SIGUSR2 would end the process. */
function logIgnored(log: Log, workers: number): void {
  const reason = workers === 1 ? 'WORKERS is 1: nothing is replaced' : 'the service has not started yet'
  process.on('SIGUSR2', () => log.info({ signal: 'SIGUSR2' }, reason))
  if (!isAtTerminal())
    process.on('SIGHUP', () => log.info({ signal: 'SIGHUP' }, 'nothing is replaced: SIGUSR2 does that'))
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
 * Opens and migrates the database; an instance finds it migrated. Afterwards only the service role is known: no password of
 * the owner or the superuser stays in memory.
 */
async function openMigrated(settings: Config, log: Log, opened: OnOpened) {
  const say = (message: string) => log.info(message)
  const { owner, oneRole, ...database } = await openDatabase(settings, say)
  opened(database.close)
  // Removes the owner's URL, which is no longer needed, also from the environment. Creates the secrets before the service is ready,
  // because commands and instances that run beside it need them.
  const config = { ...withStoredSecrets(settings, modules, database.secret), migrateDatabaseUrl: null }
  delete process.env.MIGRATE_DATABASE_URL
  const { service, direct, isPooled } = database
  if (settings.instance !== null) {
    config.maxConnectionsPerAddress = connectionsPerAddress(config)
    await prepareDatabase({ owner: null, service: direct }, seedData(settings, say), say)
    return { config, database: { ...database, demoFilled: false } }
  }
  const port = await tryToListen(config)
  // The instances need one that they share.
  if (settings.workers > 1) config.port = port
  if (isPooled && direct === service)
    log.warn(
      'DATABASE_URL leads through a connection pooler: set DIRECT_DATABASE_URL to PostgreSQL itself, for the cache, the jobs, syncs and migrations',
    )
  if (oneRole) log.warn('the database has one role only: set MIGRATE_DATABASE_URL to the owning one')
  const filled = await prepareDatabase({ owner, service: direct }, seedData(settings, say), say)
  const replica = replicaOf(config)
  if (replica !== null) await refuseOtherDatabase(replica, direct)
  if (database.embedded && filled?.hasDemo) config.secondFactor = config.secondFactorOfDemo
  return { config, database: { ...database, demoFilled: filled?.demoFilled ?? false } }
}

/** Checks the ports before the initial load, so that a start on a taken port fails early. Returns the port to listen on. */
async function tryToListen({ host, port, metricsPort, workers }: Config): Promise<number> {
  const ofMetrics =
    metricsPort === null
      ? []
      : Array.from({ length: workers }, (_, number) => metricsPort && metricsPort + number)
  const servers = []
  for (const wanted of [port, ...ofMetrics]) {
    const server = createServer().listen(wanted, host)
    await once(server, 'listening').catch(refuseToListen)
    servers.push(server)
  }
  const found = servers[0]?.address() as AddressInfo
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return found.port
}

/**
 * Issues a token and a sign-in link for evaluation, only at the first start, so that a later revocation lasts, and only on a
 * terminal: in a log file, everyone who can read it would be an administrator.
 */
async function makeTrialAccess(
  config: Config,
  database: DatabaseAccess & { embedded: boolean; demoFilled: boolean },
  log: Log,
  url: string,
) {
  const { sessionKeys, auth } = config
  const secret = auth.jwtSecret
  const isTrial = database.demoFilled && database.embedded && process.stderr.isTTY && secret !== null
  if (!isTrial) return { trialToken: null, trialLink: null }
  const { db, close } = connect(database.service, log)
  try {
    const digests = identityDigests(config)
    const admin = { email: 'admin@example.org', role: 'admin' } as const
    const publicUrl = config.port === 0 ? `http://localhost:${new URL(url).port}` : config.publicUrl
    const issued = { ...admin, secret, digests, ttlS: 8 * 3_600, now: systemClock() }
    const link = { ...admin, resetFactors: false, digests, publicUrl, sessionKeys }
    const say = (message: string) => log.info(message)
    const step = { connection: database.service, what: 'The access for a trial', say }
    return await untilAvailable(step, async () => ({
      trialToken: await grantAndSign(db, issued),
      trialLink: await makeSignInLink(db, link),
    }))
  } finally {
    await close()
  }
}

if (process.send !== undefined) obeySupervisor()
try {
  // An instance takes less time than its supervisor waits for it.
  await runUntilStopped(start, process.send === undefined ? {} : { closingMs: 8_000 })
} catch (error) {
  if (process.send === undefined) process.stderr.write(`${explain(error)}\n`)
  else await tell({ failed: explain(error) })
  process.exit(1)
}

function explain(error: unknown): string {
  const isUnavailable = error instanceof ApiError && error.code === 'unavailable'
  return isUnavailable ? 'The database became unavailable during the start: start again.' : sentenceOf(error)
}
