import { execFile } from 'node:child_process'
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

const roots = ['src', 'demo']

async function cruise(files: Record<string, string>): Promise<string> {
  for (const folder of roots) await rm(join(planted, folder), { recursive: true, force: true })
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(planted, file)), { recursive: true })
    await writeFile(join(planted, file), content)
  }
  const command = run('depcruise', [...roots, '--config', '.dependency-cruiser.cjs'], { cwd: planted })
  return command.then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  )
}

const room = {
  'src/modules/a/rules.ts': 'export const a = 1\n',
  'src/modules/a/routes.public.ts': 'export const r = 1\n',
  'src/first-loads.ts': "export const fill = () => import('../demo/load.ts')\n",
  'demo/load.ts': "import { a } from '../src/modules/a/rules.ts'\nexport const demo = a\n",
  'src/modules/a/writing/routes.ts': 'export const r = 1\n',
}

test('a house in order passes, and its rooms are seen', async () => {
  const report = await cruise({
    ...room,
    'src/modules/b/rules.ts': "import { a } from '../a/rules.ts'\nexport const b = a\n",
  })
  expect(report).toContain('no dependency violations found (6 modules')
})

test.each([
  [
    'platform-imports-no-module',
    'src/platform/x.ts',
    "import { a } from '../modules/a/rules.ts'\nexport const x = a\n",
  ],
  [
    'embedded-postgres-knows-nothing',
    'src/embedded-postgres/cluster/x.ts',
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
  [
    'no-test-code-in-the-service',
    'src/modules/b/rules.ts',
    "import { test } from 'vitest'\nexport const b = test\n",
  ],
  [
    'modules-import-no-composition',
    'src/modules/b/rules.ts',
    "import { app } from '../../app.ts'\nexport const b = app\n",
  ],
  [
    'no-test-code-in-the-service',
    'demo/load.ts',
    "import { test } from 'vitest'\nexport const demo = test\n",
  ],
  [
    'demo-is-only-loaded',
    'src/modules/b/rules.ts',
    "import { demo } from '../../../demo/load.ts'\nexport const b = demo\n",
  ],
  [
    'demo-loads-through-modules',
    'demo/load.ts',
    "import { app } from '../src/app.ts'\nexport const demo = app\n",
  ],
  [
    'demo-loads-through-modules',
    'demo/load.ts',
    "import { r } from '../src/modules/a/routes.public.ts'\nexport const demo = r\n",
  ],
  ['no-circles', 'src/modules/a/queries.ts', "import { r } from './back.ts'\nexport const q = r\n"],
  ['nothing-unresolved', 'src/modules/b/rules.ts', "import { b } from './gone.ts'\nexport const c = b\n"],
])('a planted violation of %s is caught', async (rule, file, content) => {
  const around = { 'src/app.ts': 'export const app = 1\n', 'src/platform/p.ts': 'export type P = 1\n' }
  const back = { 'src/modules/a/back.ts': "import { q } from './queries.ts'\nexport const r = q\n" }
  const clean = rule === 'no-circles' ? { ...around, ...back } : around
  expect(await cruise({ ...room, ...clean, [file]: content })).toContain(`error ${rule}:`)
})
