import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  type FastifyBaseLogger,
  type FastifyRequest,
  fastify,
  type InjectOptions,
  LogController,
} from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cloneDatabase, run } from '../../../../test/support/world.ts'
import { connect, type Database } from '../../database/connect.ts'
import { defaultPools } from '../../database/pools/pools.ts'
import { patientTimes } from '../../database/pools/responsiveness.ts'
import { addressCaller, addressNetwork, shortAddress } from '../../formats/network-address.ts'
import { parseRateLimit, type RateLimit } from '../../rate-limit.ts'
import { errorHandler } from '../error-handler.ts'
import type { HttpServer } from '../http-server.ts'
import { counter } from './counters.ts'
import { warnOfUntrustedForwarding } from './forwarding.ts'
import { rateLimits } from './rate-limits.ts'

// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 60_000 }

// A slow count would be one by this instance alone, which is not exact.
const patient = {
  timeoutMs: 30_000,
  connectTimeoutMs: 30_000,
  limits: { ...defaultPools, counters: { ...defaultPools.counters, statementMs: 60_000, lockMs: 30_000 } },
  responsivenessTimes: patientTimes,
}

const database = await cloneDatabase()
const usual = {
  create: parseRateLimit('60/hour'),
  report: parseRateLimit('30/hour'),
  claim: parseRateLimit('20/hour'),
}
afterAll(() => database.drop())
beforeEach(() => run(database.owner, 'truncate rate_limits'))
afterEach(() => {
  vi.useRealTimers()
})

type Row = { key: string; points: number }
type Instance = { claim?: RateLimit; trustProxy?: string[]; on?: typeof database; timeoutMs?: number }

/** Opens one instance of the service with its own pool, memory and log, and a route for each way of counting. */
async function openInstance({
  claim = usual.claim,
  trustProxy,
  on = database,
  timeoutMs = 30_000,
}: Instance = {}) {
  const lines: { msg: string; err?: { message: string } }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { counters: db, pools, close } = connect(on.service, pino({ level: 'silent' }), patient)
  let statements = 0
  pools.counters.on('acquire', () => {
    statements += 1
  })
  const server: HttpServer = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy ?? false,
  }).withTypeProvider<TypeBoxTypeProvider>()
  server.setErrorHandler(errorHandler({}))
  warnOfUntrustedForwarding(server)
  const limits = rateLimits(server, {
    db,
    limits: { ...usual, claim },
    secret: 'the same in every instance',
    timeoutMs,
  })
  let [entered, bodies] = [0, 0]
  server.addHook('preValidation', async () => {
    bodies += 1
  })
  // Stands for an audience that knows the signed-in user.
  server.register(async (scope) => {
    scope.addHook('onRequest', (request) => {
      entered += 1
      return limits.consume(request, userOf(request))
    })
    scope.post('/claims', { config: { limit: 'claim' } }, async (request) => request.body ?? {})
    scope.post('/reports', { config: { limit: 'report' } }, async () => ({}))
    scope.get('/unlimited', async () => ({}))
  })
  await server.ready()
  const instance = {
    lines,
    limits,
    server,
    statements: () => statements,
    /** Whether no statement runs, and none waits for a connection. */
    isQuiet: () =>
      pools.counters.waitingCount === 0 && pools.counters.idleCount === pools.counters.totalCount,
    entered: () => entered,
    bodies: () => bodies,
    close: async () => {
      await server.close()
      await close()
    },
    claim: (options: InjectOptions = {}) => server.inject({ method: 'POST', url: '/claims', ...options }),
  }
  onTestFinished(instance.close)
  return instance
}

const userOf = (request: FastifyRequest) => request.headers.authorization?.split('.', 1)[0] ?? null
const signedIn = (user: string, token = 'one') => ({ authorization: `${user}.${token}` })
const statuses = (answers: { statusCode: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => answer.statusCode)].map(([code, list]) => [code, list.length]),
  )
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const rows = async () =>
  (await run(database.owner, 'select key, points from rate_limits order by key')).rows as Row[]

describe('settings', () => {
  test.each([
    ['1/second', { points: 1, seconds: 1 }],
    ['600/minute', { points: 600, seconds: 60 }],
    ['20/hour', { points: 20, seconds: 3_600 }],
    ['999999999/day', { points: 999_999_999, seconds: 86_400 }],
    ['off', 'off'],
  ])('accepts %s', (text, limit) => {
    expect(parseRateLimit(text)).toEqual(limit)
  })

  const wrong =
    '|20|/hour|20/|0/hour|-1/hour|+1/hour|1.5/hour|1e3/hour|020/hour|20 / hour|20/hours|20/HOUR|20/week|20/constructor' +
    '|20/hour/day|20/hour\n|1000000000/day|OFF|none'
  test.each(wrong.split('|'))('refuses %j', (text) => {
    expect(() => parseRateLimit(text)).toThrow(
      /^must be a number per second, minute, hour or day such as 20\/hour, or off$/,
    )
  })

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:5678', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:5678', '192.0.2.7'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8:0:1::192.0.2.7', '2001:db8:0:1::/64'],
    ['[2001:db8:0:1::5]', '2001:db8:0:1::/64'],
    ['[2001:db8:0:1::5]:443', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::', '2001:db8:0:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['fe80::1', 'fe80:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2%25', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['unix:', 'unknown'],
    ['192.0.2.256', 'unknown'],
    ['192.0.2.07', 'unknown'],
    ['3221225991', 'unknown'],
    ['1:2:3:4:5:6:7:8:9', 'unknown'],
    ['_hidden', 'unknown'],
  ])('%s is %s', (ip, caller) => {
    expect(addressCaller(ip)).toBe(caller)
  })
})

test.each([
  ['2001:db8:12:1ff::1', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['192.0.2.7', null],
  ['::ffff:192.0.2.7', null],
  ['unknown', null],
])('the wider network of %s is %s', (ip, network) => {
  expect(addressNetwork(ip)).toBe(network)
})

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:12:1ff::1', '2001:db8:12::/48'],
  ['unknown', null],
])('%s is logged as %s', (ip, network) => {
  expect(shortAddress(ip)).toBe(network)
})

test('after a slow count, no request waits for the database in the next second', async () => {
  let asked = 0
  const silent = {
    executeQuery: () => {
      asked++
      return new Promise(() => {})
    },
  }
  const options = { warn: () => {}, timeoutMs: 5, clears: false }
  const { take: count } = counter(silent as unknown as Database, 'read', { points: 2, seconds: 60 }, options)
  expect([await count('a'), await count('a')]).toEqual([0, 0])
  expect(await count('a')).toBeGreaterThan(0)
  expect(asked).toBe(1)
})

describe('counting', () => {
  test('of 50 concurrent requests exactly the 20 of the limit pass', async () => {
    const { claim } = await openInstance()
    expect(statuses(await times(50, () => claim()))).toEqual({ 200: 20, 429: 30 })
  })

  test.each([{}, { headers: signedIn('odile') }])(
    'a caller refused before is refused before all other checks: %j',
    async (by) => {
      const { claim, entered } = await openInstance({ claim: { points: 1, seconds: 60 } })
      expect(statuses([await claim(by), await claim(by), await claim(by)])).toEqual({ 200: 1, 429: 2 })
      expect(entered()).toBe(2)
    },
  )

  test('two instances count together, also concurrently', async () => {
    const [one, two] = [await openInstance(), await openInstance()]
    const answers = await times(50, (index) => (index % 2 ? one : two).claim({ headers: signedIn('zoe') }))
    expect(statuses(answers)).toEqual({ 200: 20, 429: 30 })
    expect(statuses([await one.claim(), await two.claim()])).toEqual({ 200: 2 })
  })

  test('a refusal gives Retry-After in whole seconds and comes before the body is read', async () => {
    const { claim, bodies } = await openInstance({ claim: { points: 1, seconds: 3_600 } })
    await claim()
    const refused = await claim({
      payload: '{',
      headers: { 'content-type': 'application/json', 'accept-language': 'fr' },
    })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      error: 'rate_limited',
      message: 'Trop de requêtes : réessayez plus tard.',
    })
    expect(refused.headers['retry-after']).toMatch(/^3(600|59\d)$/)
    expect(bodies()).toBe(1)
  })

  test('the window expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    const { claim } = await openInstance({ claim: { points: 2, seconds: 2 } })
    expect(statuses(await times(3, () => claim()))).toEqual({ 200: 2, 429: 1 })
    expect((await claim()).headers['retry-after']).toBe('2')
    vi.setSystemTime('2026-11-20T12:00:01.999Z')
    const refused = await claim()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    vi.setSystemTime('2026-11-20T12:00:02.001Z')
    expect(statuses(await times(3, () => claim()))).toEqual({ 200: 2, 429: 1 })
  })

  test('an hour expires in every instance', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-29T00:30:00Z') })
    const [one, two] = [await openInstance(), await openInstance()]
    await times(21, () => one.claim())
    vi.setSystemTime('2026-03-29T01:29:59.500Z')
    expect([(await one.claim()).headers['retry-after'], (await two.claim()).headers['retry-after']]).toEqual([
      '1',
      '1',
    ])
    vi.setSystemTime('2026-03-29T01:30:01Z')
    expect(statuses(await times(42, (index) => (index % 2 ? one : two).claim()))).toEqual({
      200: 20,
      429: 22,
    })
  })

  test('each limit counts separately, and a route without one is not counted', async () => {
    const { claim, server, statements } = await openInstance({ claim: { points: 1, seconds: 60 } })
    expect(statuses(await times(2, () => claim()))).toEqual({ 200: 1, 429: 1 })
    expect((await server.inject({ method: 'POST', url: '/reports' })).statusCode).toBe(200)
    const before = statements()
    expect(statuses(await times(50, () => server.inject('/unlimited')))).toEqual({ 200: 50 })
    expect((await server.inject('/nowhere')).statusCode).toBe(404)
    expect(statements()).toBe(before)
  })

  test('`off` counts nothing', async () => {
    const { claim, statements } = await openInstance({ claim: 'off' })
    expect(statuses(await times(100, () => claim()))).toEqual({ 200: 100 })
    expect(statements()).toBe(0)
  })
})

describe('the caller', () => {
  test('is the user, with any address and token', async () => {
    const { claim } = await openInstance({ claim: { points: 3, seconds: 60 } })
    const answers = await times(5, (index) =>
      claim({ headers: signedIn('zoe', `token-${index}`), remoteAddress: `192.0.2.${index}` }),
    )
    expect(statuses(answers)).toEqual({ 200: 3, 429: 2 })
    expect((await claim({ headers: signedIn('zoe', 'new') })).statusCode).toBe(429)
    expect((await claim({ headers: signedIn('lea') })).statusCode).toBe(200)
    expect((await claim({ remoteAddress: '192.0.2.0' })).statusCode).toBe(200)
  })

  test('is the address of an anonymous caller, and does not affect users at that address', async () => {
    const { claim } = await openInstance({ claim: { points: 1, seconds: 60 } })
    const from = (remoteAddress: string, headers = {}) => claim({ remoteAddress, headers })
    expect(statuses([await from('192.0.2.1'), await from('192.0.2.1')])).toEqual({ 200: 1, 429: 1 })
    expect((await from('::ffff:192.0.2.1')).statusCode).toBe(429)
    expect((await from('192.0.2.1', signedIn('zoe'))).statusCode).toBe(200)
    expect((await from('192.0.2.2')).statusCode).toBe(200)
  })

  test('is the /64 of an IPv6 address', async () => {
    const { claim } = await openInstance({ claim: { points: 1, seconds: 60 } })
    const from = async (remoteAddress: string) => (await claim({ remoteAddress })).statusCode
    expect(await from('2001:db8::1')).toBe(200)
    expect(await from('2001:DB8:0:0:ffff::2')).toBe(429)
    expect(await from('2001:db8:0:1::1')).toBe(200)
  })

  test('is stored as a keyed hash: no address, no user, no token', async () => {
    const { claim, server } = await openInstance()
    await claim({ remoteAddress: '192.0.2.1' })
    await claim({ remoteAddress: '2001:db8::1' })
    await claim({ headers: signedIn('0198c0de-0000-7000-8000-000000000001') })
    await server.inject({ method: 'POST', url: '/reports', remoteAddress: '192.0.2.1' })
    const keys = (await rows()).map(({ key }) => key)
    // The IPv6 address counts twice: as a caller and by its network.
    expect(keys).toEqual([
      expect.stringMatching(/^claim:[\w-]{22}$/),
      expect.stringMatching(/^claim:[\w-]{22}$/),
      expect.stringMatching(/^claim:[\w-]{22}$/),
      expect.stringMatching(/^claim:[\w-]{22}$/),
      expect.stringMatching(/^report:[\w-]{22}$/),
    ])
    expect(new Set(keys.map((key) => key.split(':')[1])).size).toBe(5)
    await expect(
      run(database.owner, "insert into rate_limits values ('claim:192.0.2.1', 1, 0)"),
    ).rejects.toMatchObject({ constraint: 'rate_limits_key_hashed' })
  })

  test('differs with another secret', async () => {
    const { claim } = await openInstance()
    await claim()
    const server: HttpServer = fastify().withTypeProvider<TypeBoxTypeProvider>()
    const { db, close } = connect(database.service, pino({ level: 'silent' }), patient)
    const limits = rateLimits(server, { db, limits: usual, secret: 'another' })
    server.post('/claims', { config: { limit: 'claim' } }, async (request) => limits.consume(request, null))
    await server.inject({ method: 'POST', url: '/claims' })
    expect(await rows()).toHaveLength(2)
    await server.close()
    await close()
  })
})

describe('the /64 networks of one /48', () => {
  // More than the /64 networks of a line with a /56.
  const from = (group: number) => ({ remoteAddress: `2001:db8:0:${group.toString(16)}::1` })

  test('share ten times the limit of one, and another /48 has its own', async () => {
    const { claim, statements } = await openInstance({ claim: { points: 2, seconds: 60 } })
    const answers = []
    for (let group = 0; group < 40; group++) answers.push(await claim(from(group)))
    expect(statuses(answers)).toEqual({ 200: 20, 429: 20 })
    // Afterwards each address of the network is refused from memory alone.
    const before = statements()
    expect((await claim(from(77))).statusCode).toBe(429)
    expect(statements()).toBe(before)
    expect((await claim({ remoteAddress: '2001:db8:1::1' })).statusCode).toBe(200)
    expect((await claim({ ...from(0), headers: signedIn('zoe') })).statusCode).toBe(200)
  })

  test('do not count requests that one of them was refused', async () => {
    const { claim } = await openInstance({ claim: { points: 2, seconds: 60 } })
    expect(statuses(await times(30, () => claim(from(1))))).toEqual({ 200: 2, 429: 28 })
    for (let group = 2; group < 20; group++) expect((await claim(from(group))).statusCode).toBe(200)
  })
})

describe('a flood', () => {
  test('costs one statement per request up to the limit and none after it', async () => {
    const { claim, statements } = await openInstance()
    for (let index = 0; index < 20; index++) await claim()
    expect(statements()).toBe(20)
    expect(statuses(await times(500, () => claim()))).toEqual({ 429: 500 })
    expect(statements()).toBe(20)
    expect(await rows()).toMatchObject([{ points: 20 }])
  })

  test('costs another instance a single statement', async () => {
    const [one, two] = [await openInstance(), await openInstance()]
    for (let index = 0; index < 20; index++) await one.claim()
    for (let index = 0; index < 20; index++) expect((await two.claim()).statusCode).toBe(429)
    expect(two.statements()).toBe(1)
  })

  test('is refused before the checks of its audience', async () => {
    const { server, limits, claim } = await openInstance({ claim: { points: 1, seconds: 60 } })
    const consume = vi.spyOn(limits, 'consume')
    const caller = { headers: signedIn('zoe') }
    expect(statuses([await claim(caller), await claim(caller), await claim(caller)])).toEqual({
      200: 1,
      429: 2,
    })
    expect(consume).toHaveBeenCalledTimes(2)
    // The same token on another route, another token, no token: each is counted separately.
    expect((await server.inject({ method: 'POST', url: '/reports', ...caller })).statusCode).toBe(200)
    expect((await claim({ headers: signedIn('lea') })).statusCode).toBe(200)
    expect((await claim()).statusCode).toBe(200)
  })
})

describe('PostgreSQL unavailable', () => {
  test('each instance counts separately and logs that once a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const lost = await cloneDatabase()
    const { claim, lines } = await openInstance({ on: lost, claim: { points: 3, seconds: 60 } })
    expect((await claim()).statusCode).toBe(200)
    await lost.drop()
    expect(statuses(await times(8, () => claim()))).toEqual({ 200: 3, 429: 5 })
    expect(lines).toMatchObject([{ msg: 'rate limits are counted locally by this instance', err: {} }])
    vi.advanceTimersByTime(61_000)
    await claim({ remoteAddress: '192.0.2.2' })
    await claim({ remoteAddress: '192.0.2.2' })
    expect(lines).toHaveLength(2)
    expect(JSON.stringify(lines)).not.toContain('192.0.2')
  })

  test('a caller refused before stays refused', async () => {
    const lost = await cloneDatabase()
    const { claim } = await openInstance({ on: lost, claim: { points: 1, seconds: 60 } })
    expect(statuses(await times(2, () => claim()))).toEqual({ 200: 1, 429: 1 })
    await lost.drop()
    expect((await claim()).statusCode).toBe(429)
  })
})

describe('cleanup', () => {
  const fill = (count: number, endedSecondsAgo: number, name: string) =>
    run(
      database.owner,
      `insert into rate_limits select '${name}:' || lpad(n::text, 22, '0'), 1,
        (extract(epoch from now()) * 1000)::bigint - ${endedSecondsAgo * 1000} from generate_series(1, ${count}) n`,
    )
  const left = async () => new Set((await rows()).map(({ key }) => key.split(':')[0]))

  test('deletes counters that ended an hour ago every five minutes, for all limits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { statements } = await openInstance()
    await fill(2_500, 3_700, 'old')
    await fill(10, 3_700, 'older')
    await fill(10, 3_000, 'grace')
    await fill(10, -30, 'running')
    vi.advanceTimersByTime(300_000)
    vi.useRealTimers()
    await vi.waitUntil(async () => (await left()).size === 2, generous)
    expect(await left()).toEqual(new Set(['grace', 'running']))
    // One limiter cleans up for all.
    expect(statements()).toBe(1)
  })

  test('continues after a failure', async () => {
    const may = (grant: string) => run(database.owner, `${grant} ${database.service.user}`)
    await may('revoke delete on rate_limits from')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { statements, isQuiet } = await openInstance()
    await fill(5, 3_700, 'old')
    // The first attempt failed, so this is the second. No time passes while one runs: its own timeout would expire.
    await vi.waitUntil(() => {
      if (isQuiet()) vi.advanceTimersByTime(300_000)
      return statements() > 1
    }, generous)
    expect(await rows()).toHaveLength(5)
    await may('grant delete on rate_limits to')
    await vi.waitUntil(async () => {
      if (isQuiet()) vi.advanceTimersByTime(300_000)
      return (await rows()).length === 0
    }, generous)
  })
})

describe('behind proxies', () => {
  const forwarded = (remoteAddress: string, chain: string) => ({
    remoteAddress,
    headers: { 'x-forwarded-for': chain },
  })

  test('X-Forwarded-For of a trusted peer names the caller, past trusted proxies and no further', async () => {
    const { claim, lines } = await openInstance({
      claim: { points: 1, seconds: 60 },
      trustProxy: ['10.0.0.0/8'],
    })
    const status = async (chain: string) => (await claim(forwarded('10.0.0.1', chain))).statusCode
    expect(await status('192.0.2.1')).toBe(200)
    expect(await status('192.0.2.2')).toBe(200)
    expect(await status('192.0.2.1, 10.9.9.9')).toBe(429)
    // Ignores what the client wrote before the proxy appended the address it saw.
    expect(await status('203.0.113.9, 192.0.2.1')).toBe(429)
    expect(await status('2001:db8::1')).toBe(200)
    expect(await status('2001:db8::2')).toBe(429)
    expect(lines).toEqual([])
  })

  test.each([
    ['nobody is trusted', []],
    ['another is trusted', ['10.0.0.0/8']],
  ])(
    'X-Forwarded-For of an untrusted peer changes nothing and is logged once (%s)',
    async (_title, trusted) => {
      const { claim, lines } = await openInstance({
        claim: { points: 1, seconds: 60 },
        ...(trusted.length > 0 && { trustProxy: trusted }),
      })
      const answers = []
      for (const chain of ['203.0.113.1', '203.0.113.2', '10.0.0.1', '203.0.113.4, 10.0.0.1', 'nonsense']) {
        answers.push(await claim(forwarded('192.0.2.1', chain)))
      }
      expect(statuses(answers)).toEqual({ 200: 1, 429: 4 })
      expect(lines).toMatchObject([{ msg: expect.stringContaining('TRUST_PROXY') }])
      expect(JSON.stringify(lines)).not.toMatch(/203\.0|192\.0/)
    },
  )

  test('no warning without X-Forwarded-For', async () => {
    const { claim, lines } = await openInstance()
    await claim({ remoteAddress: '192.0.2.1' })
    await claim(forwarded('192.0.2.1', ''))
    expect(lines).toEqual([])
  })
})
