import { parseArgs } from 'node:util'
import { makePublications } from './data.ts'
import { openDatabases } from './databases.ts'
import { median, type Side, takeTurn } from './measure.ts'
import { makeOthers } from './other-data.ts'
import { cpuSecondsOf, stopAll } from './process.ts'
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

type Turn = { perSecond: number; cpuUs: number }
const count = Number(options.publications)
const databases = await openDatabases(() => {})
try {
  const [before, after] = [await open('before', options.before), await open('after', options.after)]
  console.log(`${count} publications: requests/s, and µs of the service's processor per request`)
  console.log(
    ['before', 'after', 'ratio', 'before', 'after', 'ratio'].reduce(inColumns, 'scenario'.padEnd(50)),
  )
  for (const scenario of scenarios.filter(isCompared)) {
    const turns: [Turn, Turn][] = []
    for (let turn = 0; turn < Number(options.turns); turn++)
      turns.push([await turnOf({ ...before, scenario }), await turnOf({ ...after, scenario })])
    const figures = (['perSecond', 'cpuUs'] as const).flatMap((name) => {
      const [one, other] = [
        median(turns.map(([turn]) => turn[name])),
        median(turns.map(([, turn]) => turn[name])),
      ]
      return [one.toFixed(0), other.toFixed(0), (other / one).toFixed(2)]
    })
    console.log(figures.reduce(inColumns, scenario.name.padEnd(50)))
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

function inColumns(line: string, figure: string): string {
  return line + figure.padStart(9)
}

/** The processor time varies less than the rate when other work shares the machine. */
async function turnOf({ pid, ...side }: Side & { pid: number }): Promise<Turn> {
  const [seconds, before] = [Number(options.seconds), cpuSecondsOf(pid) ?? 0]
  const { refused, perSecond } = await takeTurn(side, { seconds })
  if (refused > 0) console.log(`${refused} were refused:`)
  const cpuS = (cpuSecondsOf(pid) ?? 0) - before
  return { perSecond, cpuUs: (cpuS / (perSecond * seconds)) * 1e6 }
}

async function open(name: string, checkout: string): Promise<Omit<Side, 'scenario'> & { pid: number }> {
  const database = await databases.create(`bench_${name}`)
  // Migrates and loads the communes.
  const { port, pid } = await startService({ name, database, checkout })
  const landmarks = await makePublications(database.superuser, count)
  await makeOthers(database.superuser, count)
  return { port, pid, database: database.superuser, world: await lookAround({ database, landmarks, count }) }
}
