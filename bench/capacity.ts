import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { restoreBackup } from '../src/platform/database/backup/restore-backup.ts'
import { takeBackup } from '../src/platform/database/backup/take-backup.ts'
import { run } from './connections.ts'
import { type Databases, type Filled, openDatabases } from './databases.ts'
import { loadMaker } from './load/load.ts'
import { type Side, takeTurn, whole } from './measure.ts'
import { folder, stopAll } from './process.ts'
import { circumstances } from './report.ts'
import { scenarioNamed } from './scenarios.ts'
import { startService } from './service.ts'
import { lookAround } from './world.ts'

/**
 * `npm run bench:capacity`: measures what a number of publications needs, at several numbers, and with `--keep`
 * writes the tables into docs/capacity.md.
 */
const { values: options } = parseArgs({
  options: {
    publications: { type: 'string', default: '100000,1000000,3000000' },
    seconds: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
  },
})

type Figures = Map<string, string>

/** Above it the disk of a usual machine holds no second copy, and rows take hours to be restored. */
const countToCopy = 5_000_000

/** Requests by one client at a time: names for the table, and scenarios. */
const timed = [
  ['publications, page 1', 'publications, page 1'],
  ['a large commune', 'publications of a large commune, page 1'],
  ['an acteur', "an acteur's publications"],
  ['one publication', 'one publication'],
  ['search, at most 50 matches', 'search, at most 50 matches'],
  ['search, one in a hundred matches', 'search, 10 000 matches of a million'],
  ['search, one in three matches', 'search, a third of all'],
  ['agenda from a day on', 'agenda, page 1'],
  ['back-office, what waits', 'back-office, opening view'],
  ['back-office, three filters', 'back-office, three filters'],
  ['back-office, last page', 'back-office, last page'],
  ['dashboard', 'dashboard'],
  ['create a publication', 'create a publication'],
  ['moderate one', 'moderate one'],
  ['report a publication', 'report a publication'],
] as const

const say = (text: string) => process.stderr.write(`${text}\n`)
const seconds = Number(options.seconds)
const counts = options.publications.split(',').map(Number)
const databases = await openDatabases(say)
try {
  const columns = new Map<number, Figures>()
  for (const count of counts) {
    const filled = await (count > countToCopy ? databases.take(count) : databases.copy(count))
    columns.set(count, await measureSize(databases, filled))
  }
  const about = circumstances({
    postgresql: databases.version,
    loadMaker,
    publications: 0,
    turns: `${seconds} s each`,
  })
  const table = `${tableOf(columns)}\nCommit ${about.commit}, ${about.date}; ${about.machine}; PostgreSQL ${about.postgresql}.\n`
  console.log(table)
  if (options.keep) keep(table)
} finally {
  await stopAll()
  await databases.close()
}

async function measureSize(all: Databases, filled: Filled): Promise<Figures> {
  const { database } = filled
  const { superuser } = database
  const figures: Figures = new Map()
  const note = (name: string, value: string) => {
    say(`  ${name}: ${value}`)
    figures.set(name, value)
  }
  for (const [name, value] of await storageOf(filled)) note(name, value)

  const service = await startService({ name: 'capacity', database })
  note('later start', inMs(service.startMs))
  await sleep(3_000)
  note('memory of an idle process', megabytes(service.memoryMb()))
  const world = await lookAround(filled)
  for (const [name, scenario] of timed) {
    const side = { port: service.port, world, database: superuser, scenario: scenarioNamed(scenario) }
    note(`${name}: p50; p99`, await timesOf(side))
  }
  note('memory after these reads and writes', megabytes(service.memoryMb()))
  await service.stop()

  note('vacuum (analyze) of all tables', await took(() => run(superuser, 'vacuum (analyze)')))
  const index = 'create index concurrently capacity_trial on publications (acteur_id, created_at, id)'
  note('an index on publications, without blocking', await took(() => run(superuser, index)))
  await run(superuser, 'drop index capacity_trial')
  const lists = 'select rebuild_publication_lists()'
  note('public lists built again', await took(() => run(superuser, lists)))
  if (filled.count <= countToCopy) await measureRowBackup(all, filled, note)
  await all.drop(`bench_${filled.count}`)
  return figures
}

async function measureRowBackup(
  all: Databases,
  { database }: Filled,
  note: (name: string, value: string) => void,
): Promise<void> {
  const file = join(folder, 'capacity.backup')
  rmSync(file, { force: true })
  note('backup of all rows', await took(() => takeBackup(database.owner, {}, file)))
  note('size of the backup', megabytes(statSync(file).size / 2 ** 20))
  const empty = await all.create('bench_restored')
  note('restore into an empty database', await took(() => restoreBackup(empty, file)))
  rmSync(file)
  await all.drop('bench_restored')
}

/** Returns rows and disk space of the largest tables, and of the whole database. */
async function storageOf({ database }: Filled): Promise<[string, string][]> {
  const [{ publications, acteurs, entries, words, indexes, rest, total }] = await run(
    database.superuser,
    `select (select count(*) from publications) as publications, (select count(*) from acteurs) as acteurs,
       (select count(*) from audit_log) as entries,
       pg_table_size('publications') as words, pg_indexes_size('publications') as indexes,
       pg_database_size(current_database()) as total,
       (select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relname in ('publication_listings', 'publication_changes', 'duplicate_groups', 'publication_communes')) as rest`,
  )
  return [
    ['publications', whole(Number(publications))],
    ['acteurs', whole(Number(acteurs))],
    ['audit entries', whole(Number(entries))],
    ['publications on disk, without indexes', megabytes(Number(words) / 2 ** 20)],
    ['their indexes', megabytes(Number(indexes) / 2 ** 20)],
    ['their stored lists and counts', megabytes(Number(rest) / 2 ** 20)],
    ['the whole database', megabytes(Number(total) / 2 ** 20)],
  ]
}

async function timesOf(side: Side): Promise<string> {
  await takeTurn(side, { connections: 1, seconds: 1 })
  const { p50Ms, p99Ms, refused } = await takeTurn(side, { connections: 1, seconds })
  return `${inMs(p50Ms)}; ${inMs(p99Ms)}${refused > 0 ? ` (${refused} refused)` : ''}`
}

async function took(work: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now()
  await work()
  const spent = (performance.now() - startedAt) / 1_000
  return `${spent < 10 ? spent.toFixed(1) : whole(spent)} s`
}

function inMs(value: number): string {
  return `${value < 10 ? value.toFixed(1) : whole(value)} ms`
}
function megabytes(mb: number | null): string {
  return mb === null ? 'unknown' : `${whole(mb)} MB`
}

function tableOf(columns: Map<number, Figures>): string {
  const all = [...columns.values()]
  const names = [...(all[0]?.keys() ?? [])].filter((name) => name !== 'publications')
  const lines = [
    ['', ...all.map((figures) => `${figures.get('publications')} publications`)],
    ['---', ...all.map(() => '---:')],
    ...names.map((name) => [name, ...all.map((figures) => figures.get(name) ?? '')]),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** Replaces the table of docs/capacity.md, between the two marks. */
function keep(table: string): void {
  const file = join(import.meta.dirname, '../docs/capacity.md')
  const page = readFileSync(file, 'utf8')
  const [begin, end] = [
    '<!-- Written by `npm run bench:capacity -- --keep`. -->\n',
    '<!-- End of the table. -->',
  ]
  const [before = '', rest = ''] = page.split(begin)
  writeFileSync(file, `${before}${begin}\n${table}\n${end}${rest.split(end)[1] ?? ''}`)
}
