import { availableParallelism } from 'node:os'
import { load } from '../load/load.ts'
import { type Bench, median, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'
import { startService } from '../service.ts'

const names = ["a commune's publications, from memory", "a commune's publications"]

/** Two instances on one database, each with its own load, and one with both. */
export async function twoInstances(bench: Bench): Promise<Row[]> {
  const second = await startService({ name: 'second', database: bench.database })
  const rows: Row[] = []
  for (const name of names) {
    const { requests, warm } = bench.find(name)
    const ask = (port: number, connections: number) =>
      load({ port, requests: requests(bench.world), seconds: bench.pace.seconds, connections, unseen: !warm })
    const both = () => Promise.all([ask(bench.service.port, 16), ask(second.port, 16)])
    await both()
    const [one, two]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < bench.pace.turns; turn++) {
      one.push((await ask(bench.service.port, 32)).perSecond)
      two.push((await both()).reduce((sum, { perSecond }) => sum + perSecond, 0))
    }
    const ratio = median(two) / median(one)
    rows.push({
      scenario: `two instances: ${name}`,
      measured: `${whole(median(two))}/s; one ${whole(median(one))}/s; ${ratio.toFixed(2)}`,
      target: '≥ 1.6 × one',
      verdict: verdictOf(ratio >= 1.6),
      notes: availableParallelism() < 4 ? ['the load makers take a part of the same processors'] : [],
      figures: { two_per_second: median(two), one_per_second: median(one), ratio },
    })
  }
  await second.stop()
  return rows
}
