import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs test files repeatedly on a busy machine, and prints how often each test failed:
 * `npm run test:again -- --times 20 test/browser/imports.test.ts -t acteur`. A test that passes only on a fast machine
 * fails here.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    /** Busy loops beside the tests. */
    load: { type: 'string', default: String(availableParallelism()) },
    /** How many times slower the pages of a browser are. */
    slowdown: { type: 'string', default: '4' },
    testNamePattern: { type: 'string', short: 't' },
  },
})
const times = Number(values.times)
if (positionals.length === 0 || !Number.isInteger(times) || times < 1) {
  process.stderr.write(
    'usage: npm run test:again -- [--times 10] [--load 2] [--slowdown 4] [-t name] files\n',
  )
  process.exit(2)
}

type Run = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'parvis-again-'))
const failures = new Map<string, string[]>()
const loops = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['--eval', 'while (process.ppid !== 1);'], { stdio: 'ignore' }),
)
process.on('exit', () => {
  for (const loop of loops) loop.kill()
  rmSync(folder, { recursive: true })
})

for (let time = 1; time <= times; time++) {
  const failed = runOnce(join(folder, `${time}.json`))
  for (const [test, message] of failed) failures.set(test, [...(failures.get(test) ?? []), message])
  process.stdout.write(`run ${time} of ${times}${failed.map(([test]) => `\n  failed: ${test}`).join('')}\n`)
}
const sorted = [...failures].toSorted(([, a], [, b]) => b.length - a.length)
for (const [test, messages] of sorted)
  process.stdout.write(
    `\nfailed ${messages.length} of ${times}: ${test}\n${messages.at(-1)?.slice(0, 2_000)}\n`,
  )
if (sorted.length === 0) process.stdout.write(`no test failed in ${times} runs\n`)
process.exitCode = sorted.length === 0 ? 0 : 1

/** Returns the failed tests of one run with their messages. */
function runOnce(report: string): [string, string][] {
  const named = values.testNamePattern === undefined ? [] : ['-t', values.testNamePattern]
  const args = ['run', ...positionals, ...named, '--reporter=json', `--outputFile=${report}`]
  const env = { ...process.env, PARVIS_TEST_SLOWDOWN: values.slowdown }
  const { stderr, status } = spawnSync(process.execPath, ['node_modules/.bin/vitest', ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Run
  const failed = testResults.flatMap(({ name, status, message, assertionResults }): [string, string][] => {
    const tests = assertionResults.filter((test) => test.status === 'failed')
    const file = relative(process.cwd(), name)
    if (tests.length === 0 && status === 'failed') return [[file, message]]
    return tests.map((test) => [`${file} ${test.fullName}`, test.failureMessages.join('\n')])
  })
  return failed.length === 0 && status !== 0 ? [['the run itself', stderr]] : failed
}
