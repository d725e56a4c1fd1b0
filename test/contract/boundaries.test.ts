import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const planted = await mkdtemp(join(tmpdir(), 'parvis-boundaries-'))
afterAll(() => rm(planted, { recursive: true }))
await cp('.dependency-cruiser.cjs', join(planted, '.dependency-cruiser.cjs'))
await cp('tsconfig.json', join(planted, 'tsconfig.json'))
await symlink(resolve('node_modules'), join(planted, 'node_modules'))

const roots = ['src', 'demo', 'web']

async function plant(files: Record<string, string>): Promise<void> {
  for (const folder of roots) await rm(join(planted, folder), { recursive: true, force: true })
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(planted, file)), { recursive: true })
    await writeFile(join(planted, file), content)
  }
}

async function cruise(files: Record<string, string>): Promise<string> {
  await plant(files)
  const words = [resolve('node_modules/.bin/depcruise'), ...roots, '--config', '.dependency-cruiser.cjs']
  const command = run(process.execPath, words, { cwd: planted })
  return command.then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  )
}

const room = {
  'src/modules/a/rules.ts': 'export const a = 1\n',
  'src/modules/a/routes.public.ts': 'export const r = 1\n',
  'src/seed-data.ts': "export const fill = () => import('../demo/load.ts')\n",
  'demo/load.ts': "import { a } from '../src/modules/a/rules.ts'\nexport const demo = a\n",
  'src/modules/a/writing/routes.ts': 'export const r = 1\n',
  'web/src/ui/button.tsx': 'export const button = 1\n',
  'web/src/screens/a/list.tsx': "import { button } from '../../ui/button.tsx'\nexport const list = button\n",
}

test('the boundary check passes and sees the modules', async () => {
  const report = await cruise({
    ...room,
    'src/modules/b/rules.ts': "import { a } from '../a/rules.ts'\nexport const b = a\n",
  })
  expect(report).toContain('no dependency violations found (8 modules')
})

const violations: [rule: string, file: string, content: string][] = [
  [
    'platform-imports-no-module',
    'src/platform/x.ts',
    "import { a } from '../modules/a/rules.ts'\nexport const x = a\n",
  ],
  [
    'platform-layers',
    'src/platform/database/x.ts',
    "import type { P } from '../http/p.ts'\nexport type X = P\n",
  ],
  [
    'platform-layers',
    'src/platform/config/config.ts',
    "import type { P } from '../http/p.ts'\nexport type X = P\n",
  ],
  [
    'platform-layers-are-complete',
    'src/platform/database/y.ts',
    "import type { P } from '../p.ts'\nexport type X = P\n",
  ],
  [
    'publications-have-one-door-for-imports',
    'src/modules/imports/run/decide.ts',
    "import { p } from '../../publications/queries.ts'\nexport const d = p\n",
  ],
  [
    'embedded-postgres-knows-nothing',
    'src/embedded-postgres/cluster/x.ts',
    "import type { P } from '../../platform/p.ts'\nexport type X = P\n",
  ],
  [
    'embedded-postgres-knows-nothing',
    'src/embedded-postgres/cluster/x.test.ts',
    "import type { P } from '../../platform/p.ts'\nexport type X = P\n",
  ],
  [
    'no-routes-of-another-module',
    'src/modules/b/rules.ts',
    "import type { r } from '../a/routes.public.ts'\nexport type B = typeof r\n",
  ],
  [
    'no-routes-of-another-module',
    'src/modules/b/writing/rules.ts',
    "import type { r } from '../../a/writing/routes.ts'\nexport type B = typeof r\n",
  ],
  ['site-stands-on-modules', 'src/site/page.ts', "import { app } from '../app.ts'\nexport const b = app\n"],
  [
    'no-test-code-in-the-service',
    'src/modules/b/tested.ts',
    "import { test } from 'vitest'\nexport const b = test\n",
  ],
  [
    'changes-write-the-audit-log',
    'src/modules/b/audited.ts',
    "import { recordAudit } from '../../platform/audit/record.ts'\nexport const b = recordAudit\n",
  ],
  [
    'modules-import-no-composition',
    'src/modules/b/composed.ts',
    "import { app } from '../../app.ts'\nexport const b = app\n",
  ],
  [
    'no-test-code-in-the-service',
    'demo/tested.ts',
    "import { test } from 'vitest'\nexport const demo = test\n",
  ],
  [
    'demo-is-only-loaded',
    'src/modules/b/demo.ts',
    "import { demo } from '../../../demo/load.ts'\nexport const b = demo\n",
  ],
  [
    'demo-loads-through-modules',
    'demo/app.ts',
    "import { app } from '../src/app.ts'\nexport const demo = app\n",
  ],
  [
    'demo-loads-through-modules',
    'demo/routes.ts',
    "import { r } from '../src/modules/a/routes.public.ts'\nexport const demo = r\n",
  ],
  [
    'web-app-serves-and-builds-only',
    'src/web-app/x.ts',
    "import { a } from '../modules/a/rules.ts'\nexport const x = a\n",
  ],
  [
    'web-is-a-client',
    'web/src/api/x.ts',
    "import type { a } from '../../../src/modules/a/rules.ts'\nexport type X = typeof a\n",
  ],
  [
    'nothing-imports-the-application',
    'src/web-app/y.ts',
    "import { button } from '../../web/src/ui/button.tsx'\nexport const x = button\n",
  ],
  [
    'ui-stands-alone',
    'web/src/ui/x.tsx',
    "import { list } from '../screens/a/list.tsx'\nexport const x = list\n",
  ],
  [
    'screens-of-one-area',
    'web/src/screens/b/list.tsx',
    "import { list } from '../a/list.tsx'\nexport const x = list\n",
  ],
  ['no-circles', 'src/modules/a/back.ts', "import { q } from './queries.ts'\nexport const r = q\n"],
  [
    'nothing-unresolved',
    'src/modules/b/unresolved.ts',
    "import { b } from './gone.ts'\nexport const c = b\n",
  ],
]
const around = {
  'src/app.ts': 'export const app = 1\n',
  'src/platform/p.ts': 'export type P = 1\n',
  'src/platform/audit/record.ts': 'export type AuditedKind = 1\nexport const recordAudit = 1\n',
  'src/platform/http/p.ts': 'export type P = 1\n',
  'src/modules/publications/queries.ts': 'export const p = 1\n',
  'src/modules/a/queries.ts': "import { r } from './back.ts'\nexport const q = r\n",
}

// A separate run for each would take a minute.
const report = await cruise({
  ...room,
  ...around,
  ...Object.fromEntries(violations.map(([, file, content]) => [file, content])),
})

test.each(violations)('detects a planted violation of %s in %s', (rule, file) => {
  expect(report.split('\n').filter((line) => line.includes(`error ${rule}: ${file} → `))).not.toEqual([])
})

const findFolderCircles = async (files: Record<string, string>) => {
  await plant(files)
  const command = run(process.execPath, [resolve('tools/folder-circles.ts')], { cwd: planted })
  return command.then(
    ({ stderr }) => stderr,
    (failure: { stderr: string }) => failure.stderr,
  )
}
const toB = "import { b } from '../../b/queries.ts'\nexport const toB = b\n"
const toC = "import type { C } from '../../c/reading/schema.ts'\nexport type B = C\n"
const toA = "export const late = () => import('../a/rules.ts')\n"
const noCircle = {
  ...{ 'src/modules/a/rules.ts': 'export const a = 1\n', 'src/modules/a/writing/rules.ts': toB },
  ...{ 'src/modules/b/queries.ts': 'export const b = 1\n', 'src/modules/b/writing/rules.ts': toC },
  'src/modules/c/reading/schema.ts': 'export type C = 1\n',
}

test('one-way imports between modules are no cycle, whatever their tests import', async () => {
  expect(await findFolderCircles({ ...noCircle, 'src/modules/c/c.test.ts': toA })).toBe('')
})

test('detects a planted cycle of modules without a cycle of files', async () => {
  expect(await findFolderCircles({ ...noCircle, 'src/modules/c/rules.ts': toA })).toBe(
    'error folder-circle: modules/a → modules/b → modules/c → modules/a\n',
  )
})

test('detects a planted cycle of use cases in a module', async () => {
  const circle = {
    'src/modules/a/deciding/rules.ts': "import { u } from '../undoing/rules.ts'\nexport const d = u\n",
    'src/modules/a/undoing/queries.ts': "import type { D } from '../deciding/schema.ts'\nexport type Q = D\n",
    'src/modules/a/undoing/rules.ts': 'export const u = 1\n',
    'src/modules/a/deciding/schema.ts': 'export type D = 1\n',
  }
  expect(await findFolderCircles(circle)).toBe(
    'error folder-circle: modules/a/deciding → modules/a/undoing → modules/a/deciding\n',
  )
})

test('detects a planted cycle of folders in the platform', async () => {
  const circle = {
    'src/platform/audit/record.ts': "import type { C } from '../access/caller.ts'\nexport type R = C\n",
    'src/platform/access/caller.ts': 'export type C = 1\n',
    'src/platform/access/users.ts': "import type { R } from '../audit/record.ts'\nexport type U = R\n",
  }
  expect(await findFolderCircles(circle)).toContain('folder-circle: platform/access → platform/audit')
})

/** Returns the routes that a file of a module imports from another one. */
function foreignRoutes(file: string, source: string): string[] {
  const module = file.split('/')[2] ?? ''
  return Array.from(source.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)).flatMap(
    ([, names = '', path = '']) => {
      const target = join(dirname(file), path)
      const isForeign = target.startsWith('src/modules/') && !target.startsWith(`src/modules/${module}/`)
      return isForeign ? (names.match(/\b\w+Routes\b/g) ?? []).map((name) => `${file}: ${name}`) : []
    },
  )
}

test('neither a module nor the public site imports the routes of another module', () => {
  const files = globSync('src/{modules,site}/**/*.ts')
  expect(files.flatMap((file) => foreignRoutes(file, readFileSync(file, 'utf8')))).toEqual([])
  const planted = "import { x, historyAdminRoutes } from '../publications/history.ts'\n"
  expect(foreignRoutes('src/modules/claims/own.ts', planted)).toEqual([
    'src/modules/claims/own.ts: historyAdminRoutes',
  ])
})

const records =
  'acteurs|alertes|acts|claims|collectes|commune_[a-z]+|communes|defibrillateurs|elus|groups|publication[a-z_]*'

/** Returns what a file of the platform says of the records of modules: their tables in statements, or its own name. */
function recordsNamed(file: string, source: string): string[] {
  const statements = source.match(
    new RegExp(`\\b(from|join|into|update) (${records})\\b|(From|Join|Into|Table)\\('(${records})\\b`, 'g'),
  )
  const names = file.match(/[^/]*(acteur|alerte|claim|commune|defibrillateur|mairie|publication)[^/]*$/)
  return [...(statements ?? []), ...(names ?? []).slice(0, 1)].map((named) => `${file}: ${named}`)
}

test('the platform names no record of a module, save the acteurs that an access key acts for', () => {
  const files = globSync('src/platform/**/*.ts', { exclude: ['**/*.test*.ts', '**/*.generated.ts'] })
  const named = files.flatMap((file) => recordsNamed(file, readFileSync(file, 'utf8')))
  expect(named.filter((name) => !name.startsWith('src/platform/access/keys.ts: '))).toEqual([])
  expect(recordsNamed('src/platform/access/mairies.ts', "db.selectFrom('communes')")).toHaveLength(2)
})
