import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Pool } from 'undici'
import type { Connection } from '../src/platform/database/connection.ts'
import { type BenchDatabase, run } from './connections.ts'
import { type Load, load, type Outcome } from './load/load.ts'
import { type Request, uncached } from './load/request.ts'
import type { Process } from './process.ts'
import type { Row } from './report.ts'
import { type Scenario, scenarioNamed, type Target } from './scenarios.ts'
import type { World } from './world.ts'

export type Pace = { turns: number; seconds: number; warmMs: number }
/** The service on a filled database with its baselines. */
export type Bench = {
  service: Process
  world: World
  database: BenchDatabase
  /** Another service with a hundredth of the data. */
  small: { service: Process; world: World; database: BenchDatabase }
  constant: Process
  byHand: Process
  pace: Pace
  say(text: string): void
}

const connections = 32
/** Twice as many as the service has for reads. Rates are measured with `connections` too: then requests queue. */
const databaseConnections = 8
/** Beyond this the load generator itself may be the limit. */
const busy = 0.9

export type Side = {
  port: number
  world: World
  database: Connection
  scenario: Scenario
  /** The corresponding request for a baseline. */
  insteadOf?: (request: Request) => Request
}

export async function measure(bench: Bench, scenario: Scenario): Promise<Row> {
  const { service, world, database } = bench
  const { target } = scenario
  const side = { port: service.port, world, database: database.superuser, scenario }
  const first = await ask(side)
  if (first.status === 404) return skipped(scenario.name, `${first.path} is not there`)
  if (first.status >= 400) return skipped(scenario.name, `${first.path} answered ${first.status}`)
  if ('atLeast' in target) return compareRates(bench, side, target)
  if ('timesSmallSet' in target)
    return compareTimes(bench, side, { ...side, ...smallOf(bench) }, target.timesSmallSet)
  if ('times' in target)
    return compareTimes(bench, side, { ...side, scenario: scenarioNamed(target.of.scenario) }, target.times)
  if ('databaseMs' in target) return timeDatabase(bench, side, target.databaseMs)
  return time(bench, side, target)
}

const smallOf = ({ small }: Bench) => ({
  port: small.service.port,
  world: small.world,
  database: small.database.superuser,
})

export const skipped = (scenario: string, note: string): Row => ({
  scenario,
  measured: '',
  target: '',
  verdict: 'skipped',
  notes: [note],
  figures: {},
})

/** Alternates between sides, so that other load on the machine affects both. */
async function turns(bench: Bench, sides: Side[], wanted: Partial<Load>): Promise<Turn[][]> {
  const outcomes: Turn[][] = sides.map(() => [])
  for (const side of sides) {
    const refusal = await warm(side, bench.pace)
    if (refusal !== null) bench.say(`  refused: ${refusal}`)
  }
  for (let turn = 0; turn < bench.pace.turns; turn++)
    for (const [at, side] of sides.entries())
      outcomes[at]?.push(await takeTurn(side, { seconds: bench.pace.seconds, ...wanted }))
  return outcomes
}

type Turn = Outcome & {
  /** Requests of a cached read beyond those for different records: the cache answers them. */
  repeated: number
}

export async function takeTurn(side: Side, wanted: Pick<Load, 'seconds'> & Partial<Load>): Promise<Turn> {
  const { port, scenario } = side
  const requests = await prepare(side)
  const usual = scenario.warm ? connections : databaseConnections
  const outcome = await load({ port, requests, connections: usual, ...wanted })
  const answered = Object.values(outcome.answered).reduce((sum, count) => sum + count, 0)
  return {
    ...outcome,
    repeated: isOfManyRecords(side, requests) ? Math.max(0, answered - requests.length) : 0,
  }
}

/** True for public reads of different records. */
const isOfManyRecords = ({ scenario, insteadOf }: Side, requests: Request[]) =>
  !scenario.warm && insteadOf === undefined && requests.length > 1 && requests[0]?.method === 'GET'

/** Prepares the requests of a turn after undoing the writes of the last one. */
async function prepare(side: Side): Promise<Request[]> {
  const { world, scenario, database, insteadOf } = side
  if (scenario.before !== undefined) {
    // The service may still be writing requests that the load generator gave up.
    await sleep(200)
    await run(database, scenario.before)
  }
  const requests = scenario.requests(world)
  if (insteadOf !== undefined) return requests.slice(0, 1).map(insteadOf)
  if (isOfManyRecords(side, requests)) {
    await emptyCache(database)
    return requests
  }
  if (!scenario.warm) return requests.map(uncached)
  if (!scenario.revalidates) return requests
  const { etag } = await ask(side)
  return requests.map((each) => ({ ...each, headers: { ...each.headers, 'if-none-match': etag } }))
}

/** Makes what the cache holds of this database out of date, as changes to all its tables would. */
async function emptyCache(database: Connection): Promise<void> {
  await run(
    database,
    `select pg_notify('parvis_changes', tag) from (
       select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       union all select 'publications*') changed (tag)`,
  )
  await sleep(100)
}

/** Warms up code, prepared statements and database pages. Returns a refused response as text, or null. */
async function warm(side: Side, { warmMs }: Pace): Promise<string | null> {
  const requests = await prepare(side)
  const pool = new Pool(`http://127.0.0.1:${side.port}`, { connections: databaseConnections })
  const end = performance.now() + warmMs
  let at = 0
  let refusal: string | null = null
  const askOn = async () => {
    while (performance.now() < end) {
      const { method, path, headers, body } = requests[at++ % requests.length] as Request
      const answer = await pool.request({
        method,
        path,
        headers,
        ...(body !== undefined && { body }),
      })
      const said = await answer.body.text()
      if (answer.statusCode >= 400) refusal ??= `${path} answered ${answer.statusCode}: ${said.slice(0, 200)}`
    }
  }
  await Promise.all(Array.from({ length: databaseConnections }, askOn))
  await pool.destroy()
  return refusal
}

async function compareRates(
  bench: Bench,
  side: Side,
  target: Extract<Target, { atLeast: number }>,
): Promise<Row> {
  const { of, atLeast } = target
  const notes: string[] = []
  const other = await otherSide(bench, side, of, notes)
  const name = typeof of === 'string' ? of : of.scenario
  const isWarm = side.scenario.warm === true
  const usual = await rates(bench, [side, other], isWarm ? connections : databaseConnections, notes)
  const many = isWarm ? null : await rates(bench, [side, other], connections, notes)
  const text = ({ own, others, ratio }: Rates) =>
    `${whole(own)}/s against ${whole(others)}/s; ${ratio.toFixed(2)}`
  return {
    scenario: side.scenario.name,
    measured: text(usual) + (many === null ? '' : `; ${connections} connections: ${text(many)}`),
    target: `≥ ${atLeast} of ${name}`,
    verdict: verdictOf(Math.min(usual.ratio, many?.ratio ?? usual.ratio) >= atLeast),
    notes: [...new Set(notes)],
    figures: {
      per_second: usual.own,
      baseline_per_second: usual.others,
      ratio: usual.ratio,
      p50_ms: usual.p50Ms,
      refused: usual.refused + (many?.refused ?? 0),
      ...(many !== null && { per_second_of_32: many.own, ratio_of_32: many.ratio }),
    },
  }
}

type Rates = { own: number; others: number; ratio: number; p50Ms: number; refused: number }

async function rates(bench: Bench, sides: Side[], connections: number, notes: string[]): Promise<Rates> {
  const [own = [], others = []] = await turns(bench, sides, { connections })
  noteLimits(notes, own, others)
  const [rate, otherRate] = [rateOf(own), rateOf(others)]
  return { own: rate, others: otherRate, ratio: rate / otherRate, p50Ms: p50Of(own), refused: refusedOf(own) }
}

/** Returns the baseline's side: it gets the same requests and returns as many bytes or the same JSON. */
async function otherSide(
  bench: Bench,
  side: Side,
  of: 'constant bytes' | 'by hand' | { scenario: string },
  notes: string[],
): Promise<Side> {
  if (typeof of === 'object') return { ...side, scenario: scenarioNamed(of.scenario) }
  const answer = await ask(side)
  if (of === 'constant bytes') {
    const bare = await fetch(`http://127.0.0.1:${bench.constant.port}/0`)
    const size = answer.size - headerBytes(bare.headers)
    const insteadOf = ({ method }: Request) => ({ method, path: `/${size}`, headers: {} })
    return { ...side, port: bench.constant.port, insteadOf }
  }
  const other = { ...side, port: bench.byHand.port }
  const byHand = await ask(other)
  if (byHand.status !== 200) notes.push(`by hand answered ${byHand.status}: ${byHand.text.slice(0, 80)}`)
  else if (byHand.method === 'GET' && !isDeepStrictEqual(JSON.parse(byHand.text), JSON.parse(answer.text)))
    notes.push('by hand answers something else')
  return other
}

async function compareTimes(bench: Bench, side: Side, other: Side, most: number): Promise<Row> {
  const [own = [], others = []] = await turns(bench, [side, other], { connections: 1 })
  const [p50, otherP50] = [p50Of(own), p50Of(others)]
  const name = side.scenario === other.scenario ? 'a hundredth' : other.scenario.name
  return {
    scenario: side.scenario.name,
    measured: `${ms(p50)} against ${ms(otherP50)}; ${(p50 / otherP50).toFixed(2)}`,
    target: `p50 ≤ ${most} × ${name}`,
    verdict: verdictOf(p50 <= most * otherP50),
    notes: [],
    figures: { p50_ms: p50, other_p50_ms: otherP50, ratio: p50 / otherP50, refused: refusedOf(own) },
  }
}

async function time(bench: Bench, side: Side, target: { p50Ms?: number; p99Ms?: number; rate?: number }) {
  const { p50Ms, p99Ms, rate } = target
  // One view is requested about once a second.
  const steady = { rate: rate ?? 0, connections: 128, seconds: 5 * bench.pace.seconds }
  const [own = []] = await turns(bench, [side], rate === undefined ? { connections: 1 } : steady)
  const [p50, p99] = [p50Of(own), median(own.map(({ p99Ms }) => p99Ms))]
  const wishes = [p50Ms !== undefined && `p50 ≤ ${p50Ms} ms`, p99Ms !== undefined && `p99 ≤ ${p99Ms} ms`]
  const reached = p50 <= (p50Ms ?? Number.POSITIVE_INFINITY) && p99 <= (p99Ms ?? Number.POSITIVE_INFINITY)
  return {
    scenario: side.scenario.name,
    measured: `p50 ${ms(p50)}; p99 ${ms(p99)}`,
    target: wishes.filter(Boolean).join(', '),
    verdict: verdictOf(reached && refusedOf(own) === 0),
    notes: refusedOf(own) > 0 ? [`${refusedOf(own)} refused`] : [],
    figures: { p50_ms: p50, p99_ms: p99, refused: refusedOf(own) },
  } satisfies Row
}

/** Measures PostgreSQL's own busy time per request. */
async function timeDatabase(bench: Bench, side: Side, most: number): Promise<Row> {
  await warm(side, bench.pace)
  const busyMs = async () => {
    // Each connection reports its statistics within a second.
    await sleep(1_500)
    const statement = 'select active_time from pg_stat_database where datname = current_database()'
    const [row] = await run(side.database, statement)
    return row.active_time as number
  }
  const before = await busyMs()
  const outcome = await takeTurn(side, { connections: 1, seconds: bench.pace.seconds })
  const each = ((await busyMs()) - before) / (outcome.perSecond * bench.pace.seconds)
  return {
    scenario: side.scenario.name,
    measured: ms(each),
    target: `≤ ${most} ms`,
    verdict: verdictOf(each <= most),
    notes: [],
    figures: { database_ms: each, per_second: outcome.perSecond },
  }
}

/** Sends the first request of a scenario and returns the response. */
async function ask({ port, world, scenario, database }: Side) {
  if (scenario.before !== undefined) await run(database, scenario.before)
  const [request] = scenario.requests(world)
  if (request === undefined) throw new Error(`${scenario.name} asks for nothing: has the data what it needs?`)
  const { method, path, headers, body } = request
  const url = `http://127.0.0.1:${port}${path}`
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const etag = answer.headers.get('etag') ?? ''
  const text = await answer.text()
  const size = Buffer.byteLength(text) + headerBytes(answer.headers)
  return { method, path, status: answer.status, etag, text, size }
}

const headerBytes = (headers: Headers) =>
  [...headers].reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)

function noteLimits(notes: string[], own: Turn[], others: Turn[]) {
  const isBusy = (outcomes: Outcome[]) => median(outcomes.map(({ makerCpu }) => makerCpu ?? 0)) >= busy
  if (isBusy(own)) notes.push('the load maker was the bottleneck')
  if (isBusy(others)) notes.push('of the baseline the load maker was the bottleneck')
  const repeated = own.reduce((sum, turn) => sum + turn.repeated, 0)
  if (repeated > 0) notes.push(`${whole(repeated)} requests were repeated, and served from memory`)
  if (refusedOf(own) > 0) notes.push(`${refusedOf(own)} refused`)
  if (refusedOf(others) > 0) notes.push(`${refusedOf(others)} refused by the baseline`)
}

const rateOf = (outcomes: Outcome[]) => median(outcomes.map(({ perSecond }) => perSecond))
const p50Of = (outcomes: Outcome[]) => median(outcomes.map(({ p50Ms }) => p50Ms))
const refusedOf = (outcomes: Outcome[]) => outcomes.reduce((sum, { refused }) => sum + refused, 0)
export const verdictOf = (reached: boolean) => (reached ? 'reached' : 'missed')
export const whole = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ')
export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
