import { parseArgs } from 'node:util'
import { type Filled, openDatabases } from './databases.ts'
import { median, ms, takeTurn } from './measure.ts'
import { stopAll } from './process.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * `npm run bench:growth`: the median time of each list, search, write and page of the site for one client, at several
 * numbers of publications, and by how much the last exceeds the first.
 */
const { values: options } = parseArgs({
  options: {
    publications: { type: 'string', default: '30000,300000,3000000' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const counts = options.publications.split(',').map(Number)
const measured = scenarios.filter(isTimed)
const databases = await openDatabases((text) => process.stderr.write(`${text}\n`))
try {
  const columns: number[][] = []
  for (const count of counts) columns.push(await timesAt(await databases.copy(count)))
  const names = counts.map((count) => count.toLocaleString('en').replaceAll(',', ' '))
  console.log(`| p50 of one client | ${names.join(' | ')} | last / first |`)
  console.log(`| --- |${' ---: |'.repeat(counts.length + 1)}`)
  for (const [at, { name }] of measured.entries()) {
    const times = columns.map((column) => column[at] ?? 0)
    const growth = (times.at(-1) ?? 0) / (times[0] ?? 0)
    console.log(`| ${name} | ${times.map(ms).join(' | ')} | ${growth.toFixed(2)} |`)
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

async function timesAt(filled: Filled): Promise<number[]> {
  const { superuser } = filled.database
  const { port, stop } = await startService({ name: 'growth', database: filled.database })
  const world = await lookAround(filled)
  const times: number[] = []
  for (const scenario of measured) {
    const side = { port, world, database: superuser, scenario }
    await takeTurn(side, { connections: 1, seconds: 1 })
    const turns: number[] = []
    for (let turn = 0; turn < Number(options.turns); turn++) {
      const { p50Ms, refused } = await takeTurn(side, { connections: 1, seconds: Number(options.seconds) })
      if (refused > 0) process.stderr.write(`${refused} of ${scenario.name} were refused\n`)
      turns.push(p50Ms)
    }
    times.push(median(turns))
    process.stderr.write(`  ${scenario.name}: ${ms(times.at(-1) ?? 0)}\n`)
  }
  await stop()
  return times
}
