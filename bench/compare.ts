import { parseArgs } from 'node:util'
import { makePublications } from './data.ts'
import { openDatabases } from './databases.ts'
import { median, type Side, takeTurn } from './measure.ts'
import { makeOthers } from './other-data.ts'
import { stopAll } from './process.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * Compares two checkouts of the service, alternating, each on its own tables with the same data:
 * `npm run bench:compare -- --before ../parvis-before`
 */
const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: '.' },
    publications: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '3' },
  },
})
if (options.before === undefined)
  throw new Error('Say what to compare with: --before <folder of a checkout>.')

const count = Number(options.publications)
const databases = await openDatabases(() => {})
try {
  const [before, after] = [await open('before', options.before), await open('after', options.after)]
  console.log(`${count} publications, requests/s:`)
  console.log(`${'scenario'.padEnd(50)}${'before'.padStart(9)}${'after'.padStart(9)}${'ratio'.padStart(8)}`)
  for (const scenario of scenarios.filter(isCompared)) {
    const rates: [number, number][] = []
    for (let turn = 0; turn < Number(options.turns); turn++)
      rates.push([await rateOf({ ...before, scenario }), await rateOf({ ...after, scenario })])
    const [one, other] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))]
    const figures = [
      one.toFixed(0).padStart(9),
      other.toFixed(0).padStart(9),
      (other / one).toFixed(2).padStart(8),
    ]
    console.log(scenario.name.padEnd(50) + figures.join(''))
  }
} finally {
  await stopAll()
  await databases.close()
}

/** Returns false for scenarios that repeat another one at a fixed rate or in PostgreSQL. */
function isCompared({ name, target }: Scenario): boolean {
  return (
    options.only.split(',').some((part) => name.includes(part)) &&
    !('rate' in target) &&
    !('databaseMs' in target)
  )
}

async function rateOf(side: Side): Promise<number> {
  const outcome = await takeTurn(side, { seconds: Number(options.seconds) })
  if (outcome.refused > 0) console.log(`${outcome.refused} were refused:`)
  return outcome.perSecond
}

async function open(name: string, checkout: string): Promise<Omit<Side, 'scenario'>> {
  const database = await databases.create(`bench_${name}`)
  // Migrates and loads the communes.
  const { port } = await startService({ name, database, checkout })
  const landmarks = await makePublications(database.superuser, count)
  await makeOthers(database.superuser, count)
  return { port, database: database.superuser, world: await lookAround({ database, landmarks, count }) }
}
