import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { buildApp, modules } from './app.ts'
import { firstLoads } from './first-loads.ts'
import { greeting } from './greeting.ts'
import { grantAndSign } from './modules/users/tokens.ts'
import { watchChanges } from './platform/cache/changes.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, readConfig, readEnvFile, withKeptSecrets } from './platform/config.ts'
import { connect, type Database } from './platform/database/connect.ts'
import { ownConnections } from './platform/database/connections/own-connection.ts'
import { openDatabase } from './platform/database/open.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { watchDisk } from './platform/database/watch-disk.ts'
import { ApiError } from './platform/errors.ts'
import { createMetrics, serveMetrics } from './platform/http/operation/metrics.ts'
import type { WriteGate } from './platform/http/overload/write-gate.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { watchJobs } from './platform/jobs/watch-jobs.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { schedulesOf } from './platform/module.ts'
import { refuseToListen, sentenceOf } from './platform/start-error.ts'
import { version } from './platform/version.ts'
import { type Opened, runUntilSignal, type Stop } from './stop.ts'

/** Config → database → app → listen. Answers how the service announces that it stops. */
async function start(opened: Opened, stop: Stop): Promise<() => Promise<void>> {
  readEnvFile()
  const settings = readConfig(modules)
  const log = createLog(settings.logLevel)
  logStop(log, stop)

  const { config, database } = await openMigrated(settings, log, opened)
  const { pools, close, ...databases } = connect(database.service, log)
  const { db } = databases
  opened(close)
  const writeGate: WriteGate = { writesRefused: null }
  if (database.folder !== null) opened(watchDisk({ folder: database.folder, gate: writeGate, log }))
  const jobs = createJobs({ db, pool: pools.jobs, log })
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox') })
  // What became of a mail under way is still written down, when it is soon known.
  opened(() => Promise.race([mailer.close(), sleep(1_000)]))
  const metrics = createMetrics()
  metrics.watchPools(pools)
  watchJobs(metrics.registry, db)
  const onOwnConnection = ownConnections(database.service)
  const deps = { config, db, onOwnConnection, log, clock: systemClock, jobs, mailer, modules }
  for (const module of modules) module.metrics?.(metrics.registry, deps)
  const changes = watchChanges(database.service, log)
  opened(changes.close)
  const { server, drain } = await buildApp({ ...deps, ...databases, changes, metrics, writeGate })
  if (config.metricsPort !== null) {
    const serving = serveMetrics(metrics.registry, config.host, config.metricsPort)
    const metricsServer = await serving.catch(refuseToListen)
    opened(() => metricsServer.close())
  }
  opened(() => server.close())
  opened(() => jobs.stop())
  await jobs.start(
    modules.flatMap((module) => module.jobs?.(deps) ?? []),
    schedulesOf(modules, config),
  )
  const url = await server.listen({ host: config.host, port: config.port }).catch(refuseToListen)
  opened(() => Promise.all([drain.finish(5_000), jobs.stop()]))
  // The start itself is work: on a slow machine the first request after the greeting would meet a busy service.
  for (let looks = 0; server.isUnderPressure() && looks < 50; looks++) await sleep(100)
  const { jwtSecret } = config.auth
  // Never into a file: whoever reads the log later would be an administrator.
  const isTrial = database.demoFilled && database.embedded && process.stdout.isTTY
  const trialToken = isTrial && jwtSecret !== null ? await signTrialToken(db, jwtSecret) : null
  // As V8 has it: bin/small-start.js held it back.
  setFlagsFromString('--semi-space-growth-factor=2')
  const ms = Math.round(performance.now())
  log.info({ version, node: process.versions.node, url, ms }, 'Parvis is ready')
  log.flush()
  process.stdout.write(greeting(url, { trialToken, ownTokens: jwtSecret !== null }))
  return async () => {
    drain.announce()
    // A person at a terminal waits for the end, a balancer for the announcement.
    const isCtrlC = stop.signal === 'SIGINT' && (isatty(0) || process.stdout.isTTY)
    if (!isCtrlC) await sleep(config.shutdownDelayMs)
  }
}

/** Says why it stops, and in the end how long that took, however it ends. */
function logStop(log: Log, stop: Stop): void {
  stop.asked.then(() => log.info({ signal: stop.signal }, 'Parvis stops'))
  process.once('exit', (status) => {
    const { signal, ms } = stop
    if (signal !== null) log.info({ signal, exit_code: status, ms: Math.round(ms) }, 'Parvis has stopped')
  })
}

/** What goes on from here knows the service's role alone: no password of the owner or the superuser is kept. */
async function openMigrated(settings: Config, log: Log, opened: Opened) {
  const say = (message: string) => log.info(message)
  const { owner, oneRole, ...database } = await openDatabase(settings, say)
  opened(database.close)
  // The owner's URL has served. Before it is ready: a command beside it would not find the secret that is made here.
  const config = { ...withKeptSecrets(settings, modules, database.secret), migrateDatabaseUrl: null }
  await tryToListen(config)
  if (oneRole) log.warn('the database has one role only: set MIGRATE_DATABASE_URL to the owning one')
  const filled = await prepareDatabase({ ...database, owner }, firstLoads(settings, say), say)
  return { config, database: { ...database, demoFilled: filled?.demoFilled ?? false } }
}

/** Before the first load, which is greeted once: whoever must choose another port gets that greeting too. */
async function tryToListen({ host, port, metricsPort }: Config): Promise<void> {
  const servers = []
  for (const wanted of metricsPort === null ? [port] : [port, metricsPort]) {
    const server = createServer().listen(wanted, host)
    await once(server, 'listening').catch(refuseToListen)
    servers.push(server)
  }
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
}

/** At the first start, for somebody who tries the service: once, so that what is taken away later stays so. */
function signTrialToken(db: Database, secret: string): Promise<string> {
  const admin = { email: 'admin@example.org', role: 'admin' } as const
  return grantAndSign(db, { ...admin, secret, ttlS: 8 * 3_600, now: systemClock() })
}

try {
  await runUntilSignal(start)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

function explain(error: unknown): string {
  const isAway = error instanceof ApiError && error.code === 'unavailable'
  return isAway ? 'The database went away during the start: start again.' : sentenceOf(error)
}
