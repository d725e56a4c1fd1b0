import { availableParallelism } from 'node:os'
import { type Bench, median, takeTurn, verdictOf, whole } from '../measure.ts'
import type { Process } from '../process.ts'
import type { Row } from '../report.ts'
import { scenarioNamed } from '../scenarios.ts'
import { startService } from '../service.ts'

/** Reads that an instance serves from memory, and reads from the database. */
const names = ["a commune's publications, from memory", "a commune's publications"]

/** Compares two instances on one database, each with its own load, with one instance that has both loads. */
export async function twoInstances(bench: Bench): Promise<Row[]> {
  const second = await startService({ name: 'second', database: bench.database })
  return compare(bench, 'two instances', second, (ask) => Promise.all([ask(bench.service), ask(second)]))
}

/** Compares two instances that share a port with a single one under the same load. */
export async function twoWorkers(bench: Bench): Promise<Row[]> {
  const env = { WORKERS: '2' }
  const workers = await startService({ name: 'workers', database: bench.database, env })
  return compare(bench, 'two workers', workers, async (ask) => [await ask(workers)])
}

type Ask = (process: Process) => Promise<{ perSecond: number }>

async function compare(
  bench: Bench,
  what: string,
  other: Process,
  askTwo: (ask: Ask) => Promise<{ perSecond: number }[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of names) {
    const scenario = scenarioNamed(name)
    const { world, pace } = bench
    const ask: Ask = ({ port }) =>
      takeTurn({ port, world, database: bench.database.superuser, scenario }, { seconds: pace.seconds })
    await askTwo(ask)
    const [one, two]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < pace.turns; turn++) {
      one.push((await ask(bench.service)).perSecond)
      two.push((await askTwo(ask)).reduce((sum, { perSecond }) => sum + perSecond, 0))
    }
    const ratio = median(two) / median(one)
    rows.push({
      scenario: `${what}: ${name}`,
      measured: `${whole(median(two))}/s; one ${whole(median(one))}/s; ${ratio.toFixed(2)}`,
      target: '≥ 1.6 × one',
      verdict: verdictOf(ratio >= 1.6),
      notes: availableParallelism() < 4 ? ['the load makers take a part of the same processors'] : [],
      figures: { two_per_second: median(two), one_per_second: median(one), ratio },
    })
  }
  await other.stop()
  return rows
}
