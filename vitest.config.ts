import { accessSync, constants, globSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { usesDatabase } from './test/support/database-files.ts'
import { slowest } from './test/support/slowest.ts'

// For workers and for the services that tests start: compiled code is cached on disk.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url))

// Tests make and remove hundreds of thousands of files. On a disk, ext4 looks through all files that were removed lately
// for each that it makes: cloning a database takes ten times as long after a few hundred.
if (hasRoom('/dev/shm')) process.env.TMPDIR ??= '/dev/shm'

/**
 * Starts the files that take longest first, so that none of them runs alone at the end: those of browsers, and in turn
 * with others those of processes, which mostly wait. Vitest does so by the durations of the last run; a fresh checkout
 * has none.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isIn = (folder: string) => (file: TestSpecification) => file.moduleId.includes(`/test/${folder}/`)
    const waiting = sorted.filter(isIn('processes'))
    const working = new Set([...sorted.filter(isIn('browser')), ...sorted]).difference(new Set(waiting))
    const inTurn = [...working].flatMap((file, place) => [file, waiting[place] ?? []].flat())
    return [...new Set([...inTurn, ...waiting])]
  }
}

const testFiles = ['src/**/*.test.ts', 'demo/**/*.test.ts', 'test/**/*.test.ts']

/**
 * What the usual round leaves to the rest: stories, save one for each door; what starts services, commands or PostgreSQL
 * servers as processes, save one crash round; the demo's content.
 */
const rest = globSync(
  [
    'test/{browser,processes}/**/*.test.ts',
    'src/{cli,embedded-postgres}/**/*.test.ts',
    'src/**/*.kill.test.ts',
    'src/supervisor.test.ts',
    'src/stop.test.ts',
    'src/web-app/web-app.test.ts',
    'demo/**/*.test.ts',
  ],
  { exclude: ['test/browser/doors.test.ts', 'test/processes/kill.test.ts'] },
)

/**
 * What runs only statements that other files run too, for rules of the interface, pages, commands or deaths of processes:
 * the round on another PostgreSQL leaves it out.
 */
const aboveDatabase = [
  'test/browser/**',
  'src/{site,mcp}/**',
  'src/web-app/**',
  'src/platform/http/{cache,overload}/**',
  'src/platform/http/*.test.ts',
  // All but migrate: their loaders, jobs and queries have tests of their own.
  'src/cli/!(migrate).test.ts',
  'demo/!(load).test.ts',
  'test/contract/{can,edge-cache,fuzz,hidden,no-escalation,openapi,permissions,planted-secrets}.test.ts',
  'test/contract/{alerts,bulkheads,cached-routes,direct-reads,limits,repeated-requests,rights,routes}.test.ts',
  'test/stories/**',
  'test/processes/{client-package,edge-caches,first-lines,mcp-conformance,mixed-load,proxies,release,replica}.test.ts',
  'test/processes/{three-instances,workers,wrong-database}.test.ts',
  '**/*.kill.test.ts',
]

/**
 * The files of each round. `database` is a round on another PostgreSQL, after a complete run: the files that use the
 * database of the run, each statement at least once.
 */
const rounds = {
  usual: () => globSync(testFiles, { exclude: rest }),
  rest: () => rest,
  all: () => testFiles,
  database: () => globSync(testFiles, { exclude: aboveDatabase }).filter((file) => usesDatabase(file)),
}

/** Arguments choose among all files: `npm test -- test/browser/queue.test.ts`. */
const usualRound = process.argv.length > 3 ? 'all' : 'usual'
const round = (process.env.PARVIS_TEST_ROUND ?? usualRound) as keyof typeof rounds

export default defineConfig({
  test: {
    include: rounds[round](),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/responses/matchers.ts'],
    // A loaded machine is slow, not wrong.
    testTimeout: process.env.PARVIS_TEST_LONG ? 600_000 : 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // Processes: many tests start programs, and each start copies the page tables of the process that makes it.
    pool: 'forks',
    // Test files restore global state themselves: importing everything anew for each would cost a second or more.
    isolate: false,
    // Tests make much garbage at once: with the usual 16 MB for new objects, a seventh of their processor time is its collection.
    execArgv: ['--max-semi-space-size=64'],
    // Two more than the processors of the smallest machine: many tests wait.
    maxWorkers: 4,
    reporters: ['default', slowest],
    sequence: { sequencer: LongestFirst },
  },
})

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 1024 ** 3
  } catch {
    return false
  }
}
