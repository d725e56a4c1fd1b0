import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { drawsSample } from './rounds.ts'

/** What `--changed` on the command line compares with; undefined without it. */
export function changedSince(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^--changed(=|$)/.test(arg))
  if (at < 0) return undefined
  const [, ref] = args[at]?.split('=') ?? []
  const next = args[at + 1]
  return ref ?? (next === undefined || next.startsWith('-') ? 'HEAD' : next)
}

export function changedFiles(since: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean)
  const ofTree = git('diff', '--name-only', '--relative', '-z', since)
  return [...new Set([...ofTree, ...git('ls-files', '-z', '--other', '--exclude-standard')])]
}

/**
 * The tests that a change concerns: those that lie in a folder with a file that was changed or that imports one, directly
 * or not, and those of the contract that run on a sample of everything. Imports do not count through `src/app.ts`, which
 * every test opens and which imports every module. Changed migrations, and what every run reads, concern all tests.
 *
 * What it does not see: behaviour that reaches another module through the database (a trigger, a job, a notification)
 * or HTTP only.
 */
export function testsOf(changed: readonly string[], tests: readonly string[]): string[] {
  if (changed.some((file) => concernsAll.test(file))) return [...tests]
  const concerned = withImporters(changed)
  const folders = new Set([...concerned].map(folderOf))
  const touches = (pattern: RegExp) => changed.some((file) => pattern.test(file))
  return tests.filter(
    (test) =>
      concerned.has(test) ||
      folders.has(dirname(test)) ||
      (test.startsWith('test/contract/') && (drawsSample(test) || touches(/^(docs|web)\/|\.md$/))) ||
      (/^test\/(browser|stories)\/|^src\/web-app\//.test(test) && touches(/^web\//)),
  )
}

const concernsAll =
  /\.sql$|^(package(-lock)?\.json|vitest\.config\.ts|test\/support\/(world|global-setup)\.ts|src\/app\.ts)$/

/** A test of the folder `test/` concerns itself only. */
const folderOf = (file: string) => (file.startsWith('test/') ? file : dirname(file))

/** The files, and those that import them. */
function withImporters(files: readonly string[]): Set<string> {
  const importers = new Map<string, string[]>()
  for (const file of globSync('{src,demo,test,tools,bench}/**/*.ts'))
    for (const imported of importsOf(file))
      importers.set(imported, [...(importers.get(imported) ?? []), file])
  const found = new Set(files)
  for (const file of found)
    for (const importer of importers.get(file) ?? []) if (!isHub(importer)) found.add(importer)
  return found
}

/** Through them, every file would reach every other one. */
const isHub = (file: string) => /^(src\/app|test\/support\/(world|global-setup))\.ts$/.test(file)

function importsOf(file: string): string[] {
  const paths = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+\.ts)'/g)]
  return paths
    .filter(([line]) => line !== undefined)
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((path) => existsSync(path))
}
