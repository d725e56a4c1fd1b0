import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject, onTestFinished, TestRunner } from 'vitest'
import { type AppOptions, buildApp, modules } from '../../src/app.ts'
import type { Role } from '../../src/platform/access/areas.ts'
import { type Changes, watchChanges } from '../../src/platform/cache/changes.ts'
import { readConfig } from '../../src/platform/config.ts'
import { connect } from '../../src/platform/database/connect.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import { ownConnections } from '../../src/platform/database/connections/own-connection.ts'
import { usualPools } from '../../src/platform/database/pools/pools.ts'
import { usualTimes } from '../../src/platform/database/pools/silence.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { createMailer } from '../../src/platform/mail/mailer.ts'
import { type AnswerCheck, createAnswerCheck } from './answer-check.ts'
import { noteAnswers } from './answered.ts'
import { createClient } from './client.ts'
import { factories, jwtSecret, signingSecret } from './factories.ts'

// Every test calls from one address; a file that tests a limit sets it.
const limitsOff = Object.fromEntries(
  modules
    .flatMap(({ limits = {} }) => Object.keys(limits))
    .map((name) => [`RATE_LIMIT_${name.toUpperCase()}`, 'off']),
)

const anyNumber = { inside: 10_000, waiting: 0 }
const admissionLimits = {
  publicReads: anyNumber,
  publicLists: anyNumber,
  otherReads: anyNumber,
  otherLists: anyNumber,
  writes: anyNumber,
}

const patient = { statementMs: 10_000, lockMs: 5_000 }
// It is slow to let somebody in, not silent.
const silenceTimes = { ...usualTimes, askMs: 20_000 }
const patientPools = {
  reads: { ...usualPools.reads, ...patient },
  lists: { ...usualPools.lists, ...patient },
  writes: { ...usualPools.writes, ...patient },
  jobs: usualPools.jobs,
  counters: { ...usualPools.counters, ...patient },
  health: { ...usualPools.health, ...patient },
}

type Options = Partial<Omit<AppOptions, 'config' | 'db'>> & {
  env?: Record<string, string>
  /** How long a request waits for a connection: long, as a loaded machine needs. */
  patienceMs?: number
  /** What each pool of connections has: patient, too. */
  limits?: typeof usualPools
  /** Answers to public reads are kept, as in service: what a test writes by SQL is heard a moment later. */
  keeps?: boolean
  /** That of another world, for a second instance beside it. */
  database?: Awaited<ReturnType<typeof cloneDatabase>>
}

/** The real app, listening, on a database of its own. Closed when the test ends that opens it, else after the file's. */
export async function openWorld({
  env = {},
  patienceMs = 30_000,
  limits = patientPools,
  database: shared,
  keeps = false,
  ...deps
}: Options = {}) {
  const database = shared ?? (await cloneDatabase())
  const opened = new AsyncDisposableStack()
  afterwards(() => opened.disposeAsync())
  const log = deps.log ?? createLog(process.env.LOG_LEVEL ?? 'silent')
  const { pools, close, ...databases } = connect(database.service, log, {
    patienceMs,
    limits,
    silenceTimes,
  })
  const { db } = databases
  opened.defer(close)
  const ours = { AUTH_JWT_SECRET: jwtSecret, PAYMENT_SIGNING_SECRETS: signingSecret }
  const config = readConfig(modules, { ...ours, ...limitsOff, ...env })
  // What the tests see as "now" can be set; it stands still from there.
  let clock = deps.clock ?? (() => new Date())
  const outbox = mkdtempSync(join(tmpdir(), 'parvis-outbox-'))
  opened.defer(() => rmSync(outbox, { recursive: true }))
  const jobs = createJobs({ db, pool: pools.jobs, log })
  opened.defer(() => jobs.stop())
  const mailer = createMailer({ ...config.mail, outboxDir: outbox })
  // A loaded machine must not turn tests away, however long it stands still (0: any); the tests of that set their own.
  const all = {
    maxEventLoopDelayMs: 0,
    admissionLimits,
    counterPatienceMs: 30_000,
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
  const changes = keeps ? watchChanges(database.service, log) : undefined
  opened.defer(async () => changes?.close())
  if (changes) await untilHeard(changes)
  const app = await buildApp({ ...all, ...(changes && { changes }) })
  opened.defer(() => app.server.close())
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const makeCheck = () =>
    createAnswerCheck(app.server.swagger() as unknown as OpenApiDocument, noteAnswers(inject('answered')))
  const check = deps.extraRoutes || deps.modules ? makeCheck() : sharedCheck(JSON.stringify(env), makeCheck)
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
    /** For clients of another kind. */
    check,
    app,
    outbox,
    /** Jobs run only in the files that ask for it. */
    runJobs: () => jobs.start(modules.flatMap((module) => module.jobs?.(all) ?? [])),
    config,
    log,
    jobs,
    changes,
    database,
    db,
    pools,
    /** For statements of the tests' own. */
    pool: pools.writes,
    url,
    setClock(now: string) {
      clock = () => new Date(now)
    },
  }
}

/** Apps of the same modules and settings have the same document: it is made and read once for all files of a worker. */
function sharedCheck(settings: string, make: () => AnswerCheck): AnswerCheck {
  const check = checks.get(settings) ?? make()
  checks.set(settings, check)
  return check
}

const checks = new Map<string, AnswerCheck>()

export type World = Awaited<ReturnType<typeof openWorld>>

async function untilHeard(changes: Changes) {
  while (changes.generationOf([]) === null) await sleep(5)
}

/** A fresh copy, of the migrated template if not of another database; dropped when the test ends that makes it, else after the file's. */
export async function cloneDatabase(from = inject('server').template) {
  const { superuser, owner, service, template } = inject('server')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  const drop = () => run(superuser, `drop database if exists ${name} with (force)`)
  afterwards(drop)
  await run(superuser, `create database ${name} template ${from} owner ${owner.user} strategy file_copy`)
  const within = (connection: Connection): Connection => ({ ...connection, database: name })
  return { name, superuser: within(superuser), owner: within(owner), service: within(service), drop }
}

/** What is opened last is closed first. */
function afterwards(close: () => Promise<unknown>) {
  const register = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  register(async () => {
    await close()
  })
}

/** Statements as some role, outside the app. */
export async function run(connection: Connection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
