import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Processor time that a file of the usual round may take, on a busy machine too: a longer one belongs into another round. */
const mostMs = 40_000

/** Prints where the processor time of a run of several files went. Fails the usual round for a file that takes too long. */
export const slowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < 2) return
    const files = modules.map((module) => ({ what: nameOf(module), ms: module.meta().processorMs ?? 0 }))
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        what: `${nameOf(module)} ${test.fullName}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    )
    const kinds = Object.entries(Object.groupBy(files, ({ what }) => kindOf(what))).map(
      ([what, some = []]) => ({
        what: `${what} (${some.length} files)`,
        ms: sum(some),
      }),
    )
    const total = sum(files)
    print(`Processor time of the tests without PostgreSQL: ${seconds(total)}`, kinds, total)
    print('Files that take most of it', files, total)
    print('Slowest tests, by the clock', tests)
    const day = process.env.PARVIS_TEST_SAMPLE
    if (day === undefined) return
    write(
      `\nExhaustive suites ran on the sample of ${day}. Repeat it: PARVIS_TEST_SAMPLE=${day} npm test -- file`,
    )
    write('Run them whole: npm run test:all\n')
    for (const { what, ms } of files) {
      if (ms <= mostMs) continue
      write(
        `${what} takes ${seconds(ms)} of processor time: make it cheaper, or begin it with "// Round: rest, because …"`,
      )
      process.exitCode = 1
    }
  },
}

type Timed = { what: string; ms: number }

const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId)

const kinds: [RegExp, string][] = [
  [/^test\/browser\//, 'stories in the browser'],
  [/^test\/processes\/|^src\/(cli|embedded-postgres)\/|\.kill\.test/, 'processes'],
  [/^test\/contract\//, 'contract'],
  [/\.(model|oracle)\.test|\/fuzz\.test/, 'properties'],
  [/\.plans\.test/, 'plans'],
  [/^src\/site\//, 'pages'],
  [/^src\/modules\//, 'modules'],
]

const kindOf = (file: string) => kinds.find(([name]) => name.test(file))?.[1] ?? 'the rest'
const sum = (timed: Timed[]) => timed.reduce((total, { ms }) => total + ms, 0)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const write = (line: string) => process.stdout.write(`${line}\n`)

function print(title: string, timed: Timed[], total?: number): void {
  write(`\n${title}`)
  for (const { what, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, 20)) {
    const share = total ? `${((ms / total) * 100).toFixed(1)} %`.padStart(8) : ''
    write(`${seconds(ms).padStart(9)}${share}  ${what}`)
  }
}
