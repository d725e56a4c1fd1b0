import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../connections.ts'
import { load } from '../load/load.ts'
import { uncached } from '../load/request.ts'
import { type Bench, ms, verdictOf, whole } from '../measure.ts'
import { cpuSecondsBelow, cpuSecondsOf } from '../process.ts'
import type { Row } from '../report.ts'
import { pendingPages, scenarioNamed } from '../scenarios.ts'

const times = 5

/**
 * Sends five times what the service can handle, then normal load again. The peak is measured before and after it, because
 * the speed of a machine drifts.
 */
export async function overload(bench: Bench): Promise<Row[]> {
  const { port } = bench.service
  const seconds = bench.pace.turns > 1 ? 20 : 4
  const requests = scenarioNamed(pendingPages).requests(bench.world).map(uncached)
  const ask = { port, requests, seconds: seconds / 4, connections: 16 }
  await load(ask)
  const used = await cpuMeter(bench)
  const before = await load(ask)
  const atPeak = perCpuSecond(before.answered['200'] ?? 0, used())
  const calm = await load({ ...ask, seconds: 1, rate: 20, connections: 4 })
  used()
  const flood = await load({ ...ask, seconds, rate: before.perSecond * times, connections: 512 })
  const refused = flood.answered['503'] ?? 0
  const served = flood.answered['200'] ?? 0
  const inOverload = perCpuSecond(served, used())
  const backMs = await untilBack(bench, calm.p50Ms)
  const peakPerSecond = (before.perSecond + (await load(ask)).perSecond) / 2
  const goodput = served / seconds / peakPerSecond
  // wrk has one median for all responses, most of which are refusals.
  const refusalMs = flood.refusalMs ?? flood.p50Ms
  const others = Object.entries(flood.answered).filter(
    ([status]) => status !== '200' && status !== '503' && status !== 'unsent',
  )
  const unsent = flood.answered.unsent ?? 0
  const notes = [
    unsent > 0 && `${whole(unsent)} found no connection`,
    others.length > 0 && others.map(([status, count]) => `${count} × ${status}`).join(', '),
    atPeak !== null &&
      inOverload !== null &&
      `${whole(inOverload)} per second of service and PostgreSQL, ${whole(atPeak)} at the peak`,
    (flood.makerCpu ?? 0) >= 0.9 && 'the load maker was the bottleneck',
  ].filter((note) => note !== false)
  const asked = Object.values(flood.answered).reduce((sum, count) => sum + count, 0) - unsent
  return [
    {
      scenario: `overload: ${times} × the peak for ${seconds} s`,
      measured: `${whole(served / seconds)}/s of ${whole(peakPerSecond)}/s at the peak; ${whole(refused)} of ${whole(asked)} refused, in ${ms(refusalMs)}`,
      target: 'goodput ≥ 90 % of the peak; the rest 503, in 100 ms',
      verdict: verdictOf(goodput >= 0.9 && others.length === 0 && refusalMs <= 100),
      notes,
      figures: {
        peak_per_second: peakPerSecond,
        goodput,
        served_per_cpu_second: inOverload ?? 0,
        refused,
        asked,
        p50_ms: flood.p50Ms,
        p99_ms: flood.p99Ms,
        refusal_ms: refusalMs,
      },
    },
    {
      scenario: 'back to normal after it',
      measured: ms(backMs),
      target: '≤ 5 s',
      verdict: verdictOf(backMs <= 5_000),
      notes: [],
      figures: { back_ms: backMs },
    },
  ]
}

/**
 * Returns a function that returns the processor time that service and PostgreSQL used since its last call. The load
 * generator shares the processors, and needs a larger part of them in an overload.
 */
async function cpuMeter({ service, database }: Bench): Promise<() => number | null> {
  const [{ postmaster }] = await run(
    database.superuser,
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as postmaster",
  )
  const usedSoFar = () => {
    const [own, below] = [cpuSecondsOf(service.pid), cpuSecondsBelow(postmaster)]
    return own === null || below === null ? null : own + below
  }
  let last = usedSoFar()
  return () => {
    const before = last
    last = usedSoFar()
    return last === null || before === null ? null : last - before
  }
}

const perCpuSecond = (served: number, seconds: number | null) => seconds && served / seconds

/** Waits until responses take at most about twice as long as before. */
async function untilBack({ service, world }: Bench, defaultMs: number): Promise<number> {
  const [request] = scenarioNamed('back-office, opening view').requests(world)
  const startedAt = performance.now()
  for (; performance.now() - startedAt < 30_000; await sleep(50)) {
    const askedAt = performance.now()
    const answer = await fetch(`http://127.0.0.1:${service.port}${request?.path}`, {
      headers: request?.headers ?? {},
    })
    await answer.arrayBuffer()
    if (answer.ok && performance.now() - askedAt <= 2 * defaultMs + 5) break
  }
  return performance.now() - startedAt
}
