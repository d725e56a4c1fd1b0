// Round: rest, because it waits for locks and floods the service.
// Not on another PostgreSQL, because other files run its statements too.
import { once } from 'node:events'
import { get } from 'node:http'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { insertPublication, openAssociation } from '../../src/modules/publications/publications.test-kit.ts'
import { defaultPools } from '../../src/platform/database/pools/pools.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { screenFile } from '../../src/site/look/stylesheets.ts'
import { slowdown } from '../processes/service.ts'
import { openWorld, run } from '../support/world.ts'

// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 30_000 }
/** Locks wait until the test releases them. */
const endless = { statementMs: 600_000, lockMs: 500_000 }
const limits = {
  ...defaultPools,
  reads: { ...defaultPools.reads, statementMs: 10_000 },
  lists: { ...defaultPools.lists, ...endless },
  writes: { ...defaultPools.writes, ...endless },
}

/** Opens a world with two publications and a moderator whose last visit is long ago. */
async function openShownWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld({ limits, timeoutMs: 600_000, ...options })
  const { commune, acteur } = await openAssociation(world)
  const values = { acteur_id: acteur.id, commune_id: commune.id }
  const [first, second] = [await insertPublication(world, values), await insertPublication(world, values)]
  const moderator = await world.as('moderator')
  const seenLongAgo = () =>
    world.db.updateTable('users').set({ last_seen_at: sql<Date>`now() - interval '1 day'` }).execute()
  return {
    ...world,
    commune,
    first,
    second,
    moderator,
    seenLongAgo,
    /** Expects unrelated requests to be answered before those that wait for the lock. */
    async expectServed(paths: string[], locked: Promise<unknown>[]) {
      let ended = 0
      for (const each of locked) each.finally(() => ended++).catch(() => {})
      for (let round = 0; round < 3; round++) {
        for (const path of paths) expect([path, (await world.get(path)).status]).toEqual([path, 200])
        expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
      }
      expect(ended).toBe(0)
    },
  }
}
type Shown = Awaited<ReturnType<typeof openShownWorld>>

/** Opens another transaction that holds a lock until it is told to end. */
async function lock({ database }: Shown, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(database.owner)
  await client.connect()
  let ended: Promise<void> | null = null
  const end = () => (ended ??= client.end())
  onTestFinished(end)
  await client.query('begin')
  await client.query(statement)
  return end
}

/** Waits until all connections of the pool are in use and a request queues. */
async function untilFull(pool: pg.Pool) {
  await vi.waitUntil(() => pool.waitingCount > 0, generous)
  expect([pool.totalCount, pool.idleCount]).toEqual([pool.options.max, 0])
}

test.each([
  ['a row of publications', (id: string) => `select from publications where id = '${id}' for update`],
  ['the table of publications', () => 'lock table publications in exclusive mode'],
  ['the audit log', () => 'lock table audit_log in access exclusive mode'],
])(
  'while writes wait for %s, anonymous and signed-in reads and /readyz are served',
  async (_what, statement) => {
    const world = await openShownWorld()
    const { first, second, commune, moderator, pools } = world
    await moderator.get('/admin/publications')
    const unlock = await lock(world, statement(first.id))
    const locked = Array.from({ length: 12 }, (_, number) =>
      moderator.patch(`/admin/publications/${first.id}/moderate`, {
        moderation_status: number % 2 ? 'approved' : 'published',
      }),
    )
    await untilFull(pools.writes)
    await world.expectServed(
      [
        `/communes/${commune.slug}`,
        `/publications/${first.id}`,
        `/publications/${second.id}`,
        '/publications',
      ],
      locked,
    )
    await unlock()
    for (const answer of locked) expect((await answer).status).toBe(200)
  },
)

test('a user whose last visit is long ago can read while nothing can be written', async () => {
  const world = await openShownWorld({ timeoutMs: 3_000 })
  const { first, moderator, pools, seenLongAgo } = world
  await seenLongAgo()
  const taken = []
  while (taken.length < pools.writes.options.max) taken.push(await pools.writes.connect())
  expect((await moderator.get(`/admin/publications/${first.id}`)).status).toBe(200)
  for (const client of taken) client.release()
  const seen = async () => {
    await moderator.get(`/admin/publications/${first.id}`)
    const { rows } = await sql`select from users where last_seen_at > now() - interval '1 hour'`.execute(
      world.db,
    )
    return rows.length > 0
  }
  await vi.waitUntil(seen, generous)
})

test('a flood of searches uses the list connections and does not affect reads by key', async () => {
  const world = await openShownWorld()
  const { first, commune, get, pools } = world
  const unlock = await lock(world, 'lock table publication_types in access exclusive mode')
  const searches = Array.from({ length: 12 }, () => get('/publications?q=mot1'))
  await untilFull(pools.lists)
  await world.expectServed([`/communes/${commune.slug}`, `/communes/${commune.id}/elus`], searches)
  await unlock()
  for (const answer of searches) expect((await answer).status).toBe(200)
  expect((await get(`/publications/${first.id}`)).status).toBe(200)
})

test('a static file is sent on any host while nothing can be read', async () => {
  const world = await openShownWorld()
  await lock(world, 'lock table domains in access exclusive mode')
  const headers = { host: 'www.example.fr' }
  const [response] = await once(get(`${world.url}${screenFile.path}`, { headers, agent: false }), 'response')
  response.resume()
  expect(response.statusCode).toBe(200)
})

test('PostgreSQL cancels a search that takes too long, and it returns 503', async () => {
  const world = await openShownWorld({
    limits: { ...limits, lists: { ...limits.lists, statementMs: 300, lockMs: 200 } },
  })
  await lock(world, 'lock table publications in access exclusive mode')
  const answer = await world.get('/publications?q=mot1')
  expect(answer).toBeError(503, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
})

test('after one timeout, reads of a locked table are refused immediately; others are served', async () => {
  const lines: { msg?: string; reason?: string }[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const world = await openShownWorld({ log })
  const { first, commune, get } = world
  const unlock = await lock(world, 'lock table publications in access exclusive mode')
  expect(await get(`/publications/${first.id}`)).toBeError(503, 'unavailable')
  const refused = Array.from({ length: 40 }, () => get(`/publications/${first.id}`))
  expect((await get(`/communes/${commune.slug}`)).status).toBe(200)
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  for (const answer of refused) expect(await answer).toBeError(503, 'unavailable')
  const told = () => lines.filter(({ reason }) => reason !== undefined).map(({ reason }) => reason)
  await vi.waitUntil(() => told().length === 41, generous)
  expect(told().filter((reason) => reason === 'what it reads is locked').length).toBeGreaterThan(20)
  await unlock()
  await vi.waitFor(async () => expect((await get(`/publications/${first.id}`)).status).toBe(200), generous)
})

test('while the table of rate limits is locked, each instance counts alone', async () => {
  const world = await openShownWorld({
    env: { RATE_LIMIT_MODERATE: '3/minute' },
    counterTimeoutMs: 300,
  })
  const { first, commune, moderator, get } = world
  const unlock = await lock(world, 'lock table rate_limits in access exclusive mode')
  const decide = () =>
    moderator.patch(`/admin/publications/${first.id}/moderate`, { moderation_status: 'approved' })
  const answers = await Promise.all(Array.from({ length: 8 }, decide))
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
  expect((await get(`/communes/${commune.slug}`)).status).toBe(200)
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  await unlock()
})

/** Changes a setting of the database and ends all connections. */
async function tell({ database: { name, superuser } }: Shown, setting: string) {
  const beside = { ...superuser, database: 'postgres' }
  const set = (value: string) => run(beside, `alter database ${name} ${value}`)
  await set(setting)
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await vi.waitUntil(async () => (await run(beside, cut)).rowCount === 0, generous)
  return set
}

/** Expects full recovery without a restart or cut connections. */
async function expectRecovery(world: Shown, work: () => Promise<{ status: number }>[]) {
  const began = performance.now()
  const expectAll = async () => {
    for (const { status } of await Promise.all(work())) expect(status).toBe(200)
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  }
  await vi.waitFor(expectAll, generous)
  expect(performance.now() - began).toBeLessThan(5_000 * slowdown())
  // On any connection.
  for (let round = 0; round < 5; round++) await expectAll()
}

test('a read-only database serves reads; writes get 503 immediately, and work again within 5 s', async () => {
  const world = await openShownWorld()
  const { first, moderator, get, url, seenLongAgo } = world
  const decide = () =>
    moderator.patch(`/admin/publications/${first.id}/moderate`, { moderation_status: 'approved' })
  await seenLongAgo()
  const set = await tell(world, 'set default_transaction_read_only = on')
  await vi.waitFor(async () => expect((await get(`/publications/${first.id}`)).status).toBe(200), generous)
  for (let round = 0; round < 3; round++) {
    expect((await get('/publications')).status).toBe(200)
    expect((await moderator.get(`/admin/publications/${first.id}`)).status).toBe(200)
    const answer = await decide()
    expect(answer).toBeError(503, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('5')
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  await set('reset default_transaction_read_only')
  await expectRecovery(world, () => [decide(), decide(), decide()])
})

test('without spare connections the open ones are served; others are refused immediately and recover within 5 s', async () => {
  const world = await openShownWorld()
  const { first, moderator, get, url, database } = world
  const decide = () =>
    moderator.patch(`/admin/publications/${first.id}/moderate`, { moderation_status: 'approved' })
  const set = await tell(world, 'connection limit 1')
  // Reads by key use the one connection there is.
  await vi.waitFor(async () => expect((await get(`/publications/${first.id}`)).status).toBe(200), generous)
  for (let round = 0; round < 3; round++) {
    expect((await get(`/publications/${first.id}`)).status).toBe(200)
    for (const answer of [await get('/publications'), await decide()]) {
      expect(answer).toBeError(503, 'unavailable')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await set('connection limit -1')
  await expectRecovery(world, () => [get('/publications'), decide()])
  const { rows } = await run(database.owner, 'select version from publications where version > 1')
  expect(rows).toHaveLength(1)
})
