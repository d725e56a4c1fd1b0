import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type AppOptions, buildApp } from '../../src/app.ts'
import { jobHandlers } from '../../src/jobs.ts'
import type { Role } from '../../src/platform/access/areas.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Connection, connect } from '../../src/platform/database/connect.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMailer } from '../../src/platform/mail/mailer.ts'
import { createAnswerCheck } from './answer-check.ts'
import { createClient } from './client.ts'
import { factories, jwtSecret } from './factories.ts'

// Every test calls from one address; a file that tests a limit sets it.
const limitsOff = Object.fromEntries(
  ['CREATE', 'REPORT', 'CLAIM', 'ALERT', 'SUPPORT', 'MODERATE'].map((name) => [`RATE_LIMIT_${name}`, 'off']),
)

type Options = Partial<Omit<AppOptions, 'config' | 'db'>> & {
  env?: Record<string, string>
  /** That of another world, for a second instance beside it. */
  database?: Awaited<ReturnType<typeof cloneDatabase>>
}

/** The real app, listening, on a database of its own. Closed and dropped after the file's tests. */
export async function openWorld({ env = {}, database: shared, ...deps }: Options = {}) {
  const database = shared ?? (await cloneDatabase())
  const log = deps.log ?? createLog(process.env.LOG_LEVEL ?? 'silent')
  const { db, pool, close } = connect(database.service, log)
  const config = readConfig({ AUTH_JWT_SECRET: jwtSecret, ...limitsOff, ...env })
  // What the tests see as "now" can be set; it runs on from there.
  let clock = deps.clock ?? (() => new Date())
  const outbox = mkdtempSync(join(tmpdir(), 'parvis-outbox-'))
  const jobs = createJobs({ db, pool, log })
  const mailer = createMailer({ ...config.mail, outboxDir: outbox })
  // A loaded machine must not turn tests away; the test of that sets its own.
  const all = { maxEventLoopDelayMs: 30_000, jobs, mailer, log, ...deps, config, db, clock: () => clock() }
  const app = await buildApp(all)
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await app.server.close()
    await jobs.stop()
    rmSync(outbox, { recursive: true })
    await close()
    if (shared === undefined) await database.drop()
  })
  const check = createAnswerCheck(app.server.swagger() as unknown as OpenApiDocument)
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
    app,
    outbox,
    /** Jobs run only in the files that ask for it. */
    runJobs: () => jobs.start(jobHandlers(all), []),
    config,
    database,
    db,
    pool,
    url,
    setClock(now: string) {
      clock = () => new Date(now)
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** A fresh copy of the migrated template. */
export async function cloneDatabase() {
  const { superuser, owner, service, template } = inject('server')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await run(superuser, `create database ${name} template ${template} owner ${owner.user}`)
  const within = (connection: Connection): Connection => ({ ...connection, database: name })
  return {
    name,
    superuser: within(superuser),
    owner: within(owner),
    service: within(service),
    drop: () => run(superuser, `drop database if exists ${name} with (force)`),
  }
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
