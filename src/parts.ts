import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyListenOptions } from 'fastify'
import { buildApp, modules } from './app.ts'
import { boundsOfInstance } from './bounds.ts'
import { identityDigests } from './platform/access/erased-identities.ts'
import type { Config } from './platform/config/config.ts'
import { refuseToListen } from './platform/config/start-error.ts'
import { notifyOn, watchChanges } from './platform/database/changes.ts'
import { connect } from './platform/database/connect.ts'
import type { Connection } from './platform/database/connection.ts'
import { ownConnections } from './platform/database/connections/own-connection.ts'
import { untilAvailable } from './platform/database/connections/until-available.ts'
import type { OpenDatabase } from './platform/database/open.ts'
import { defaultPools, sharedPools } from './platform/database/pools/pools.ts'
import { followReplica, watchReplica } from './platform/database/replica/public-databases.ts'
import { watchClock } from './platform/database/watch/watch-clock.ts'
import { type WriteState, watchDisk } from './platform/database/watch/watch-disk.ts'

import { purgeEdge, watchPurges } from './platform/http/cache/purge.ts'
import { createRegistry, watchPools } from './platform/http/operation/metrics.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { watchJobs } from './platform/jobs/watch-jobs.ts'
import type { Log } from './platform/log/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { watchTransport } from './platform/mail/transports.ts'
import { type Deps, schedulesOf } from './platform/module.ts'
import { systemClock } from './platform/time/clock.ts'
import type { OnOpened } from './stop.ts'
import { createWebApp, type WebApp } from './web-app/web-app.ts'

/** How a process reaches the database. */
export type DatabaseAccess = Pick<OpenDatabase, 'service' | 'direct' | 'isPooled' | 'folder'>
type Base = {
  config: Config
  database: DatabaseAccess
  log: Log
  opened: OnOpened
}
export type Parts = Awaited<ReturnType<typeof openParts>>

/** Opens what each instance has: connection pools, jobs to enqueue, mail, metrics. */
export async function openParts({ config, database, log, opened }: Base) {
  const limits = config.instance === null ? defaultPools : sharedPools
  const { service, direct, isPooled, folder } = database
  const maxPrepared = config.preparesStatements ? undefined : 0
  const { pools, checkOuts, close, ...databases } = connect(service, log, {
    ...{ direct, isPooled, maxPrepared, limits },
  })
  const { db } = databases
  opened(close)
  // Stores the digest keys before AUTH_JWT_SECRET can change: earlier versions derived them from it.
  const digests = identityDigests(config)
  const waiting = { connection: service, say: (message: string) => log.info(message) }
  await untilAvailable({ what: 'Reading the keys', ...waiting }, () => digests(db))
  const writeState: WriteState = { writesRefused: null }
  const jobs = createJobs({ db, pool: pools.jobs, log })
  if (folder !== null) opened(watchDisk({ folder, writeState, jobs, log }))
  const noteAttempts = watchTransport({ db, log }, 'mail')
  const mailer = createMailer({ ...config.mail, noteAttempts })
  // Waits up to 1 s, so that the outcome of a running mail attempt is still recorded.
  opened(() => Promise.race([mailer.close(), sleep(1_000)]))
  const registry = createRegistry(config.jobs)
  watchPools(registry, pools)
  for (const { metrics } of modules)
    for (const counter of metrics?.counters ?? []) registry.registerMetric(counter)
  const onOwnConnection = ownConnections(direct, isPooled && direct === service)
  const deps: Deps = {
    ...{ config, db, reads: databases.reads, lists: databases.lists },
    ...{ onOwnConnection, log, clock: systemClock, jobs, mailer, modules },
  }
  const followed = replicaOf(config)
  const replica =
    followed &&
    followReplica(
      followed,
      { primary: checkOuts, health: databases.health, log },
      { maxPrepared, connections: limits.reads.max },
    )
  return { config, database, log, opened, databases, replica, digests, writeState, jobs, registry, deps }
}

/** Returns where public reads go first; null: to the database itself. A process that runs only jobs serves no reads. */
export function replicaOf({ readDatabaseUrl, jobs }: Config): Connection | null {
  return readDatabaseUrl === null || jobs === 'only' ? null : { connectionString: readDatabaseUrl }
}

/** Measures what is the same for all instances: the state of the database, and the clocks. */
export function watchShared({ databases, registry, deps, log, opened }: Parts): void {
  watchJobs(registry, databases.db)
  opened(watchClock({ db: databases.health, registry, log }))
  for (const module of modules) module.metrics?.watch?.(registry, deps)
}

/** Starts running jobs, unless JOBS=off. */
export async function startJobs({ config, database, jobs, deps, log, opened }: Parts): Promise<void> {
  opened(() => jobs.stop())
  if (config.jobs === 'off') return
  const handlers = modules.flatMap((module) => module.jobs?.handlers(deps) ?? [])
  const schedules = schedulesOf(modules, config)
  const say = (message: string) => log.info(message)
  const step = { connection: database.service, what: 'Starting the jobs', say }
  await untilAvailable(step, () => jobs.start(handlers, schedules))
}

/** Returns the back-office application, which `prepare` finds or builds; null if it is not served. */
export function openWebApp({ config, log, opened }: Pick<Parts, 'config' | 'log' | 'opened'>): WebApp | null {
  if (!config.backoffice || config.jobs === 'only') return null
  const webApp = createWebApp({ dataDir: config.dataDir, log, builds: (config.instance ?? 0) === 0 })
  opened(webApp.close)
  return webApp
}

/**
 * Connections that the kernel queues while the event loop is busy, at most `net.core.somaxconn`. Beyond Node's 511 it drops
 * them, and the client tries again only after a second.
 */
const backlog = 4_096

/** Builds the app. `listen` accepts connections and returns the address. */
export async function openApp(parts: Parts, webApp: WebApp | null) {
  const { config, database, log, opened, databases, replica, jobs, registry, writeState, deps } = parts
  const notify = notifyOn(databases.health)
  const { purgeUrl } = config.cdn
  const purges = purgeUrl === null ? null : purgeEdge({ ...config.cdn, purgeUrl }, log)
  if (purges) {
    opened(purges.close)
    watchPurges(registry, purges)
  }
  const changes = watchChanges(database.direct, notify, log, {
    jobs: config.jobs,
    watchers: [replica?.newest, purges].filter((watcher) => watcher != null),
  })
  opened(changes.close)
  const publicly = replica?.open(changes.arrived)
  if (publicly) {
    opened(publicly.replica.close)
    watchReplica(registry, publicly)
  }
  const limits = config.instance === null ? {} : boundsOfInstance(config)
  const served = webApp ? { webApp } : {}
  const edge = purges ? { purges } : {}
  const options = { ...databases, ...deps, ...served, ...limits, ...edge, changes, registry, writeState }
  const { server, drain, readings } = await buildApp({ ...options, ...(publicly && { publicly }) })
  // After the last response, and at most 1 s: a minute of readings is worth no more.
  opened(() => Promise.race([readings.close(), sleep(1_000)]))
  // Until the end, so that new connections get a 503 instead of being refused.
  opened(() => server.close(), { isLast: true })
  async function listen(): Promise<string> {
    const { host, port } = config
    const sharing = config.instance === null ? {} : { reusePort: true }
    const url = await listenOnceCalm(server, { host, port, backlog, ...sharing }).catch(refuseToListen)
    opened(() => Promise.all([drain.finish(5_000), jobs.stop()]))
    return url
  }
  return { server, drain, listen }
}

type Listener = Pick<Awaited<ReturnType<typeof buildApp>>['server'], 'ready' | 'isUnderPressure' | 'listen'>

/**
 * Waits up to 5 s for the load of the start to end, and listens. On a slow machine, a server that listened before would
 * refuse requests that another instance could serve.
 */
export async function listenOnceCalm(server: Listener, address: FastifyListenOptions): Promise<string> {
  await server.ready()
  // A measurement that is due is made first.
  await sleep(1)
  for (let looks = 0; server.isUnderPressure() && looks < 50; looks++) await sleep(100)
  return server.listen(address)
}
