import { type Bench, skipped, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'
import { asAdmin } from './long-work.ts'

const list = '/admin/publications?sort=titre_asc&per_page=100'
const steps = 50
const maxTimes = 1.5
const goalS = 60
const maxGrowthMb = 50

/** Measures the list of publications by cursor, its end against its beginning, and its file export. */
export const walks = async (bench: Bench, publications: number): Promise<Row[]> => [
  await measureDepth(bench),
  ...(await measureFile(bench, publications)),
]

async function measureDepth(bench: Bench): Promise<Row> {
  const scenario = 'back-office list by cursor, at its end'
  const begin = await pageOf(bench, list)
  if (begin.next === undefined) return skipped(scenario, 'the list has no cursor')
  // A few pages before the last one.
  const deep = await pageOf(bench, `${list}&page=${Math.max(1, begin.lastPage - steps - 1)}`)
  const first = await medianStepMs(bench, begin.next)
  const last = await medianStepMs(bench, deep.next ?? null)
  return {
    scenario,
    measured: `${whole(last)} ms, at its beginning ${whole(first)} ms`,
    target: `≤ ${maxTimes} × its beginning`,
    verdict: verdictOf(last <= maxTimes * first),
    notes: [],
    figures: { first_ms: first, last_ms: last },
  }
}

async function medianStepMs(bench: Bench, from: string | null): Promise<number> {
  const times: number[] = []
  for (let next: string | null | undefined = from; next && times.length < steps; ) {
    const startedAt = performance.now()
    ;({ next } = await pageOf(bench, `${list}&after=${next}`))
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

async function pageOf(bench: Bench, path: string): Promise<{ next?: string | null; lastPage: number }> {
  const { meta } = (await (await asAdmin(bench, 'GET', path)).json()) as {
    meta?: { next?: string | null; last_page?: number }
  }
  return { ...(meta?.next !== undefined && { next: meta.next }), lastPage: meta?.last_page ?? 1 }
}

async function measureFile(bench: Bench, publications: number): Promise<Row[]> {
  const scenario = 'back-office list as CSV'
  const before = bench.service.memoryMb()
  const first = await readFile(bench)
  if (first === null) return [skipped(scenario, 'it is not there')]
  const second = await readFile(bench)
  const goal = Math.max(2, (goalS * publications) / 1_000_000)
  const grown = (second?.maxMb ?? 0) - first.maxMb
  const toFirst = first.maxMb - (before ?? 0)
  const figures = { ...first, grown_mb: grown, first_grown_mb: toFirst }
  return [
    {
      figures,
      notes: [],
      scenario,
      measured: `${whole(first.seconds)} s`,
      target: `≤ ${whole(goal)} s`,
      verdict: verdictOf(first.seconds <= goal),
    },
    {
      figures,
      // V8 first collects old objects at a size of its own choice, whatever the size of the file.
      notes: [`the first file: ${whole(toFirst)} MB`],
      scenario: `${scenario}, growth of memory by a second file`,
      measured: before === null ? '' : `${whole(Math.max(0, grown))} MB`,
      target: `≤ ${maxGrowthMb} MB`,
      verdict: before === null ? 'skipped' : verdictOf(grown <= maxGrowthMb),
    },
  ]
}

/** Downloads all publications; null if they cannot be had as CSV. */
async function readFile(bench: Bench): Promise<{ seconds: number; bytes: number; maxMb: number } | null> {
  const startedAt = performance.now()
  const answer = await asAdmin(bench, 'GET', '/admin/publications?deleted=true', undefined, 'text/csv')
  if (!answer.headers.get('content-type')?.startsWith('text/csv')) return null
  let [bytes, maxMb] = [0, 0]
  for await (const part of answer.body ?? []) {
    bytes += part.length
    maxMb = Math.max(maxMb, bench.service.memoryMb() ?? 0)
  }
  return { seconds: (performance.now() - startedAt) / 1_000, bytes, maxMb }
}
