import { load } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import { type Bench, median, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'
import { scenarioNamed } from '../scenarios.ts'

const mixed = [
  ...['communes list', 'one publication', "a commune's publications", 'search, at most 50 matches'],
  ...[
    'back-office, opening view',
    'dashboard',
    'create a publication',
    'moderate one',
    'report a publication',
  ],
]

/** Sends mixed load for minutes; the last third shows memory growth. */
export async function soak(bench: Bench, minutes: number): Promise<Row[]> {
  const { service, world } = bench
  const of = mixed.map((name) => scenarioNamed(name).requests(world).slice(0, 500))
  const requests: Request[] = Array.from({ length: 500 }, (_, at) =>
    of.flatMap((each) => each[at % each.length] ?? []),
  ).flat()
  const memory: number[] = []
  const timer = setInterval(() => memory.push(service.memoryMb() ?? 0), 1_000)
  const outcome = await load({ port: service.port, requests, connections: 16, seconds: minutes * 60 })
  clearInterval(timer)
  const third = Math.floor(memory.length / 3)
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))]
  return [
    {
      scenario: `memory over ${minutes} min of mixed load`,
      measured: `${whole(middle)} MB, then ${whole(last)} MB, at ${whole(outcome.perSecond)}/s`,
      target: 'the last third ≤ 1.1 × the middle one',
      verdict: verdictOf(last <= 1.1 * middle && memory.length > 30),
      notes: outcome.refused > 0 ? [`${outcome.refused} refused`] : [],
      figures: { middle_mb: middle, last_mb: last, per_second: outcome.perSecond, refused: outcome.refused },
    },
  ]
}
