import { parseArgs } from 'node:util'
import { type Filled, openDatabases } from './databases.ts'
import type { Outcome } from './load/load.ts'
import { median, ms, takeTurn } from './measure.ts'
import { stopAll } from './process.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * `npm run bench:growth`: the median and the 99th percentile of each list, search, write and page of the site for one client, at
 * several numbers of publications, and by how much the last median exceeds the first.
 */
const { values: options } = parseArgs({
  options: {
    publications: { type: 'string', default: '30000,300000,3000000' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
type Times = { p50: number; p99: number }
const inMs = ({ p50, p99 }: Times) => `${ms(p50)}; ${ms(p99)}`
const counts = options.publications.split(',').map(Number)
const measured = scenarios.filter(isTimed)
const databases = await openDatabases((text) => process.stderr.write(`${text}\n`))
try {
  const columns: Times[][] = []
  for (const count of counts) columns.push(await timesAt(await databases.copy(count)))
  const names = counts.map((count) => count.toLocaleString('en').replaceAll(',', ' '))
  console.log(`| p50; p99 of one client | ${names.join(' | ')} | last / first |`)
  console.log(`| --- |${' ---: |'.repeat(counts.length + 1)}`)
  for (const [at, { name }] of measured.entries()) {
    const times = columns.flatMap((column) => column[at] ?? [])
    const growth = (times.at(-1)?.p50 ?? 0) / (times[0]?.p50 ?? 0)
    console.log(`| ${name} | ${times.map(inMs).join(' | ')} | ${growth.toFixed(2)} |`)
  }
} finally {
  await stopAll()
  await databases.close()
}

/** Returns false for scenarios that are served from memory, or repeat another at a rate or in PostgreSQL. */
function isTimed({ name, target, warm }: Scenario): boolean {
  const isChosen = options.only.split(',').some((part) => name.includes(part))
  return isChosen && warm !== true && !('rate' in target) && !('databaseMs' in target)
}

async function timesAt(filled: Filled): Promise<Times[]> {
  const { superuser } = filled.database
  const { port, stop } = await startService({ name: 'growth', database: filled.database })
  const world = await lookAround(filled)
  const times: Times[] = []
  for (const scenario of measured) {
    const side = { port, world, database: superuser, scenario }
    await takeTurn(side, { connections: 1, seconds: 1 })
    const turns: Outcome[] = []
    for (let turn = 0; turn < Number(options.turns); turn++)
      turns.push(await takeTurn(side, { connections: 1, seconds: Number(options.seconds) }))
    const refused = turns.reduce((sum, turn) => sum + turn.refused, 0)
    if (refused > 0) process.stderr.write(`${refused} of ${scenario.name} were refused\n`)
    const found = {
      p50: median(turns.map(({ p50Ms }) => p50Ms)),
      p99: median(turns.map(({ p99Ms }) => p99Ms)),
    }
    times.push(found)
    process.stderr.write(`  ${scenario.name}: ${inMs(found)}\n`)
  }
  await stop()
  return times
}
