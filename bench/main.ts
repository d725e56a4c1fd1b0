import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { urlOf } from './connections.ts'
import { openDatabases } from './databases.ts'
import { loadMaker } from './load/load.ts'
import { type Bench, measure } from './measure.ts'
import { startProcess, stopAll } from './process.ts'
import { circumstances, type Row, tableOf, writePage } from './report.ts'
import { defibrillateurScenarios, scenarios } from './scenarios.ts'
import { startService } from './service.ts'
import { importItems, syncDefibrillateurs } from './trials/background.ts'
import { alerteByGroup, alerteToMany, openSinks } from './trials/broadcast.ts'
import { cacheUnderWrites } from './trials/cache-under-writes.ts'
import { askAgainAtOnce, burst, closedLoops, fairness } from './trials/closed-loops.ts'
import { events } from './trials/events.ts'
import { everyList } from './trials/every-list.ts'
import { footprint } from './trials/footprint.ts'
import { listsInGroups } from './trials/groups.ts'
import { twoInstances, twoWorkers } from './trials/instances.ts'
import { serve } from './trials/long-work.ts'
import { overload } from './trials/overload.ts'
import { readersOfAnAlerte } from './trials/readers.ts'
import { registryOf } from './trials/registry.ts'
import { readReplica } from './trials/replica.ts'
import { pageWithSeries } from './trials/series.ts'
import { soak } from './trials/soak.ts'
import { walks } from './trials/walks.ts'
import { lookAround } from './world.ts'

/** `npm run bench`: produces the figures of docs/performance-last-run.md. */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    publications: { type: 'string' },
    subscribers: { type: 'string' },
    only: { type: 'string', default: '' },
    soak: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const { quick, only } = options
const count = Number(options.publications ?? (quick ? 20_000 : 1_000_000))
const pace = quick ? { turns: 1, seconds: 1, warmMs: 200 } : { turns: 3, seconds: 2, warmMs: 1_000 }
/** Of a group, half of them by mail. */
const subscribers = Number(options.subscribers ?? 20_000)
const defibrillateurs = Math.floor(count * 0.19)
const say = (text: string) => process.stderr.write(`${text}\n`)
const startedAt = performance.now()

const databases = await openDatabases(say)
try {
  const [large, small] = [await databases.copy(count), await databases.copy(count / 100)]
  const registry = await serve(registryOf(defibrillateurs))
  const sinks = await openSinks()
  const url = urlOf(large.database.superuser)
  const here = (file: string) => [join(import.meta.dirname, 'baselines', file)]
  const baseline = (name: string, readyPath: string) =>
    startProcess({ name, arguments: here(`${name}.ts`), env: { DATABASE_URL: url }, readyPath })
  const bench: Bench = {
    service: await startService({
      name: 'service',
      database: large.database,
      env: { GEODAE_CSV_URL: registry.url },
    }),
    world: await lookAround(large),
    database: large.database,
    small: {
      service: await startService({ name: 'small', database: small.database, env: sinks.env }),
      world: await lookAround(small),
      database: small.database,
    },
    constant: await baseline('constant', '/1'),
    byHand: await baseline('by-hand', '/api/v1/publications/types'),
    pace,
    say,
  }
  const rows =
    options.soak === undefined ? await measureAll(bench, sinks) : await soak(bench, Number(options.soak))
  await Promise.all([registry.close(), sinks.close()])
  const about = circumstances({
    postgresql: databases.version,
    loadMaker,
    publications: count,
    turns: `medians of ${pace.turns} × ${pace.seconds} s`,
  })
  const table = tableOf(about, rows)
  console.log(table)
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...about, rows }, null, 2)}\n`)
  if (options.keep) writePage(about, rows)
  say(`In ${Math.round((performance.now() - startedAt) / 1_000)} s.`)
} finally {
  await stopAll()
  await databases.close()
}

async function measureAll(bench: Bench, sinks: Awaited<ReturnType<typeof openSinks>>): Promise<Row[]> {
  const rows: Row[] = []
  const add = async (name: string, measured: () => Promise<Row[]>) => {
    if (!only.split(',').some((part) => name.includes(part))) return
    say(name)
    rows.push(...(await measured()))
  }
  await add('footprint', () => footprint(bench))
  for (const scenario of scenarios) await add(scenario.name, async () => [await measure(bench, scenario)])
  await add('every filter with every sort', () => everyList(databases, say, Math.min(count, 300_000)))
  await add("site, a commune's page, with series", () => pageWithSeries(bench))
  await add('publications of a commune in three groups', () => listsInGroups(bench))
  await add('walks', () => walks(bench, count))
  await add('sync', () => syncDefibrillateurs(bench, defibrillateurs))
  for (const scenario of defibrillateurScenarios)
    await add(scenario.name, async () => [await measure(bench, scenario)])
  await add('import', () => importItems(bench, quick ? 2_000 : 20_000))
  await add('alerte to 10 000 subscribers', () => alerteToMany(bench, sinks, 10_000))
  await add('alerte by a group', () => alerteByGroup(bench, sinks, subscribers / 2))
  await add('readers of an alerte', () => readersOfAnAlerte(bench))
  await add('two instances', () => twoInstances(bench))
  await add('cache under writes', () => cacheUnderWrites(bench))
  await add('a read replica', () => readReplica(bench))
  await add('two workers', () => twoWorkers(bench))
  await add('events', () => events(bench))
  await add('closed loops', () => closedLoops(bench))
  await add('burst', () => burst(bench))
  await add('flood', async () => [await fairness(bench), await askAgainAtOnce(bench)])
  await add('overload', () => overload(bench))
  return rows
}
