import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabases } from './databases.ts'
import type { Outcome } from './load/load.ts'
import { median, ms, type Side, takeTurn, whole } from './measure.ts'
import { directusScenarios, startDirectus } from './peers/directus.ts'
import { stopAll } from './process.ts'
import { scenarioNamed } from './scenarios.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * `npm run bench:peer -- --directus FOLDER`: the same work done by Directus, from a folder in which `npm install directus` ran. It gets
 * the same publications in one table, with an index for each of its lists, on the same PostgreSQL. Its administrator asks, for whom it
 * checks no permission; it records activity and revisions, as the service records its audit log. `--node` names another Node, which it
 * may need.
 */
const { values: options } = parseArgs({
  options: {
    directus: { type: 'string', default: '.' },
    node: { type: 'string', default: process.execPath },
    publications: { type: 'string', default: '300000' },
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '3' },
  },
})

const databases = await openDatabases((text) => process.stderr.write(`${text}\n`))
try {
  const filled = await databases.copy(Number(options.publications))
  const { superuser } = filled.database
  const peerDatabase = (await databases.create('bench_peer')).superuser
  const directus = await startDirectus(
    { folder: resolve(options.directus), node: options.node },
    peerDatabase,
    superuser,
  )
  const service = await startService({ name: 'service', database: filled.database })
  const world = await lookAround(filled)
  console.log('| what | Parvis | Directus | |\n| --- | --- | --- | --- |')
  for (const { name, requests } of directusScenarios) {
    const scenario = scenarioNamed(name)
    const { port } = scenario.warm === true ? directus.caching : directus.plain
    const sides = [
      { port: service.port, world, database: superuser, scenario },
      { port, world, database: peerDatabase, scenario: { ...scenario, requests } },
    ]
    const [own, others] = await alternate(sides)
    if (own !== undefined && others !== undefined)
      console.log(`| ${name} | ${shown(own)} | ${shown(others)} | ${(own.rate / others.rate).toFixed(1)} × |`)
  }
} finally {
  await stopAll()
  await databases.close()
}

type Shown = { rate: number; p50: number; p99: number }
function shown({ rate, p50, p99 }: Shown): string {
  return `${whole(rate)}/s; ${ms(p50)}, ${ms(p99)}`
}

async function alternate(sides: Side[]): Promise<Shown[]> {
  const turns: Outcome[][] = sides.map(() => [])
  for (let turn = 0; turn <= Number(options.turns); turn++)
    for (const [at, side] of sides.entries()) {
      const outcome = await takeTurn(side, { seconds: Number(options.seconds), connections: 8 })
      if (outcome.refused > 0)
        process.stderr.write(`${side.scenario.name}: ${JSON.stringify(outcome.answered)}\n`)
      // The first turn warms up.
      if (turn > 0) turns[at]?.push(outcome)
    }
  return turns.map((some) => ({
    rate: median(some.map(({ perSecond }) => perSecond)),
    p50: median(some.map(({ p50Ms }) => p50Ms)),
    p99: median(some.map(({ p99Ms }) => p99Ms)),
  }))
}
