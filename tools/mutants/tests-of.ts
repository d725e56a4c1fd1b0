import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Returns true for tests whose code runs in other processes, where nothing is recorded. */
export const isUnseen = (test: string) => /^(?:src\/cli|test\/processes)\//.test(test)

/** Cross-cutting suites that test files below the modules. */
const across: [of: RegExp, tests: string[]][] = [
  [/\/retention\.ts$|modules\/retention\//, ['src/modules/retention/retention', 'src/cli/retention']],
  [/access\/mairies/, ['src/modules/alertes/alertes', 'src/modules/publications/lists/mairie']],
  [/modules\/payments\/failures\//, ['src/cli/payments']],
  [/modules\/users\/sources\//, ['src/cli/sources']],
  [/rate-limits\/addresses/, ['src/platform/http/request-log']],
  [/\/visibility\.ts$/, ['test/contract/hidden']],
  [
    /^src\/platform\/change\.ts/,
    [
      'test/contract/crossed-changes',
      'test/contract/audit-log',
      'test/contract/routes',
      'src/modules/claims/decide/decide',
    ],
  ],
  [/^src\/platform\/idempotency\.ts/, ['test/contract/repeated-requests', 'src/modules/privacy/privacy']],
  [/^src\/platform\/access\//, ['test/contract/rights', 'test/contract/no-escalation']],
  [/^src\/platform\/http\/rate-limits\//, ['test/contract/limits']],
  [
    /^src\/platform\/http\/conditional\.ts/,
    ['test/contract/cached-routes', 'test/contract/crossed-changes', 'test/contract/routes'],
  ],
  [/^src\/platform\/http\/listing\/paging\.ts/, ['test/contract/lists-by-index']],
]

/**
 * Lists the tests that may notice a mutation of this file, the fastest first: its own test, the use case, the
 * module; within each, tests without a database first.
 */
export function testsOf(file: string): string[] {
  const module = /^src\/modules\/[^/]+\//.exec(file)?.[0]
  const near =
    module === undefined ? globSync(`${dirname(file)}/*.test.ts`) : globSync(`${module}**/*.test.ts`)
  const far = across
    .filter(([of]) => of.test(file))
    .flatMap(([, tests]) => tests.map((test) => `${test}.test.ts`))
  return [...near.sort().sort((a, b) => distance(a, file) - distance(b, file)), ...far]
}

function distance(test: string, file: string): number {
  const text = readFileSync(test, 'utf8')
  const alone = dirname(test) === dirname(file) && text.includes(`'./${basename(file)}'`)
  const needsDatabase = /openWorld|cloneDatabase/.test(text)
  const elsewhere = dirname(test).startsWith(dirname(file)) ? 0 : 1
  // Tests of plans and killed processes are slow and notice little else.
  const slow = /\b(plans|kill)\.test\.ts$/.test(test)
  return (slow ? 8 : 0) + elsewhere * 4 + (alone ? 0 : 2) + (needsDatabase ? 1 : 0)
}
