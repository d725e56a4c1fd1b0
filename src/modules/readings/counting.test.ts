import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { mergeKit } from '../acteurs/merge/merge.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { readingCounter } from './counter.ts'
import { isReading } from './readers.ts'

const world = await openWorld({ keeps: true })
const { db, as, log } = world
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

async function readingsOf(id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::int as count from readings where record_id = ${id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns a function that opens an address, and the log that a server in front of the service would write. */
function openBrowser({ url }: { url: string } = world) {
  const lines: string[] = []
  const agent = new Agent({ keepAlive: true })
  async function open(path: string, headers: IncomingHttpHeaders = {}, method = 'GET') {
    const own = { 'user-agent': firefox, ...headers }
    const sent = request(`${url}${path}`, { agent, method, headers: own }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    const { statusCode: status, headers: received } = response
    const bytes = received['content-length'] ?? 0
    const at = '[29/Nov/2026:18:00:00 +0000]'
    lines.push(
      `192.0.2.1 - - ${at} "${method} ${path} HTTP/1.1" ${status} ${bytes} "-" "${own['user-agent']}"`,
    )
    return { status, etag: received.etag ?? '' }
  }
  return { open, lines }
}

/** Hits of a page as `goaccess --ignore-crawlers --no-query-string` counts them, without redirects and errors. */
function hitsIn(lines: string[], path: string): number {
  const crawlers = /Googlebot|bingbot|facebook|Python-urllib|WhatsApp/
  return lines.filter((line) => {
    const [, method, asked = '', status, agent = ''] =
      /"(\w+) (\S+) HTTP\/1\.1" (\d+) .*"([^"]*)"$/.exec(line) ?? []
    const isPage = method === 'GET' && asked.replace(/\?.*/, '') === path
    return isPage && (status === '200' || status === '304') && !crawlers.test(agent)
  }).length
}

test('counts within 5 % of what the access log says, with robots, redirects, errors and cached responses among them', async () => {
  const commune = await world.commune({ slug: 'fontenay' })
  const acteur = await world.acteur({ slug: 'club-de-go', commune_id: commune.id, valide: true })
  const fete = await insertPublication(world, { slug: 'fete', acteur_id: acteur.id, commune_id: commune.id })
  const page = uuidv7()
  await sql`
    insert into commune_pages (id, commune_id, slug, title, body, position, status)
    values (${page}, ${commune.id}, 'ecole', 'École', '<p>Rue Haute</p>', 1, 'published')`.execute(db)
  const counted = {
    '/publications/fete': fete.id,
    '/communes/fontenay': commune.id,
    '/communes/fontenay/pages/ecole': page,
    '/acteurs/club-de-go': acteur.id,
  }
  const { open, lines } = openBrowser()
  for (const [path, id] of Object.entries(counted)) {
    // At once, so that some wait for the response of others.
    await Promise.all(Array.from({ length: 20 }, () => open(path)))
    for (const agent of [iphone, firefox, firefox]) await open(path, { 'user-agent': agent })
    const { etag } = await open(`${path}?utm_source=lettre`)
    for (let time = 0; time < 5; time++)
      expect((await open(path, { 'if-none-match': etag })).status).toBe(304)
    for (const agent of [
      googlebot,
      'bingbot/2.0',
      'facebookexternalhit/1.1 (+http://www.facebook.com)',
      'Python-urllib/3.11',
    ])
      await open(path, { 'user-agent': agent })
    for (const agent of ['curl/8.5.0', 'Wget/1.21']) await open(path, { 'user-agent': agent })
    await open(path, {}, 'HEAD')
    await open(path, { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' })
    expect((await open(path.replace(/[^/]+$/, id))).status).toBe(301)
    expect((await open(`${path}-absent`)).status).toBe(404)
    await open(path.replace(/^\/communes\/fontenay$/, '/communes/fontenay/agenda'))
  }
  await world.app.readings.flush()
  for (const [path, id] of Object.entries(counted)) {
    const hits = hitsIn(lines, path)
    expect(hits, path).toBeGreaterThan(25)
    expect(Math.abs((await readingsOf(id)) - hits) / hits, path).toBeLessThan(0.05)
  }
})

test('counts what people see, once, whether the cache or a route responds', async () => {
  const { slug, id } = await world.commune()
  const { open } = openBrowser()
  const read = async () => {
    await world.app.readings.flush()
    return readingsOf(id)
  }
  for (let time = 1; time <= 5; time++) {
    await open(`/communes/${slug}`)
    expect(await read()).toBe(time)
  }
  const uncached = await openWorld({ database: world.database })
  await openBrowser(uncached).open(`/communes/${slug}`)
  await uncached.app.readings.flush()
  expect(await read()).toBe(6)
})

test('counts the home of a site of one commune for this commune', async () => {
  const own = await openWorld({ keeps: true })
  const { id } = await own.commune()
  await sql`update app_sources set commune_ids = array[${id}::uuid] where code = 'site'`.execute(own.db)
  await own.changes?.arrived()
  const { open } = openBrowser(own)
  await expect.poll(async () => (await open('/')).status).toBe(200)
  await own.app.readings.close()
  const { rows } = await sql<{ count: number }>`
    select count from readings where kind = 'commune' and record_id = ${id}`.execute(own.db)
  expect(rows[0]?.count).toBeGreaterThan(0)
})

const asked = (headers: IncomingHttpHeaders, method = 'GET') =>
  isReading({ method, headers: { 'user-agent': firefox, ...headers } } as IncomingMessage, 200)

test.each([
  [firefox, true],
  [iphone, true],
  ['Mozilla/5.0 (Linux; Android 13; CUBOT_X70) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36', true],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.0)', true],
  ['Opera/9.80 (Android; Opera Mini/36.2; U; fr) Presto/2.12.423 Version/12.16', true],
  ['Lynx/2.9.0dev.5 libwww-FM/2.14', true],
  ['', true],
  [googlebot, false],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    false,
  ],
  ['Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)', false],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', false],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', false],
  ['WhatsApp/2.23.20.0', false],
  ['Python-urllib/3.11', false],
])('%s reads: %s', (agent, expected) => {
  expect(asked({ 'user-agent': agent })).toBe(expected)
})

test('counts no page that is loaded in advance, by a script, by HEAD or with an error', () => {
  expect(asked({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(true)
  expect(asked({ 'sec-purpose': 'prefetch', 'sec-fetch-mode': 'navigate' })).toBe(false)
  expect(asked({ purpose: 'prefetch' })).toBe(false)
  expect(asked({ 'x-moz': 'prefetch' })).toBe(false)
  expect(asked({ 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' })).toBe(false)
  // As the worker of the site passes it on.
  expect(asked({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'empty' })).toBe(true)
  expect(asked({}, 'HEAD')).toBe(false)
  const request = { method: 'GET', headers: { 'user-agent': firefox } } as IncomingMessage
  expect([200, 304, 301, 404, 503].map((status) => isReading(request, status))).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})

const reader = { method: 'GET', headers: { 'user-agent': firefox } } as IncomingMessage
const quiet = { ...log, warn: () => {} }

/** A process that counts. Its next statements fail as told: before they are sent, or by a lost response. */
function counting(limits = {}) {
  const fails = { next: null as 'before' | 'after' | null }
  const fail = (at: 'before' | 'after') => {
    if (fails.next !== at) return
    fails.next = null
    throw new Error(`lost ${at} the commit`)
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      fail('before')
      return node
    },
    async transformResult({ result }) {
      fail('after')
      return result
    },
  }
  const clock = () => new Date('2026-11-29T12:00:00Z')
  const counter = readingCounter(
    { db: db.withPlugin(plugin), clock, log: quiet },
    { everyMs: 3_600_000, ...limits },
  )
  return {
    fails,
    flush: counter.flush,
    close: counter.close,
    read: (id: string) => counter.count({ kind: 'publication', id }, reader, 200),
  }
}

test('each reading counts once, whatever fails between processes that write at once', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), process: fc.nat(1), page: fc.nat(3) }),
    fc.record({ kind: fc.constant('flush' as const), process: fc.nat(1) }),
    fc.record({ kind: fc.constant('flush both' as const) }),
    fc.record({
      kind: fc.constant('fail' as const),
      process: fc.nat(1),
      at: fc.constantFrom('before' as const, 'after' as const),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const pages = Array.from({ length: 4 }, uuidv7)
      const processes = [counting(), counting()]
      const expected = pages.map(() => 0)
      for (const one of steps)
        if (one.kind === 'read') {
          processes[one.process]?.read(pages[one.page] ?? '')
          expected[one.page] = (expected[one.page] ?? 0) + 1
        } else if (one.kind === 'flush') await processes[one.process]?.flush()
        else if (one.kind === 'flush both') await Promise.all(processes.map(({ flush }) => flush()))
        else Object.assign(processes[one.process]?.fails ?? {}, { next: one.at })
      for (const { fails, close } of processes) {
        fails.next = null
        await close()
      }
      expect(await Promise.all(pages.map(readingsOf))).toEqual(expected)
    }),
    { numRuns: propertyRuns() },
  )
})

test('a process that is killed loses what it has not written, and nothing else', async () => {
  const page = uuidv7()
  const killed = counting()
  killed.read(page)
  await killed.flush()
  killed.fails.next = 'after'
  killed.read(page)
  await killed.flush()
  // Stored, though the process does not know; what it counts from now on goes with it.
  killed.read(page)
  const started = counting()
  started.read(page)
  await started.close()
  expect(await readingsOf(page)).toBe(3)
})

test('writes early when it holds many pages, and keeps no more than that while the database is away', async () => {
  const pages = Array.from({ length: 6 }, uuidv7)
  const one = counting({ maxCounted: 2 })
  one.read(pages[0] ?? '')
  one.read(pages[1] ?? '')
  await one.flush()
  expect(await readingsOf(pages[1] ?? '')).toBe(1)
  one.fails.next = 'before'
  for (const page of pages.slice(2)) one.read(page)
  await one.flush()
  for (const page of pages.slice(2)) one.read(page)
  await one.close()
  // Two failed and were sent again, two waited behind them; there was no room for further ones.
  expect(await Promise.all(pages.map(readingsOf))).toEqual([1, 1, 1, 1, 2, 2])
})

test('the readings of a merged acteur count for its target', async () => {
  const { runMerge } = mergeKit(world)
  const [old, target] = [await world.acteur(), await world.acteur()]
  const insert = (id: string, day: string, count: number) =>
    sql`
    insert into readings (kind, record_id, day, count) values ('acteur', ${id}, ${day}, ${count})`.execute(db)
  await insert(old.id, '2026-11-01', 3)
  await insert(old.id, '2026-11-02', 4)
  await insert(target.id, '2026-11-02', 5)
  const admin = await as('admin')
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)
  await runMerge(old, 1)
  const { rows } = await sql`
    select day::text as day, count from readings where record_id = ${target.id} order by day`.execute(db)
  expect(rows).toEqual([
    { day: '2026-11-01', count: 3 },
    { day: '2026-11-02', count: 9 },
  ])
  expect(await readingsOf(old.id)).toBe(0)
})
