import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { mapFilesOnDemand } from '../src/site/defibrillateurs/map.ts'
import { type BenchDatabase, run } from './connections.ts'
import { openDatabases } from './databases.ts'
import type { Neighbours } from './load/neighbour.ts'
import type { Request } from './load/request.ts'
import { median, ms } from './measure.ts'
import { stopAll } from './process.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * `npm run bench:neighbours`: how long a cached page and a search take beside one client that asks for something expensive
 * without a pause, and beside clients at many addresses, as multiples of the calm. Needs a quiet machine.
 */
const { values: options } = parseArgs({
  options: {
    publications: { type: 'string', default: '30000' },
    seconds: { type: 'string', default: '4' },
    addresses: { type: 'string', default: '50' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(options.seconds)
const many = Number(options.addresses)
const say = (text: string) => process.stderr.write(`${text}\n`)
type Side = { port: number; page: string; rows: Record<string, Request[]> }
/** Milliseconds, the median of many. */
type Times = { page: number; search: number }

const words = ['marché', 'fête', 'école', 'concert', 'travaux', 'réunion', 'sport', 'atelier']
const read = (path: string, headers: Record<string, string> = {}): Request => ({
  method: 'GET',
  path,
  headers: { host: 'localhost', ...headers },
})
const readAll = (paths: string[], headers?: Record<string, string>) =>
  paths.map((path) => read(path, headers))
const searchOf = (word: string, number: number) => `/recherche?q=${encodeURIComponent(`${word} ${number}`)}`

const databases = await openDatabases(say)
try {
  console.log(
    `| beside | cached page: one | ${many} addresses | search: one | ${many} addresses | served; refused |`,
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  for (const open of [openFilled, openDemo]) await measureAll(await open())
} finally {
  await stopAll()
  await databases.close()
}

/** Many publications: what is searched, listed and downloaded. */
async function openFilled(): Promise<Side> {
  const filled = await databases.copy(Number(options.publications))
  const { port } = await startService({ name: 'neighbours', database: filled.database })
  const { communeSlug, token } = await lookAround(filled)
  const tool = (word: string, id: number): Request => {
    const params = { name: 'search_publications', arguments: { q: word } }
    const headers = {
      ...{ host: 'localhost', 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    }
    return {
      ...{ method: 'POST', path: '/mcp', headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    }
  }
  const asAdmin = { authorization: `Bearer ${token}`, 'x-app-source': 'backoffice', accept: 'text/csv' }
  const gzip = { 'accept-encoding': 'gzip' }
  const rows = {
    'site search': words.flatMap((word) =>
      [1, 2, 3, 4, 5].map((number) => read(searchOf(word, number + 1_000))),
    ),
    MCP: words.map(tool),
    'CSV of the back-office': [read('/api/v1/admin/publications', asAdmin)],
    'open data, CSV': [read('/donnees/publications.csv')],
    'open data, compressed': [read('/donnees/publications.json', gzip)],
    sitemap: [read('/sitemap/communes.xml')],
    'sitemap, compressed': [read('/sitemap/communes.xml', gzip)],
  }
  return { port, page: `/communes/${communeSlug}`, rows }
}

/** The demo content: acts, pictures, addresses. */
async function openDemo(): Promise<Side> {
  const database = await databases.create('bench_neighbours')
  const { port } = await startService({ name: 'neighbours-demo', database, env: { SEED: 'demo' } })
  const acts = await pathsOf(database, `select '/actes/' || id as path from acts where state = 'published'`)
  const communes = await pathsOf(
    database,
    `select distinct '/communes/' || c.slug as path from communes c join secteurs s on s.commune_id = c.id
     union all select '/communes/' || slug from communes where id in (select commune_id from publication_communes)`,
  )
  const [first = '/'] = communes
  const [pictures] = await waitForPictures(port, database)
  const outlines = mapFilesOnDemand.find(({ path }) => path.endsWith('.json'))
  const rows = {
    'preuve.zip': readAll(acts.map((path) => `${path}/preuve.zip`)),
    'presence.zip': readAll(acts.map((path) => `${path}/presence.zip`)),
    'pictures, all sizes': readAll(pictures ?? []),
    addresses: words.map((word, number) =>
      read(`${first}/collectes?adresse=${number}+rue+de+la+${encodeURIComponent(word)}`),
    ),
    outlines: outlines === undefined ? [] : [read(outlines.path)],
  }
  return { port, page: first, rows }
}

async function pathsOf({ superuser }: BenchDatabase, statement: string): Promise<string[]> {
  return (await run(superuser, statement)).map(({ path }) => path)
}

/** Returns the addresses of pictures, which jobs make after the start; none if there are none within a minute. */
async function waitForPictures(port: number, database: BenchDatabase): Promise<string[][]> {
  const pages = await pathsOf(
    database,
    `select '/publications/' || id as path from publications where image_url is not null limit 20`,
  )
  for (let turn = 0; turn < 30; turn++) {
    const texts = await Promise.all(
      pages.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()),
    )
    const found = [...new Set(texts.flatMap((text) => text.match(/\/media\/[\w-]+\/[\w-]+\.\w+/g) ?? []))]
    if (found.length > 0) return [found]
    await sleep(2_000)
  }
  return []
}

async function measureAll(side: Side): Promise<void> {
  // The first requests compile, and fill the cache.
  await measure(side, 2)
  for (const [name, requests] of Object.entries(side.rows)) {
    if (!options.only.split(',').some((part) => name.includes(part))) continue
    if (requests.length === 0) {
      console.log(`| ${name} | not there |`)
      continue
    }
    const calm = await measure(side, seconds)
    const one = await beside(side, { addresses: 1, connections: Number(options.connections), requests })
    const all = await beside(side, { addresses: many, connections: 1, requests })
    const times = (of: keyof Times) => {
      const text = ({ times }: typeof one) => `${ms(times[of])} (${(times[of] / calm[of]).toFixed(1)} ×)`
      return `${ms(calm[of])} → ${text(one)} | ${text(all)}`
    }
    const counts = [one, all].map(({ served, refused }) => `${served}; ${refused}`).join(' / ')
    console.log(`| ${name} | ${times('page')} | ${times('search')} | ${counts} |`)
    // Budgets fade, and queues empty.
    await sleep(5_000)
  }
}

/** Measures while neighbours ask. */
async function beside(side: Side, neighbours: Omit<Neighbours, 'port'>) {
  const wanted: Neighbours = { ...neighbours, port: side.port }
  const child = spawn(process.execPath, [
    join(import.meta.dirname, 'load/neighbour.ts'),
    JSON.stringify(wanted),
  ])
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.pipe(process.stderr)
  await once(child.stdout, 'data')
  // Builds of files end, and budgets are spent.
  await sleep(2_000)
  const times = await measure(side, seconds)
  child.stdin.end()
  await once(child, 'close')
  return { times, ...(JSON.parse(printed.split('\n')[1] ?? '') as { served: number; refused: number }) }
}

/** Asks for a cached page and for a search in alternation, each after the response to the last, with a short pause. */
async function measure({ port, page }: Side, seconds: number): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = { page: [] as number[], search: [] as number[] }
  let number = 0
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    times.page.push(await timeOf(port, page, agent))
    // Another search each time: none is cached.
    times.search.push(await timeOf(port, searchOf(words[number % words.length] ?? '', ++number), agent))
    await sleep(5)
  }
  agent.destroy()
  return { page: median(times.page), search: median(times.search) }
}

async function timeOf(port: number, path: string, agent: Agent): Promise<number> {
  const since = performance.now()
  const [response] = await once(get({ host: '127.0.0.1', port, path, agent }), 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) say(`  ${path} answered ${response.statusCode}`)
  return performance.now() - since
}
