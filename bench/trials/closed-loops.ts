import { load, type Outcome } from '../load/load.ts'
import { type Request, uncached } from '../load/request.ts'
import { type Bench, median, ms, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'
import { pendingPages, scenarioNamed } from '../scenarios.ts'

const loops = [16, 32, 64, 128]
const names = [
  'back-office, opening view',
  'publications of a large commune, page 1',
  'search, at most 50 matches',
  'moderate one',
  'create a publication',
]

/** Sends one request after the other per connection: 64 must be as fast as fewer, without refusals. */
export async function closedLoops(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of names) rows.push(await closedLoop(bench, name))
  return rows
}

async function closedLoop(bench: Bench, name: string): Promise<Row> {
  const { turns, seconds } = bench.pace
  // Fills the caches and the plans of all connections.
  await load({ ...ask(bench, name), connections: 64, seconds })
  const rates = loops.map((): number[] => [])
  let refusedUpTo64 = 0
  for (let turn = 0; turn < turns; turn++)
    for (const [index, connections] of loops.entries()) {
      const outcome = await load({ ...ask(bench, name), connections, seconds })
      rates[index]?.push(outcome.perSecond)
      if (connections <= 64) refusedUpTo64 += outcome.refused
    }
  const medians = rates.map(median)
  const best = Math.max(...medians)
  const at64 = (medians[loops.indexOf(64)] ?? 0) / best
  return {
    scenario: `closed loops of ${loops.join(', ')} connections: ${name}`,
    measured: `${medians.map(whole).join(', ')}/s; ${whole(refusedUpTo64)} refused up to 64`,
    target: 'none refused up to 64; at 64 ≥ 0.95 of the best',
    verdict: verdictOf(refusedUpTo64 === 0 && at64 >= 0.95),
    notes: [],
    figures: { at_64: at64, refused_up_to_64: refusedUpTo64, best_per_second: best },
  }
}

const ask = (bench: Bench, name: string) => {
  const requests = scenarioNamed(name).requests(bench.world).map(uncached)
  return { port: bench.service.port, requests }
}

/** Sends 300 lists of signed-in users and 500 public reads concurrently to an idle service. */
export async function burst(bench: Bench): Promise<Row[]> {
  return [
    await burstOf(bench, 'back-office, opening view', 'the opening view'),
    await burstOf(bench, pendingPages, 'other pages'),
  ]
}

async function burstOf(bench: Bench, name: string, shown: string): Promise<Row> {
  const [lists, reads] = [300, 500]
  const pages = ask(bench, name).requests
  const [record] = ask(bench, 'one publication').requests as [Request]
  const all = [
    ...Array.from({ length: lists }, (_, n) => pages[n % pages.length] as Request),
    ...Array<Request>(reads).fill(record),
  ]
  const paced = { port: bench.service.port, connections: 16, seconds: bench.pace.seconds }
  const listRate = (await load({ ...paced, requests: pages })).perSecond
  const readRate = (await load({ ...paced, requests: [record] })).perSecond
  const leastMs = 1_000 * (lists / listRate + reads / readRate)
  const outcome = await load({
    ...{ port: bench.service.port, requests: all, connections: all.length },
    seconds: 0,
  })
  const { answered } = outcome
  const maxMs = outcome.maxMs ?? 0
  const served = answered['200'] ?? 0
  const asked = Object.values(answered).reduce((sum, count) => sum + count, 0)
  return {
    scenario: `burst of ${lists} lists (${shown}) by signed-in people and ${reads} anonymous reads`,
    measured: `${whole(served)} of ${whole(asked)} served, in ${ms(maxMs)}; 16 connections need ${ms(leastMs)} for the same`,
    target: 'all served, in 1 s',
    verdict: verdictOf(served === asked && maxMs <= 1_000),
    notes: [],
    figures: { served, asked, max_ms: maxMs, least_ms: leastMs },
  }
}

/** Measures signed-in users while 256 anonymous connections send as fast as they can. */
export async function fairness(bench: Bench): Promise<Row> {
  const people = { ...ask(bench, pendingPages), connections: 32 }
  const anonymous = { ...ask(bench, 'one publication'), connections: 256 }
  const rounds: { calm: Outcome; during: Outcome; flood: Outcome }[] = []
  for (let round = 0; round < bench.pace.turns; round++) {
    // Of 50 requests a second, so that more than a few are slower than the p99.
    const seconds = bench.pace.turns > 1 ? 10 : 3
    const calm = await load({ ...people, rate: 50, seconds })
    const flooding = load({ ...anonymous, seconds: seconds + 1 })
    const during = await load({ ...people, rate: 50, seconds })
    rounds.push({ calm, during, flood: await flooding })
  }
  const calmMs = median(rounds.map(({ calm }) => calm.p99Ms))
  const duringMs = median(rounds.map(({ during }) => during.p99Ms))
  const refused = rounds.reduce((sum, { during }) => sum + during.refused, 0)
  const floodRate = median(rounds.map(({ flood }) => flood.perSecond))
  return {
    scenario: 'signed-in people during an anonymous flood of 256 connections',
    measured: `p99 ${ms(duringMs)}, calm ${ms(calmMs)}; ${refused} refused; flood ${whole(floodRate)}/s`,
    target: 'p99 ≤ 3 × calm, none refused',
    verdict: verdictOf(duringMs <= 3 * calmMs && refused === 0),
    notes: [],
    figures: { calm_p99_ms: calmMs, p99_ms: duringMs, refused },
  }
}

/** Sends from more clients than the queue holds; each retries immediately after a refusal. */
export async function askAgainAtOnce(bench: Bench): Promise<Row> {
  const asking = ask(bench, pendingPages)
  const seconds = Math.max(4, bench.pace.seconds)
  const peak = await load({ ...asking, connections: 16, seconds })
  const storm = await load({ ...asking, connections: 512, seconds: 2 * seconds })
  const goodput = storm.perSecond / peak.perSecond
  return {
    scenario: '512 clients that ask again at once',
    measured: `${whole(storm.perSecond)}/s of ${whole(peak.perSecond)}/s; ${whole(storm.refused)} refused`,
    target: 'goodput ≥ 80 %',
    verdict: verdictOf(goodput >= 0.8),
    notes: [],
    figures: { goodput, refused: storm.refused },
  }
}
