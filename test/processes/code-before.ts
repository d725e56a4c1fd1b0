import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeFolder, ownCheckout, systemPath } from './service.ts'

export const migrationsFolder = 'src/platform/database/migrations'

/**
 * What calls every route of each module, as itself and as anybody might, and all that the modules' own tests do. What
 * compares the shape of the database with the code's stays out: it has another one now, and that is the point.
 */
const tests = [
  'test/contract/audit-trail.test.ts',
  'test/contract/crossed-changes.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/repeated-requests.test.ts',
  'test/contract/rights.test.ts',
  'test/stories',
  'src/modules',
]
const ofTheShape = ['src/modules/**/*plans.test.ts', 'test/contract/prepared-plans.test.ts']

/** The commit before the one that added this file; the present one, as long as none has. Null without a history. */
export function findCommitBefore(file: string): string | null {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', ownCheckout, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split('\n')
  try {
    // The first of all: a file that was renamed, or went and came back, is as old as it ever was.
    const [added = ''] = git('log', '--diff-filter=A', '--reverse', '--format=%H', '--', file)
    return git('rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`)[0] ?? null
  } catch {
    return null
  }
}

export type Migrated = { commit: string; migrations: Record<string, string>; only?: string[] }

/** Runs the tests of a commit on a database that has further migrations, and answers what they said. */
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

/** With the packages that are installed here: those of then may be gone from the registry. */
function checkOut(commit: string): string {
  const checkout = join(makeFolder(), 'checkout')
  mkdirSync(checkout)
  const archive = execFileSync('git', ['-C', ownCheckout, 'archive', commit], { maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  symlinkSync(join(ownCheckout, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

const nodeOf = (checkout: string) => join(checkout, 'node_modules/.bin/node')
