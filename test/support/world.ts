import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject, onTestFinished, TestRunner } from 'vitest'
import { type AppOptions, buildApp, modules } from '../../src/app.ts'
import type { Role } from '../../src/platform/access/areas.ts'
import { type JobsRole, readConfig } from '../../src/platform/config/config.ts'
import { type Changes, notifyOn, watchChanges } from '../../src/platform/database/changes.ts'
import { connect } from '../../src/platform/database/connect.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import { ownConnections } from '../../src/platform/database/connections/own-connection.ts'
import { defaultPools } from '../../src/platform/database/pools/pools.ts'
import { patientTimes } from '../../src/platform/database/pools/responsiveness.ts'
import { followReplica } from '../../src/platform/database/replica/public-databases.ts'
import type { ReplicaOptions } from '../../src/platform/database/replica/replica.ts'
import { purgeEdge } from '../../src/platform/http/cache/purge.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi/types.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { createMailer } from '../../src/platform/mail/mailer.ts'
import { watchTransport } from '../../src/platform/mail/transports.ts'
import { createClient } from './client.ts'
import { factories, jwtSecret, sessionKey, signingSecret } from './factories.ts'
import { nameServer } from './name-server.ts'
import { createResponseCheck, type ResponseCheck } from './responses/response-check.ts'
import { recordResponses } from './responses/seen-responses.ts'

// Every test calls from one address; a file that tests a limit sets it.
const limitsOff = Object.fromEntries(
  modules
    .flatMap(({ settings }) => Object.keys(settings?.limits ?? {}))
    .map((name) => [`RATE_LIMIT_${name.toUpperCase()}`, 'off']),
)

const noLimit = {
  ...{ slots: 20_000, reserved: { signedIn: 10_000, anonymous: 10_000 }, anonymousWhileSignedIn: 10_000 },
  ...{ targetMs: 600_000, maxWaitMs: 600_000, capacity: 1 },
}
const admissionLimits = { reads: noLimit, lists: noLimit, writes: noLimit }

const patient = { statementMs: 120_000, lockMs: 60_000 }
// A slow response is no lost connection.
const responseTimeoutMs = 20_000
const patientPools = {
  reads: { ...defaultPools.reads, ...patient },
  lists: { ...defaultPools.lists, ...patient },
  writes: { ...defaultPools.writes, ...patient },
  jobs: defaultPools.jobs,
  counters: { ...defaultPools.counters, ...patient },
  health: { ...defaultPools.health, ...patient },
}

type Options = Partial<Omit<AppOptions, 'config' | 'db'>> & {
  env?: Record<string, string>
  /** How long a request waits for a connection: long, for loaded machines. */
  timeoutMs?: number
  /** Size and timeouts of each pool, generous as well. */
  limits?: typeof defaultPools
  /** Caches public reads as in production: a test's SQL writes are noticed a moment later. */
  keeps?: boolean
  /** Another way to PostgreSQL for the connection that listens. */
  listensOn?: Connection
  /** A replica that serves public reads; implies `keeps`. */
  replica?: Connection
  replicaOptions?: ReplicaOptions
  /** The role that an instance with `keeps` announces to the others. */
  jobsRole?: JobsRole
  /** False: its responses do not count as seen, because the next run has others. */
  countsResponses?: boolean
  /** The database of another world, for a second instance. */
  database?: Awaited<ReturnType<typeof cloneDatabase>>
}

/**
 * Opens the real app, listening, on its own database. Closed with the test that opens it, else after the file's tests.
 */
export async function openWorld({
  env = {},
  timeoutMs = 30_000,
  limits = patientPools,
  database: shared,
  keeps = false,
  listensOn,
  replica,
  replicaOptions,
  jobsRole = 'on',
  countsResponses = true,
  ...deps
}: Options = {}) {
  const database = shared ?? (await cloneDatabase())
  const opened = new AsyncDisposableStack()
  afterwards(() => opened.disposeAsync())
  const log = deps.log ?? createLog(process.env.LOG_LEVEL ?? 'silent')
  const options = {
    timeoutMs,
    connectTimeoutMs: Math.max(3_000, timeoutMs),
    limits,
    responsivenessTimes: patientTimes,
  }
  const { pools, checkOuts, close, ...databases } = connect(database.service, log, options)
  // The tests' own statements take no connection from the service, for which those that hold locks make it wait.
  const own = connect(database.service, log, {
    ...options,
    limits: { ...limits, writes: { ...limits.writes, max: 6 } },
  })
  const { db } = own
  opened.defer(own.close)
  // A query that writes on a read pool fails its test; nothing else would detect it.
  for (const pool of [pools.reads, pools.lists])
    pool.on(
      'connect',
      (client) => void client.query('set default_transaction_read_only = on').catch(() => {}),
    )
  opened.defer(close)
  const ours = {
    AUTH_JWT_SECRET: jwtSecret,
    PAYMENT_SIGNING_SECRETS: signingSecret,
    SESSION_KEY: sessionKey,
    SECOND_FACTOR: 'none',
    // No test leaves this machine.
    MAP_STYLE_URL: 'none',
    DOMAIN_NAME_SERVERS: await nameServer(),
  }
  const config = readConfig(modules, { ...ours, ...limitsOff, ...env })
  // Tests can set the clock, which then stands still.
  let clock = deps.clock ?? (() => new Date())
  const outbox = mkdtempSync(join(tmpdir(), 'parvis-outbox-'))
  opened.defer(() => rmSync(outbox, { recursive: true }))
  const jobs = createJobs({ db: databases.db, pool: pools.jobs, log })
  opened.defer(() => jobs.stop())
  const noteAttempts = watchTransport({ db: databases.db, log }, 'mail')
  const mailer = createMailer({ ...config.mail, outboxDir: outbox, noteAttempts })
  // A loaded machine must not refuse tests, however slow it is (0: never); tests of that set their own limits.
  const all = {
    maxEventLoopDelayMs: 0,
    admissionLimits,
    counterTimeoutMs: 30_000,
    budgetMs: Number.POSITIVE_INFINITY,
    modules,
    onOwnConnection: ownConnections(database.service),
    jobs,
    mailer,
    log,
    ...deps,
    ...databases,
    config,
    clock: () => clock(),
  }
  const { health } = databases
  const following = replica && followReplica(replica, { primary: checkOuts, health, log }, replicaOptions)
  const { purgeUrl } = config.cdn
  const purges = purgeUrl === null ? undefined : purgeEdge({ ...config.cdn, purgeUrl }, log)
  opened.defer(async () => purges?.close())
  const changes =
    keeps || following
      ? watchChanges(listensOn ?? database.service, notifyOn(health), log, {
          responseTimeoutMs,
          jobs: jobsRole,
          watchers: [following?.newest, purges].filter((watcher) => watcher != null),
        })
      : undefined
  opened.defer(async () => changes?.close())
  if (changes) await untilHeard(changes)
  const publicly = changes && following?.open(changes.arrived)
  opened.defer(async () => publicly?.replica.close())
  const app = await buildApp({
    ...all,
    ...(changes && { changes }),
    ...(publicly && { publicly }),
    ...(purges && { purges }),
  })
  opened.defer(() => app.readings.close())
  opened.defer(() => app.server.close())
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const makeCheck = () =>
    createResponseCheck(
      app.server.swagger() as unknown as OpenApiDocument,
      countsResponses ? recordResponses(inject('answered')) : () => {},
    )
  const isUsual = !deps.extraRoutes && !deps.modules && countsResponses
  const check = (isUsual && defaultCheck) || makeCheck()
  if (isUsual) defaultCheck = check
  const client = createClient(url, check)
  const made = factories(db, () => clock())
  return {
    ...client,
    ...made,
    /** A client signed in as a new user with this role, in the back-office. */
    async as(...roles: Role[]) {
      const { token } = await made.user({ roles })
      return createClient(url, check, { source: 'backoffice', token })
    },
    client: (call: Parameters<typeof createClient>[2]) => createClient(url, check, call),
    /** For other kinds of clients. */
    check,
    app,
    outbox,
    /** Jobs run only in files that start them. */
    runJobs: () => jobs.start(modules.flatMap((module) => module.jobs?.handlers(all) ?? [])),
    config,
    log,
    jobs,
    changes,
    publicly,
    purges,
    database,
    db,
    pools,
    /** For the tests' own statements. */
    pool: own.pools.writes,
    url,
    setClock(now: string) {
      clock = () => new Date(now)
    },
  }
}

/** Settings do not change the document of the usual modules: it is generated and parsed once per worker. */
let defaultCheck: ResponseCheck | undefined

export type World = Awaited<ReturnType<typeof openWorld>>

async function untilHeard(changes: Changes) {
  while (changes.generationOf([]) === null) await sleep(5)
}

/**
 * A fresh copy of the migrated template or of another database; dropped with the test that makes it, else after the
 * file's tests.
 */
export async function cloneDatabase(from = inject('server').template) {
  const { superuser, owner, service, template } = inject('server')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  const drop = () => run(superuser, `drop database if exists ${name} with (force)`)
  afterwards(drop)
  await run(superuser, `create database ${name} template ${from} owner ${owner.user} strategy file_copy`)
  const within = (connection: Connection): Connection => ({ ...connection, database: name })
  return { name, superuser: within(superuser), owner: within(owner), service: within(service), drop }
}

/** Closes in reverse order. */
function afterwards(close: () => Promise<unknown>) {
  const register = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  register(async () => {
    await close()
  })
}

/** Runs a statement with some role, outside the app. */
export async function run(connection: Connection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
