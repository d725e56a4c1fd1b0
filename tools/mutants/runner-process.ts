import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import pg from 'pg'
import { createVitest, type TestSpecification } from 'vitest/node'

/**
 * Receives the mutated file and its tests by message. Runs the first test alone, then more and more together.
 * A failure ends the run, so few tests run unnecessarily.
 */

class AsGiven {
  sort(files: TestSpecification[]) {
    return files
  }
  shard(files: TestSpecification[]) {
    return files
  }
}

const reached = mkdtempSync(join(tmpdir(), 'parvis-reached-'))
process.on('exit', () => rmSync(reached, { recursive: true }))
const vitest = await createVitest({
  watch: false,
  maxWorkers: 1,
  bail: 1,
  reporters: [{}],
  testTimeout: 30_000,
  setupFiles: ['test/support/responses/matchers.ts', 'tools/mutants/reach.ts'],
  sequence: { sequencer: AsGiven },
})
const known = await vitest.globTestSpecifications()
vitest.provide('reached', reached)
let changedBefore = ''

process.on('message', async ({ changed, tests }: { changed: string; tests: string[] }) => {
  const begun = Date.now()
  for (const file of [changedBefore, changed]) vitest.invalidateFile(resolve(file))
  changedBefore = changed
  let failed: string | null = null
  for (let at = 0, size = 1; failed === null && at < tests.length; size = Math.ceil(at / 2)) {
    failed = await firstFailed(tests.slice(at, at + size))
    at += size
    process.send?.('goes on')
  }
  await dropLeftovers()
  process.send?.({ failed, ms: Date.now() - begun, reached: failed === null ? readReached(tests) : {} })
})
process.on('disconnect', () => vitest.close().finally(() => process.exit()))

async function firstFailed(tests: string[]): Promise<string | null> {
  // Failures of the previous run would end this one.
  vitest.state.idMap.clear()
  vitest.state.filesMap.clear()
  const wanted = tests.flatMap((file) => known.filter(({ moduleId }) => moduleId === resolve(file)))
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted)
  const failed = wanted.find(({ moduleId }) =>
    vitest.state.getFiles([moduleId]).some(({ result }) => result?.state === 'fail'),
  )
  if (failed) return relative('.', failed.moduleId)
  return unhandledErrors.length > 0 ? 'no test' : null
}

function readReached(tests: string[]): Record<string, string[]> {
  const noted = tests.map((test) => [test, join(reached, test.replaceAll('/', '+'))] as const)
  return Object.fromEntries(
    noted
      .filter(([, file]) => existsSync(file))
      .map(([test, file]) => [test, readFileSync(file, 'utf8').split('\n')]),
  )
}

/** Drops the databases of interrupted tests. */
async function dropLeftovers(): Promise<void> {
  const { server } = vitest.getRootProject().getProvidedContext()
  const client = new pg.Client(server.superuser)
  await client.connect()
  const like = `${server.template}_`
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    like,
  ])
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  await client.end()
}
