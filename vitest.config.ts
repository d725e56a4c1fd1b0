import { accessSync, constants, globSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { changedFiles, changedSince, testsOf } from './test/support/changed.ts'
import { type Round, rounds } from './test/support/rounds.ts'
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

const since = changedSince(process.argv)
/** Arguments choose among all files: `npm test -- test/browser/queue.test.ts`. */
const usualRound = process.argv.length > 3 && since === undefined ? 'all' : 'usual'
const round = (process.env.PARVIS_TEST_ROUND ?? usualRound) as Round
// Workers read it.
if (round === 'usual') process.env.PARVIS_TEST_SAMPLE ??= new Date().toISOString().slice(0, 10)

const ofRound = globSync(testFiles).filter(rounds[round])
const include = since === undefined ? ofRound : testsOf(changedFiles(since), ofRound)

export default defineConfig({
  test: {
    include,
    // Vitest's own choice of what a change concerns is nearly everything: each world imports every module.
    experimental: { vcsProvider: { findChangedFiles: async () => include } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/processor-time.ts', 'test/support/responses/matchers.ts'],
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
