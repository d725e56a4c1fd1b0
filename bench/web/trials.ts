import { get } from 'node:http'
import type { Page } from 'playwright-core'
import { median } from '../measure.ts'
import type { Row } from '../report.ts'
import type { BrowserPage, Stage } from './stage.ts'

type Trial = {
  name: string
  run(stage: Stage, decisions: number): Promise<Omit<Row, 'scenario'>>
}

/** Budgets of the back-office and of the public site, in the order in which they are measured. */
export const trials: Trial[] = [
  { name: 'gzip size until the queue is usable', run: size },
  { name: 'first view of the queue, processor slowed four times', run: firstView },
  { name: 'decision to next publication', run: nextPublication },
  { name: '50 decisions by scripted keyboard', run: fifty },
  { name: 'largest paint of a page of the site, processor slowed four times, slow 4G', run: largestPaint },
  { name: 'growth of the heap between decision 100 and the last', run: heap },
]

const result = (
  measured: string,
  target: string,
  isReached: boolean,
  figures: Record<string, number>,
): Omit<Row, 'scenario'> => ({
  measured,
  target,
  verdict: isReached ? 'reached' : 'missed',
  notes: [],
  figures,
})

async function size(stage: Stage) {
  const { page, close } = await stage.open()
  const paths = new Set<string>()
  page.on('request', (request) => {
    const { pathname, origin } = new URL(request.url())
    if (origin === stage.url && pathname.startsWith('/backoffice/')) paths.add(pathname)
  })
  await openQueue(page)
  const sizes = await Promise.all([...paths].map((path) => gzipSize(`${stage.url}${path}`)))
  await close()
  const kb = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000
  return result(`${Math.round(kb)} kB in ${paths.size} files`, '≤ 300 kB', kb <= 300, { kb })
}

function gzipSize(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
    resolve(Buffer.concat(await response.toArray()).length)
  }).on('error', reject)
  return promise
}

async function firstView(stage: Stage) {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const { page, close } = await stage.open(4)
    times.push(await openQueue(page))
    await close()
  }
  const p50 = quantile(times, 0.5)
  return result(`p50 ${Math.round(p50)} ms of 5`, '≤ 1500 ms', p50 <= 1_500, { p50 })
}

/** The network that Lighthouse calls slow 4G. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** The page of the commune of the newest publication, five times with an empty cache. */
async function largestPaint(stage: Stage) {
  const headers = { 'x-app-source': 'public' }
  const response = await fetch(`${stage.url}/api/v1/publications?per_page=1`, { headers })
  const { data } = (await response.json()) as { data: { commune: { slug: string } }[] }
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const { page, devTools, close } = await stage.open(4)
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', slow4G)
    await page.goto(`/communes/${data[0]?.commune.slug}`)
    times.push(await page.evaluate<number>(untilPainted))
    await close()
  }
  const p50 = quantile(times, 0.5)
  return result(`p50 ${Math.round(p50)} ms of 5`, '≤ 1500 ms', p50 <= 1_500, { p50 })
}

const untilPainted = `new Promise((done) =>
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`

async function nextPublication(stage: Stage) {
  const { page, close } = await begin(stage)
  const times: number[] = []
  for (let number = 0; number < 50; number++) times.push(await decide(page))
  await close()
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  const measured = `p50 ${Math.round(p50)} ms; p95 ${Math.round(p95)} ms`
  return result(measured, 'p95 ≤ 100 ms', p95 <= 100, { p50, p95 })
}

async function fifty(stage: Stage) {
  const { page, saved, close } = await begin(stage)
  const startedAt = performance.now()
  for (let number = 0; number < 50; number++) await page.keyboard.press('a')
  while (saved.size < 50 && performance.now() - startedAt < 60_000) await page.waitForTimeout(10)
  const seconds = (performance.now() - startedAt) / 1_000
  const lost = 50 - saved.size
  await close()
  const isReached = lost === 0 && seconds < 60
  return result(`${seconds.toFixed(1)} s; ${lost} lost`, '< 60 s; 0 lost', isReached, { seconds, lost })
}

/** Which functions V8 optimises, and when, differs from walk to walk: the median of three counts. */
async function heap(stage: Stage, decisions: number) {
  const walks: { growth: number; before: number }[] = []
  for (let walk = 0; walk < 3; walk++) walks.push(await walkedHeap(stage, decisions))
  const [growth, before] = [
    median(walks.map((each) => each.growth)),
    median(walks.map((each) => each.before)),
  ]
  const all = walks.map((each) => each.growth.toFixed(1)).join(', ')
  const measured = `${growth.toFixed(1)} % of ${before.toFixed(1)} MB, to decision ${decisions}; walks: ${all} %`
  return result(measured, '< 10 %', growth < 10, { growth, before })
}

async function walkedHeap(stage: Stage, decisions: number): Promise<{ growth: number; before: number }> {
  const opened = await begin(stage)
  const { page, close } = opened
  let before = 0
  for (let number = 1; number <= decisions; number++) {
    await decide(page)
    if (number === 100) before = await heapOf(opened)
  }
  const after = await heapOf(opened)
  await close()
  return { growth: (100 * (after - before)) / before, before }
}

/** Measures the heap after requests and toasts have ended and garbage is collected. */
async function heapOf({ page, devTools }: BrowserPage): Promise<number> {
  await page.waitForTimeout(12_000)
  for (let round = 0; round < 3; round++) await devTools.send('HeapProfiler.collectGarbage')
  return (await devTools.send('Runtime.getHeapUsage')).usedSize / 1_000_000
}

/** Opens the queue and returns the ms until its first row is drawn. */
async function openQueue(page: Page): Promise<number> {
  await page.goto('/backoffice/queue')
  return page.evaluate<number>('window.watched.firstRow()')
}

/** Opens the second publication of the queue: the first opens by itself. `saved`: publications whose decisions were saved. */
async function begin(stage: Stage) {
  const opened = await stage.open()
  const saved = new Set<string>()
  opened.page.on('response', (response) => {
    if (response.url().endsWith('/moderate') && response.ok()) saved.add(response.url())
  })
  await openQueue(opened.page)
  await press(opened.page, 'j')
  return { ...opened, saved }
}

const decide = (page: Page) => press(page, 'a')

/** Presses a key and returns the ms until another publication is drawn. */
async function press(page: Page, key: string): Promise<number> {
  await page.keyboard.press(key)
  return page.evaluate<number>('window.watched.shown()')
}

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0
