import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bundledNode } from '../../bin/bundled-node.js'
import { makeFolder, ownCheckout, systemPath } from './service.ts'

export const migrationsFolder = 'src/platform/database/migrations'

/**
 * Tests that call every route of each module, and all of the modules' own tests. Those that compare the database's
 * schema with the code are left out, because it differs on purpose.
 */
const tests = [
  'test/contract/audit-log.test.ts',
  'test/contract/crossed-changes.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/repeated-requests.test.ts',
  'test/contract/rights.test.ts',
  'test/stories',
  'src/modules',
]
const ofTheShape = ['src/modules/**/*plans.test.ts', 'test/contract/prepared-plans.test.ts']

/** The commit before the one that added this file; HEAD while none has. Null without a history. */
export function findCommitBefore(file: string): string | null {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', ownCheckout, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split('\n')
  try {
    // The very first addition: a file that was renamed or restored keeps its age.
    const [added = ''] = git('log', '--diff-filter=A', '--reverse', '--format=%H', '--', file)
    return git('rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`)[0] ?? null
  } catch {
    return null
  }
}

export type Migrated = { commit: string; migrations: Record<string, string>; only?: string[] }

/** Runs the tests of a commit on a database with further migrations and returns their output. */
export async function runOnMigrated({ commit, migrations, only = tests }: Migrated) {
  const checkout = checkOut(commit)
  for (const [name, statements] of Object.entries(migrations))
    writeFileSync(join(checkout, migrationsFolder, name), statements)
  const vitest = join(checkout, 'node_modules/.bin/vitest')
  const without = ofTheShape.flatMap((glob) => ['--exclude', glob])
  const child = spawn(nodeOf(checkout), [vitest, 'run', '--maxWorkers', '2', ...without, ...only], {
    cwd: checkout,
    env: { PATH: systemPath, HOME: checkout, NO_COLOR: '1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[status], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { status, said: `${out}${err}` }
}

/** Uses the packages installed here, because the registry may no longer have the old ones. */
function checkOut(commit: string): string {
  const checkout = join(makeFolder(), 'checkout')
  mkdirSync(checkout)
  const archive = execFileSync('git', ['-C', ownCheckout, 'archive', commit], { maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  symlinkSync(join(ownCheckout, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

const nodeOf = (checkout: string) => bundledNode(join(checkout, 'package.json')) ?? process.execPath
