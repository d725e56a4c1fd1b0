// Not on another PostgreSQL, because other files run its statements too.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sign } from '../../src/modules/payments/inbox/signature.ts'
import { event } from '../../src/modules/payments/payments.test-kit.ts'
import { connect } from '../../src/platform/database/connect.ts'
import { factories, jwtSecret, sessionKey, signingSecret } from '../support/factories.ts'
import { run } from '../support/world.ts'
import { openBalancer } from './balancer.ts'
import { loadFewCommunes } from './content.ts'
import { noteEffects } from './effects.ts'
import { ask, connect as enter, urlOf } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  newDataDir,
  type Service,
  slowdown,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const { superuser, owner, service } = inject('server')
const database = `parvis_three_${randomBytes(4).toString('hex')}`
const query = async (text: string) => (await run({ ...owner, database }, text)).rows

const start = () =>
  startService({
    dataDir: newDataDir(),
    env: {
      ...(isLong ? {} : loadFewCommunes()),
      AUTH_JWT_SECRET: jwtSecret,
      SESSION_KEY: sessionKey,
      PAYMENT_SIGNING_SECRETS: signingSecret,
      DATABASE_URL: urlOf(service, database),
      MIGRATE_DATABASE_URL: urlOf(owner, database),
      RATE_LIMIT_CLAIM: '7/hour',
      RATE_LIMIT_SUPPORT: 'off',
    },
  })

let instances: Service[] = []
let urls: string[] = []
const said = (words: string) => instances.filter(({ state }) => state.out.includes(words)).length

beforeAll(async () => {
  await ask(enter(superuser), `create database ${database} owner ${owner.user}`)
  instances = [start(), start(), start()]
  urls = await Promise.all(instances.map(({ ready }) => ready))
}, timeoutMs)
afterAll(async () => {
  await cleanUp()
  await ask(enter(superuser), `drop database if exists ${database} with (force)`)
}, timeoutMs)

const source = { 'x-app-source': 'public' }
const json = { ...source, 'content-type': 'application/json' }
const atEach = <T>(count: number, call: (url: string, number: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, number) => call(urls[number % urls.length] ?? '', number)))

test('three instances that start together on an empty database migrate and load it once', async () => {
  expect(said('The communes of France are loaded')).toBe(1)
  const [twice] = await query(
    'select count(*)::int as n from communes group by code_insee having count(*) > 1',
  )
  expect(twice).toBeUndefined()
  const loads = await query('select name from first_loads order by name')
  expect(loads.map(({ name }) => name)).toEqual(['communes', 'former-names', 'groups'])
})

test('a job runs once, on any free instance', async () => {
  await noteEffects(query)
  const bodies = await atEach(30, async (url) => {
    const body = JSON.stringify(event('customer.subscription.updated'))
    const headers = { 'payment-signature': await sign(body, signingSecret) }
    // A busy service refuses it, and the provider sends it again.
    await until(async () => {
      const { status } = await fetch(`${url}/api/v1/webhooks/payment`, { method: 'POST', headers, body })
      expect([200, 503]).toContain(status)
      return status === 200
    })
    return JSON.parse(body) as { id: string }
  })
  await until(async () => (await query("select from payment_events where status = 'received'")).length === 0)
  const effects = await query('select event from effects')
  expect(effects.map((row) => row.event).sort()).toEqual(bodies.map(({ id }) => id).sort())
})

test('a rate limit is shared by all instances', async () => {
  const answers = await atEach(15, (url) =>
    fetchServed(`${url}/api/v1/claims`, { method: 'POST', headers: json, body: '{}' }),
  )
  const passed = answers.filter(({ status }) => status === 422).length
  const refused = answers.filter(({ status }) => status === 429).length
  // An instance that cannot count in the database in time counts alone, and says so.
  const counted = 'rate limits are counted locally by this instance'
  if (passed > 7) await until(() => said(counted) > 0)
  expect(passed).toBeGreaterThanOrEqual(7)
  expect(passed).toBeLessThanOrEqual(7 * (1 + said(counted)))
  expect(passed + refused).toBe(15)
})

test('a write at one instance is visible at the others within 250 ms despite their caches', async () => {
  const token = await becomeAdmin()
  const [commune] = await query("select id, slug from communes where code_insee = '42218'")
  const headers = { ...json, 'x-app-source': 'backoffice', authorization: `Bearer ${token}` }
  const read = async (url: string) =>
    (await (
      await fetchServed(`${url}/api/v1/communes/${commune.slug}`, { headers: source })
    ).json()) as Commune
  const late: number[] = []
  for (let round = 1; round <= (isLong ? 200 : 12); round++) {
    // Twice: the second comes from the cache.
    for (const url of [...urls, ...urls]) await read(url)
    const url = `${urls[round % 3]}/api/v1/admin/communes/${commune.id}`
    const changed = await fetchServed(url, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ population: round }),
    })
    expect(changed.status).toBe(200)
    const writtenAt = performance.now()
    const sees = async (other: string) => (await read(other)).data.population === round
    // It depends on when the last outdated read was sent, not on how long a slow machine takes to answer.
    let sentAt = writtenAt
    for (const other of urls) {
      for (let nextAt = performance.now(); !(await sees(other)); nextAt = performance.now())
        sentAt = Math.max(sentAt, nextAt)
    }
    late.push(sentAt - writtenAt)
  }
  expect(Math.max(...late)).toBeLessThan(250 * slowdown())
  if (isLong) process.stdout.write(`seen everywhere after ${Math.round(Math.max(...late))} ms at most\n`)
})
type Commune = { data: { population: number } }

test('a rolling restart loses no request', {
  timeout: 2 * timeoutMs,
}, async () => {
  const up: (string | null)[] = [...urls]
  const send = openBalancer(() => up)
  let isOver = false
  const counted = { read: 0, written: 0, repeated: 0 }
  const failed: object[] = []
  const reading = async () => {
    for (; !isOver; await sleep(40)) {
      const { status, tries } = await send('/api/v1/communes?q=saint', { headers: source })
      if (status !== 200) failed.push({ status, tries })
      counted.read++
      if (tries > 1) counted.repeated++
    }
  }
  const keys: string[] = []
  const writing = async () => {
    for (; !isOver; await sleep(50)) {
      const key = `message-${keys.length}`
      keys.push(key)
      const body = JSON.stringify({ email: 'odile@example.org', subject: key, body: 'Le bac déborde.' })
      const headers = { ...json, 'idempotency-key': key }
      const { status, text, tries } = await send('/api/v1/support/messages', {
        method: 'POST',
        headers,
        body,
      })
      if (status !== 201) failed.push({ status, text, tries })
      counted.written++
      if (tries > 1) counted.repeated++
    }
  }
  const working = [reading(), reading(), writing(), writing()]
  for (let round = 0; round < (isLong ? 5 : 1); round++) {
    for (const [place, instance] of instances.entries()) {
      expect(await stop(instance)).toEqual(endedWell)
      up[place] = null
      const next = start()
      instances[place] = next
      up[place] = await next.ready
    }
  }
  isOver = true
  await Promise.all(working)
  expect(failed).toEqual([])
  const rows = await query('select subject from support_threads')
  expect(rows.map(({ subject }) => subject).sort()).toEqual(keys.toSorted())
  expect(counted.read).toBeGreaterThan(50)
  if (isLong) process.stdout.write(`fifteen restarts: ${JSON.stringify(counted)}\n`)
})

test.runIf(isLong)('a schedule tick is one job across instances', { timeout: 300_000 }, async () => {
  // Two ticks and the time pg-boss needs to notice them.
  await sleep(150_000)
  const jobs = await query(
    "select date_trunc('minute', created_on) as minute from pgboss.job where name = 'imports.tick'",
  )
  const minutes = jobs.map(({ minute }) => `${minute.getTime()}`)
  expect(minutes.length).toBeGreaterThan(1)
  expect(new Set(minutes).size).toBe(minutes.length)
})

async function becomeAdmin(): Promise<string> {
  const { db, close } = connect({ ...owner, database }, { warn: () => {} }, { timeoutMs: 30_000 })
  const { token } = await factories(db).user({ roles: ['admin'] })
  await close()
  return token
}
