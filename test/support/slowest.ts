import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints the slowest files and tests of a run of several files. */
export const slowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < 2) return
    const files = modules.map((module) => ({ what: nameOf(module), ms: timeOf(module) }))
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        what: `${nameOf(module)} ${test.fullName}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    )
    const total = files.reduce((sum, { ms }) => sum + ms, 0)
    process.stdout.write(`\n${listed(`Slowest of ${seconds(total)} of files`, files)}`)
    process.stdout.write(`\n${listed('Slowest tests', tests)}\n`)
  },
}

type Timed = { what: string; ms: number }

const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId)

/** The time of the tests and of what the file opens when it is imported: an app, a database. */
function timeOf(module: TestModule): number {
  const { duration, collectDuration } = module.diagnostic()
  return duration + collectDuration
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

function listed(title: string, timed: Timed[]): string {
  const ten = timed
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 10)
  return [title, ...ten.map(({ what, ms }) => `${seconds(ms).padStart(8)}  ${what}`), ''].join('\n')
}
