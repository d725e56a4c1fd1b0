import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { usesDatabase } from './database-files.ts'

test.each([
  ['calls it', { 'one.test.ts': "const { owner } = inject('server')" }],
  [
    'imports a file that calls it',
    { 'one.test.ts': "import { a } from './a.ts'", 'a.ts': "inject('server')" },
  ],
  [
    'reaches it through several files, one of which imports the first',
    {
      'one.test.ts': "import {\n  a,\n} from './kit/a.ts'",
      'kit/a.ts': "import '../one.test.ts'\nconst b = await import('../b.ts')",
      'b.ts': "export * from './kit/c.ts'",
      'kit/c.ts': "run(inject('server').superuser)",
    },
  ],
])('a test file uses the database if it %s', (_how, files) => {
  expect(usesDatabase(written(files))).toBe(true)
})

test('a test file that reaches other values of the run does not use the database', () => {
  const files = { 'one.test.ts': "import { a } from './a.ts'", 'a.ts': "inject('filled')\nimport 'pg'" }
  expect(usesDatabase(written(files))).toBe(false)
})

const testFiles = globSync('{src,demo,test}/**/*.test.ts')

test('no test file that names the database of the run is left out of its round', () => {
  const leftOut = testFiles.filter((file) => !usesDatabase(file))
  expect(leftOut).toContain('test/processes/signals.test.ts')
  expect(leftOut).toContain('src/embedded-postgres/cluster/crash.test.ts')
  // Each line of a file that opens an app, copies a database or reads its address.
  const naming = /openWorld\(|cloneDatabase\(|cloneWith\w+\(|cloneMany\w+\(|inject\(.server|env\.DATABASE_URL/
  const own = 'test/support/database-files.test.ts'
  expect(leftOut.filter((file) => file !== own && naming.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('what the run provides is named where it is read, so that the rule finds it', () => {
  const reading = globSync('{src,demo,test}/**/*.ts').flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const calls = /\binject\b[^;]*from 'vitest'/.test(code) ? code.match(/\binject\(.{0,12}/g) : []
    return (calls ?? []).filter((call) => !/^inject\('(server|locks|filled|answered)'\)/.test(call))
  })
  expect(reading).toEqual([])
})

/** Writes files into a folder that exists during the test. Returns the path of the first. */
function written(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), code)
  }
  return join(folder, 'one.test.ts')
}
