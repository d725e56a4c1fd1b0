import { run } from '../connections.ts'
import { randomOf } from '../data.ts'
import { load } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import { type Bench, verdictOf, whole } from '../measure.ts'
import { freePort } from '../process.ts'
import type { Row } from '../report.ts'
import { startService } from '../service.ts'

const seconds = 40
const readsPerSecond = 300
const leastHits = 0.55

/** Measures the share of cache hits while publications are created; each rate begins with an empty cache. */
export async function cacheUnderWrites(bench: Bench): Promise<Row[]> {
  const pages = await listPages(bench)
  const rows: Row[] = []
  for (const writesPerSecond of [0, 5, 20]) rows.push(await measureHits(bench, pages, writesPerSecond))
  return rows
}

async function measureHits(bench: Bench, pages: Pages, writesPerSecond: number): Promise<Row> {
  const metricsPort = await freePort()
  const { port, stop } = await startService({
    name: 'cache',
    database: bench.database,
    env: { METRICS_PORT: `${metricsPort}` },
  })
  const paths = drawPaths(pages, readsPerSecond * seconds)
  const reads = paths.map(
    (path): Request => ({ method: 'GET', path: `/api/v1${path}`, headers: { 'x-app-source': 'public' } }),
  )
  const [read, written] = await Promise.all([
    load({ port, requests: reads, connections: 64, seconds, rate: readsPerSecond }),
    writesPerSecond === 0
      ? null
      : load({
          port,
          requests: newPublications(bench),
          connections: 16,
          seconds,
          rate: writesPerSecond,
        }),
  ])
  const { hit = 0, miss = 0, shared = 0 } = await readOutcomes(metricsPort)
  await stop()
  const hits = hit / (hit + miss + shared)
  // Each page has to be read once.
  const ideal = 1 - new Set(paths).size / paths.length
  const refused = read.refused + (written?.refused ?? 0)
  return {
    scenario: `cache under writes, ${writesPerSecond} publications a second`,
    measured: `${percent(hits)} of ${whole(read.perSecond)}/s hit`,
    target: `≥ ${percent(leastHits)}`,
    verdict: verdictOf(hits >= leastHits && refused === 0),
    notes: [`at most ${percent(ideal)}`, ...(refused === 0 ? [] : [`${refused} refused`])],
    figures: { hits, ideal, shared, per_second: read.perSecond, written_per_second: written?.perSecond ?? 0 },
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`

/** Records, each kind in the order of how often it is read. */
type Pages = { communes: string[]; acteurs: string[]; publications: string[] }

async function listPages({ database, world }: Bench): Promise<Pages> {
  const ids = async (statement: string) => (await run(database.superuser, statement)).map(({ id }) => id)
  return {
    communes: await ids('select id from communes order by population desc nulls last, code_insee'),
    acteurs: await ids('select id from acteurs where active and deleted_at is null order by id limit 5000'),
    publications: world.publications.slice(0, 5_000),
  }
}

/** Draws pages: of twenty, fourteen are the list of a commune. */
function drawPaths({ communes, acteurs, publications }: Pages, count: number): string[] {
  const draw = zipf()
  const kinds = [
    ...Array<() => string>(14).fill(() => `/communes/${draw(communes)}/publications`),
    ...Array<() => string>(3).fill(() => `/publications/${draw(publications)}`),
    () => `/acteurs/${draw(acteurs)}/publications`,
    () => `/communes/${draw(communes)}/infos`,
    () => '/publications',
  ]
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]?.() ?? '')
}

/** Returns new publications, each in the commune of its acteur. */
function newPublications({ world }: Bench): Request[] {
  const headers = {
    'x-app-source': 'backoffice',
    authorization: `Bearer ${world.token}`,
    'content-type': 'application/json',
  }
  return Array.from({ length: 1_000 }, () => {
    const number = world.next()
    const acteur_id = world.publishing[number % world.publishing.length]
    const content = { title: `Vide-grenier ${number}`, body: 'Dimanche, sur la place.' }
    const body = JSON.stringify({ ...content, acteur_id })
    return { method: 'POST', path: '/api/v1/publications', headers, body }
  })
}

/** Returns a function that draws the n-th item n times less often than the first (Zipf's law). */
function zipf() {
  const random = randomOf(1)
  const sums = new Map<unknown[], number[]>()
  return (items: string[]): string => {
    let sum = 0
    const summed = sums.get(items) ?? items.map((_, at) => (sum += 1 / (at + 1)))
    sums.set(items, summed)
    const wanted = random() * (summed.at(-1) ?? 0)
    return items[summed.findIndex((each) => each >= wanted)] ?? ''
  }
}

async function readOutcomes(port: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const found = text.matchAll(/^cached_responses_total\{outcome="(\w+)"\} (\d+)/gm)
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]))
}
