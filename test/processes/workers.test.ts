// Not on another PostgreSQL, because other files run its statements too.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect as openPools } from '../../src/platform/database/connect.ts'
import { sharedPools } from '../../src/platform/database/pools/pools.ts'
import { digestOf } from '../../src/platform/http/assets.ts'
import { manifestName } from '../../src/web-app/site.ts'
import { stampOf } from '../../src/web-app/web-app.ts'
import { factories, jwtSecret, sessionKey } from '../support/factories.ts'
import { openSession } from '../support/sessions.ts'
import { cloneDatabase, run } from '../support/world.ts'
import { expectWhole } from './content.ts'
import { filledDataDir } from './filled.ts'
import { freePort } from './free-port.ts'
import { holdBody, untilPostgresEnds } from './moments.ts'
import { urlOf } from './postgres.ts'
import { listProcesses, signal } from './processes.ts'
import {
  cleanUp,
  endedWell,
  makeFolder,
  newDataDir,
  ownCheckout,
  type Service,
  slowdown,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const path = '/api/v1/communes?q=saint'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let service: Service
let port: number
let metricsPort: number

/** Writes a small application where the service looks for the one that it has built from this checkout. */
async function writeWebApp(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'web', await stampOf(ownCheckout))
  const page = '<!doctype html><title>Parvis</title>'
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, manifestName), JSON.stringify({ files: { 'index.html': digestOf(page) } }))
}

const start = (env: Record<string, string> = {}, dataDir = newDataDir()) =>
  startService({
    dataDir,
    env: {
      AUTH_JWT_SECRET: jwtSecret,
      SESSION_KEY: sessionKey,
      SECOND_FACTOR: 'none',
      DATABASE_URL: urlOf(database.service, database.name),
      RATE_LIMIT_CLAIM: '7/hour',
      WORKERS: '2',
      ...env,
    },
  })

beforeAll(async () => {
  database = await cloneDatabase()
  // These tests need no communes.
  await run(
    database.owner,
    "insert into first_loads (name) values ('communes'), ('former-names'), ('groups')",
  )
  metricsPort = await freePorts()
  const dataDir = newDataDir()
  await writeWebApp(dataDir)
  service = start({ METRICS_PORT: `${metricsPort}`, BACKOFFICE: 'on' }, dataDir)
  port = Number(new URL(await service.ready).port)
}, timeoutMs)
afterAll(async () => {
  await cleanUp()
  await database.drop()
}, timeoutMs)

type Options = { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent | false }

/** Sends a request, on a connection of its own unless an agent is given. Returns its status, or how it failed. */
function ask(to = path, { method = 'GET', headers = {}, body, agent = false }: Options = {}) {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const sent = request(
    {
      ...{ port, host: '127.0.0.1', path: to, method, agent, timeout: 20_000 },
      headers: { 'x-app-source': 'public', ...headers },
    },
    (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`))
    },
  )
  sent.once('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`))
  sent.once('timeout', () => {
    resolve('no response')
    sent.destroy()
  })
  sent.end(body)
  return promise
}

/** Asks again while the service says by 503 that it is busy. */
const askUntilServed = (...request: Parameters<typeof ask>) =>
  until(async () => {
    const outcome = await ask(...request)
    return outcome !== 503 && outcome
  })

/** Sends requests, each when the previous one has ended, until stopped. Returns how many ended in which way. */
function load(senders: number, send: () => Promise<number | string> = () => ask()) {
  const outcomes: Record<string, number> = {}
  let isOver = false
  const sending = Array.from({ length: senders }, async () => {
    while (!isOver) {
      const outcome = await send()
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  })
  return async () => {
    isOver = true
    await Promise.all(sending)
    return outcomes
  }
}

/** Returns the first of two ports in a row that are free. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = await freePort()
    const second = createServer().listen(first + 1, '127.0.0.1')
    const isFree = await once(second, 'listening').then(
      () => true,
      () => false,
    )
    second.close()
    if (isFree) return first
  }
}

const instancesOf = ({ child }: Service) =>
  listProcesses()
    .filter(({ ppid, command }) => ppid === child.pid && command.includes('parvis.js'))
    .map(({ pid }) => pid)
/** An ended process that nobody has reaped yet has no command. */
const untilGone = (pids: number[]) =>
  until(() => listProcesses().every(({ pid, command }) => !pids.includes(pid) || command === ''))
const serving = ({ state }: Service) => state.out.split('"an instance serves"').length - 1

/** The number of responses by the metrics of each instance. */
function countResponses(): Promise<number[]> {
  return Promise.all(
    [metricsPort, metricsPort + 1].map(async (each) => {
      const text = await (await fetch(`http://127.0.0.1:${each}/metrics`)).text()
      const name = 'http_request_duration_seconds_count{method="GET",route="/api/v1/communes",status="200"}'
      const line = text.split('\n').find((line) => line.startsWith(name))
      return Number(line?.slice(name.length) ?? 0)
    }),
  )
}

test('two instances serve the connections of one port, and each has its metrics and its number in the log', async () => {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count)
  const before = await countResponses()
  let served = 0
  // Linux chooses by address and port: of 40 connections, each gets some.
  await until(async () => {
    expect(await Promise.all(Array.from({ length: 40 }, () => askUntilServed()))).toEqual(Array(40).fill(200))
    served += 40
    const now = await countResponses()
    return now.every((count, number) => count > (before[number] ?? 0)) && sum(now) === sum(before) + served
  }, service)
  // A log line is written a moment after its response.
  for (const number of [0, 1])
    await until(
      () => new RegExp(`"instance":${number},.*"/api/v1/communes"`).test(service.state.out),
      service,
    )
  expect(service.state.greeting.match(/Parvis answers at/g)).toHaveLength(1)
})

test('a rate limit is shared by the instances', async () => {
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all(
    Array.from({ length: 15 }, () =>
      askUntilServed('/api/v1/claims', { method: 'POST', headers, body: '{}' }),
    ),
  )
  const passed = answers.filter((status) => status === 422).length
  const refused = answers.filter((status) => status === 429).length
  // An instance that cannot count in the database in time counts alone, and says so.
  const counted = 'rate limits are counted locally by this instance'
  if (passed > 7) await until(() => service.state.out.includes(counted))
  expect(passed).toBeGreaterThanOrEqual(7)
  expect(passed).toBeLessThanOrEqual(service.state.out.includes(counted) ? 14 : 7)
  expect(passed + refused).toBe(15)
})

test('a revoked session is refused by every instance within 250 ms', async () => {
  const { db, close } = openPools(database.owner, { warn: () => {} }, { timeoutMs: 30_000 })
  const admin = await factories(db).user({ roles: ['admin'] })
  const { headers: cookie } = await openSession(db, admin.id)
  const headers = { ...cookie, 'x-app-source': 'backoffice' }
  const boss = await factories(db).user({ roles: ['admin'] })
  await close()
  const askAll = () => Promise.all([1, 2, 3, 4].map(() => askUntilServed('/api/v1/me', { headers })))
  expect(await askAll()).toEqual([200, 200, 200, 200])
  const revoked = await askUntilServed(`/api/v1/admin/users/${admin.id}/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${boss.token}`, 'x-app-source': 'backoffice' },
  })
  expect(revoked).toBe(200)
  const revokedAt = performance.now()
  // It depends on when a request was sent, not on how long a slow machine takes to answer it. Which instance answers is
  // chance: a round without 200 may have met one that knows, and the next round another.
  let refused = 0
  for (let sentAt = revokedAt; refused < 8; sentAt = performance.now()) {
    const statuses = await askAll()
    refused = statuses.includes(200) ? 0 : refused + 1
    if (refused === 0) expect(sentAt - revokedAt).toBeLessThan(250)
    else expect(statuses).toEqual([401, 401, 401, 401])
  }
})

test('under load, connections to PostgreSQL stay within the bound for two instances', async () => {
  const sum = (pools: Record<string, { max: number }>) =>
    Object.values(pools).reduce((total, { max }) => total + max, 0)
  const most = 2 * (sum(sharedPools) + 1)
  const finish = load(40, () => ask(`/api/v1/communes?q=saint&page=${1 + Math.floor(Math.random() * 5)}`))
  let seen = 0
  for (let looks = 0; looks < 10; looks++) {
    await sleep(50)
    const { rows } = await run(
      database.superuser,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name like 'parvis%'`,
    )
    seen = Math.max(seen, rows[0]?.n)
  }
  const outcomes = await finish()
  // It may shed load, and loses nothing.
  expect(Object.keys(outcomes).filter((outcome) => !['200', '503'].includes(outcome))).toEqual([])
  expect(seen).toBeGreaterThan(4)
  expect(seen).toBeLessThanOrEqual(most)
})

test('after kill -9 of an instance under load no connection is refused, and only what it had open is lost', {
  timeout: 5 * timeoutMs,
}, async () => {
  const senders = 8
  const kills = isLong ? 25 : 2
  const finish = load(senders)
  for (let kill = 1; kill <= kills; kill++) {
    await sleep(200 + Math.random() * 200)
    const [victim = 0] = instancesOf(service)
    const already = serving(service)
    signal(victim, 'SIGKILL')
    await until(() => serving(service) > already, service)
  }
  const { 200: served = 0, 503: shed = 0, ...lost } = await finish()
  expect(served).toBeGreaterThan(50)
  expect(Object.keys(lost).filter((outcome) => outcome !== 'ECONNRESET')).toEqual([])
  // A sender that connects again before the system has closed the socket of the killed instance is reset once more.
  expect(lost.ECONNRESET ?? 0).toBeLessThanOrEqual(2 * senders * kills)
  expect(service.state.out).toContain('an instance ended: it is started again')
  if (isLong) process.stdout.write(`${kills} kills: ${JSON.stringify({ served, shed, ...lost })}\n`)
})

/** Reasons of refusals by a machine that is too slow for the load. */
const busy = /^(the event loop is behind|the wait is too long|waited too long for a connection)/

test('SIGUSR2 replaces every instance under load, and requests that were received are answered', {
  timeout: 3 * timeoutMs,
}, async () => {
  await until(async () =>
    (await Promise.all([1, 2, 3, 4].map(() => ask('/backoffice/')))).every((status) => status === 200),
  )
  const before = instancesOf(service)
  const outBefore = service.state.out.length
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  const fresh = load(4)
  const kept = load(6, () => ask(path, { agent }))
  const pages = load(2, () => ask('/backoffice/'))
  for (let round = 1; round <= (isLong ? 10 : 1); round++) {
    const replaced = service.state.out.split('all instances were replaced').length
    service.child.kill('SIGUSR2')
    await until(() => service.state.out.split('all instances were replaced').length > replaced, service)
  }
  const outcomes = [await fresh(), await kept(), await pages()]
  agent.destroy()
  // A new connection may be reset in the moment in which an instance stops accepting them: at most one of each sender.
  for (const { 200: served = 0, 503: _shed, ECONNRESET: reset = 0, ...failed } of outcomes) {
    expect(failed).toEqual({})
    expect(reset).toBeLessThanOrEqual(isLong ? 120 : 12)
    expect(served).toBeGreaterThan(20)
  }
  // A slow machine may refuse a request because it is busy, never because of the restart.
  const reasons = service.state.out.slice(outBefore).matchAll(/"status":503,.*"reason":"([^"]*)"/g)
  expect([...reasons].map(([, reason = '']) => reason).filter((reason) => !busy.test(reason))).toEqual([])
  const after = instancesOf(service)
  expect(after).toHaveLength(2)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
  if (isLong) process.stdout.write(`restarts: ${JSON.stringify(outcomes)}\n`)
})

test('SIGTERM lets requests in flight of all instances finish, stores the readings that each counted and exits with 0', {
  timeout: timeoutMs,
}, async () => {
  const { db, close } = openPools(database.owner, { warn: () => {} }, { timeoutMs: 30_000 })
  const { id, slug } = await factories(db).commune()
  await close()
  // Linux chooses the instance: of 40 connections, each gets some.
  const read = await Promise.all(Array.from({ length: 40 }, () => askUntilServed(`/communes/${slug}`)))
  expect(read).toEqual(Array(40).fill(200))
  // Not claims: beyond their rate limit, they would be answered before their body has arrived.
  const hold = () => holdBody(service, '/api/v1/support/messages')
  const held = await Promise.all([hold(), hold()])
  const stoppedAt = performance.now()
  const ending = stop(service)
  await until(async () => (await ask('/readyz')) !== 200)
  for (const { release } of held) release()
  for (const { answer } of held) expect((await answer).status).toBe(422)
  expect(await ending).toEqual(endedWell)
  expect(performance.now() - stoppedAt).toBeLessThan(10_000 * slowdown())
  expect(instancesOf(service)).toEqual([])
  expect(service.state.err).toBe('')
  const { rows } = await run(
    database.owner,
    `select sum(count)::int as count from readings where record_id = '${id}'`,
  )
  expect(rows[0]?.count).toBe(40)
})

test('a signal while the instances start ends the service with 0', { timeout: timeoutMs }, async () => {
  const starting = start()
  let pids: number[] = []
  await until(() => {
    pids = instancesOf(starting)
    return pids.length === 2
  }, starting)
  expect(await stop(starting)).toEqual(endedWell)
  expect(starting.state.err).toBe('')
  await untilGone(pids)
})

test('exits with 1 and one sentence if no instance can start', { timeout: timeoutMs }, async () => {
  const code = 'if (process.env.PARVIS_INSTANCE) process.exit(7)'
  const service = start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` })
  expect(await service.ended).toEqual({ status: 1, signal: null })
  expect(service.state.err).toBe('No instance can be kept running: the log says how they ended.\n')
  expect(service.state.out).toContain('"exit_code":7')
})

test('after kill -9 of the supervisor no instance is left, and the next start is complete, also in a long path', {
  timeout: 2 * timeoutMs,
}, async () => {
  // Each instance reaches the socket by a shorter name of its own.
  const folder = join(makeFolder(), 'long'.repeat(20))
  mkdirSync(folder)
  const dataDir = await filledDataDir(join(folder, 'data'))
  const begin = () => startService({ dataDir, env: { WORKERS: '2', SEED: 'none' } })
  const killed = begin()
  await killed.ready
  const pids = instancesOf(killed)
  expect(pids).toHaveLength(2)
  killed.child.kill('SIGKILL')
  await untilGone(pids)
  const next = begin()
  await expectWhole(next, { demo: false })
  expect(await stop(next)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
})
