import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import { fillNewDatabase } from './first-loads.ts'
import { greeting } from './greeting.ts'
import { jobHandlers, jobSchedules } from './jobs.ts'
import { grantAndSign } from './modules/users/tokens.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, readConfig } from './platform/config.ts'
import { connect, type Database } from './platform/database/connect.ts'
import { migrate } from './platform/database/migrate.ts'
import { type OpenDatabase, openDatabase, roleOf } from './platform/database/open.ts'
import { createMetrics, serveMetrics } from './platform/http/metrics.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { watchJobs } from './platform/jobs/watch-jobs.ts'
import { createLog } from './platform/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { StartError } from './platform/start-error.ts'
import { type Opened, runUntilSignal } from './stop.ts'

/** The front door: config → database → app → listen. */
async function start(opened: Opened): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const settings = readConfig()
  const log = createLog(settings.logLevel)
  const say = (message: string) => log.info(message)

  const database = await openDatabase(settings, say)
  opened(database.close)
  const config = withSecrets(settings, database)
  if (database.oneRole) log.warn('the database has one role only: set MIGRATE_DATABASE_URL to the owning one')
  const demo = config.seed === 'demo' || (config.seed === null && database.embedded)
  const fill = (db: Database) => fillNewDatabase(db, demo, say)
  const { demoFilled } = await migrate(database.owner, roleOf(database.service), fill)

  const { db, pool, close } = connect(database.service, log)
  opened(close)
  const jobs = createJobs({ db, pool, log })
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox') })
  const metrics = createMetrics()
  metrics.watchPool(pool)
  watchJobs(metrics.registry, db)
  const deps = { config, db, log, clock: systemClock, jobs, mailer }
  const { server, drain } = await buildApp({ ...deps, metrics })
  if (config.metricsPort !== null) {
    const metricsServer = await serveMetrics(metrics.registry, config.host, config.metricsPort)
    opened(() => metricsServer.close())
  }
  opened(() => server.close())
  opened(() => jobs.stop())
  await jobs.start(jobHandlers(deps), jobSchedules)
  const url = await server.listen({ host: config.host, port: config.port })
  opened(() => Promise.all([drain.begin(5_000), jobs.stop()]))
  const secret = demoFilled && database.embedded ? config.auth.jwtSecret : null
  process.stdout.write(greeting(url, secret && (await signTrialToken(db, secret))))
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
  if (error instanceof StartError) return error.message
  const { code, address, port } = error as { code?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is taken: stop what uses it, or set another PORT (or METRICS_PORT).`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be opened by this user: set another PORT (or METRICS_PORT).`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The embedded database keeps the secrets that nobody set. */
function withSecrets(config: Config, { secret }: OpenDatabase): Config {
  const { auth } = config
  return { ...config, auth: { ...auth, jwtSecret: auth.jwtSecret ?? secret?.('jwtSecret') ?? null } }
}
