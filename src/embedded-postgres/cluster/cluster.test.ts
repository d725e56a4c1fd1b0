import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ClusterError } from '../cluster-error.ts'
import {
  createdDataDir,
  keepBusy,
  makeFolder,
  names,
  postmasterPid,
  query,
  removeFolders,
  silent,
  until,
} from './cluster.test-kit.ts'
import { connectToRunningCluster, hasCluster, isClusterHeld, openCluster, removeCluster } from './cluster.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

async function openIn(dataDir: string, log: (message: string) => void = silent) {
  const cluster = await openCluster({ dataDir, names, log, durable: false })
  onTestFinished(() => cluster.stop())
  return cluster
}

test('a first start creates the cluster, roles and database, and a later start finds the data', async () => {
  const dataDir = join(makeFolder(), 'data')
  expect(hasCluster(dataDir, names)).toBe(false)
  const first = await openIn(dataDir)
  await query(first.owner, 'CREATE TABLE note AS SELECT 42 AS number')
  expect(isClusterHeld(dataDir, names)).toBe(true)
  await first.stop()
  await first.stop()
  expect([isClusterHeld(dataDir, names), hasCluster(dataDir, names)]).toEqual([false, true])
  expect(postmasterPid(join(dataDir, 'postgres/data'))).toBe(null)

  const second = await openIn(dataDir)
  expect(await query(second.owner, 'SELECT number FROM note')).toEqual([{ number: 42 }])
})

test('the roles have only their own permissions, and text settings are the same on every machine', async () => {
  const { owner, service } = await openIn(join(makeFolder(), 'data'))
  await query(owner, 'CREATE EXTENSION pg_trgm; CREATE TABLE mine ()')
  await query(owner, 'CREATE DATABASE other')
  await expect(query(service, 'CREATE DATABASE another')).rejects.toThrow('permission denied')
  await expect(query(service, 'CREATE TABLE mine_too ()')).rejects.toThrow('permission denied')
  await expect(query(service, 'SELECT * FROM mine')).rejects.toThrow('permission denied')
  await expect(query(service, 'CREATE TEMPORARY TABLE scrap ()')).rejects.toThrow('permission denied')
  const [database] = await query(
    owner,
    `SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding, lower('ÉŒ') AS lower,
       current_setting('timezone') AS timezone, current_setting('fsync') AS fsync
     FROM pg_database WHERE datname = '${names.database}'`,
  )
  expect(database).toEqual({
    ...{
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      lower: 'éœ',
      timezone: 'UTC',
      fsync: 'off',
    },
  })
})

test('accepts connections only through a private socket with the password', async () => {
  const dataDir = join(makeFolder(), 'data')
  const { owner, superuser } = await openIn(dataDir)
  const home = join(dataDir, 'postgres')
  expect(statSync(join(home, 'socket')).mode & 0o777).toBe(0o700)
  expect(statSync(join(home, 'data')).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'lock')).mode & 0o777).toBe(0o600)
  await expect(query({ ...owner, password: 'wrong' }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  await expect(query({ ...superuser, password: '' }, 'SELECT 1')).rejects.toThrow()
})

test('refuses to open a folder twice, or to delete an open one, in one sentence', async () => {
  const dataDir = await createdDataDir()
  const { owner } = await openIn(dataDir)
  const second = openCluster({ dataDir, names, log: silent })
  await expect(second).rejects.toBeInstanceOf(ClusterError)
  await expect(second).rejects.toThrow(`Another Library already runs on the data folder ${dataDir}`)
  await expect(removeCluster(dataDir, names)).rejects.toThrow('Another Library already runs')
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test.each(['/proc', '/proc/parvis', '/proc/parvis/data'])(
  'refuses a data folder that cannot be created, %s, in one sentence',
  async (dataDir) => {
    const opening = openCluster({ dataDir, names, log: silent })
    await expect(opening).rejects.toBeInstanceOf(ClusterError)
    await expect(opening).rejects.toThrow(
      /^(The|Root does not use) [^\n]*\/proc[^\n]* set another LIBRARY_DIR\.$/,
    )
  },
)

test('refuses a file as its folder, and says that another setting is needed', async () => {
  const file = join(makeFolder(), 'file')
  writeFileSync(file, '')
  const opened = (dataDir: string) => openCluster({ dataDir, names, log: silent })
  await expect(opened(file)).rejects.toThrow(`${file} is not a folder: set another LIBRARY_DIR.`)
  await expect(opened(join(file, 'data'))).rejects.toThrow('cannot be written (ENOTDIR): set another')
})

test('a command connects to the cluster of a running service, or reports that there is none', async () => {
  const dataDir = join(makeFolder(), 'data')
  expect(await connectToRunningCluster(dataDir, names)).toBe(null)
  const cluster = await openIn(dataDir)
  const beside = await connectToRunningCluster(dataDir, names)
  expect(beside?.service).toEqual(cluster.service)
  await cluster.stop()
  expect(await connectToRunningCluster(dataDir, names)).toBe(null)
})

test('two clusters in two data folders run side by side', async () => {
  const folder = makeFolder()
  const [one, two] = await Promise.all([openIn(join(folder, 'one')), openIn(join(folder, 'two'))])
  await query(one.owner, 'CREATE TABLE only_here ()')
  await expect(query(two.owner, 'TABLE only_here')).rejects.toThrow('does not exist')
})

test('a killed postmaster restarts by itself, even under load, with the committed data', async () => {
  const dataDir = await createdDataDir()
  const said: string[] = []
  const { owner, stop } = await openIn(dataDir, (message) => said.push(message))
  await query(owner, 'CREATE TABLE note AS SELECT 42 AS number')
  const data = join(dataDir, 'postgres/data')
  for (let round = 0; round < 2; round++) {
    const before = postmasterPid(data) ?? 0
    const busy = round === 0 ? await keepBusy(owner) : null
    process.kill(before, 'SIGKILL')
    if (busy) await until(() => said.includes('PostgreSQL ended by itself (status 1); starting it again'))
    busy?.kill()
    await busy?.ended
    const rows = await until(() => query(owner, 'TABLE note').catch(() => null))
    expect(rows).toEqual([{ number: 42 }])
    expect(postmasterPid(data)).not.toBe(before)
  }
  expect(said).toContain('PostgreSQL ended by itself (signal SIGKILL); starting it again')
  await stop()
  expect(postmasterPid(data)).toBe(null)
})

test('stop works while a killed postmaster is being replaced', async () => {
  const dataDir = await createdDataDir()
  const { stop } = await openIn(dataDir)
  process.kill(postmasterPid(join(dataDir, 'postgres/data')) ?? 0, 'SIGKILL')
  await stop()
  expect(isClusterHeld(dataDir, names)).toBe(false)
  await openIn(dataDir)
})

test('works in a data folder whose path is longer than a socket path may be', async () => {
  const dataDir = join(makeFolder(), 'long'.repeat(20), 'longer'.repeat(20), 'data')
  const { owner, service } = await openIn(dataDir)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await connectToRunningCluster(dataDir, names))?.service.password).toBe(service.password)
})

test('recreates lost secrets and keeps the data', async () => {
  const dataDir = await createdDataDir()
  const first = await openIn(dataDir)
  await query(first.owner, 'CREATE TABLE note AS SELECT 42 AS number')
  await first.stop()
  rmSync(join(dataDir, 'secrets.json'))
  const second = await openIn(dataDir)
  expect(second.owner.password).not.toBe(first.owner.password)
  expect(await query(second.owner, 'TABLE note')).toEqual([{ number: 42 }])
})

test('does not overwrite unreadable secrets', async () => {
  const dataDir = join(makeFolder(), 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secrets.json'), '{"half":')
  await expect(openCluster({ dataDir, names, log: silent })).rejects.toThrow('cannot be read: start as')
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('{"half":')
})

test('says what to do on a machine without an npm PostgreSQL', async () => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {}
  Object.defineProperty(process, 'arch', { ...arch, value: 'mips' })
  onTestFinished(() => void Object.defineProperty(process, 'arch', arch))
  const start = openCluster({ dataDir: join(makeFolder(), 'data'), names, log: silent })
  await expect(start).rejects.toBeInstanceOf(ClusterError)
  await expect(start).rejects.toThrow(
    /set LIBRARY_DATABASE_URL to a PostgreSQL of your own or, in a checkout, run npm ci/,
  )
})

test('a leftover postmaster.pid with the number of another process does not block the start', async () => {
  const dataDir = await createdDataDir()
  const data = join(dataDir, 'postgres/data')
  const { uid, gid } = statSync(data)
  const stranger = spawn('sleep', ['60'], { uid, gid })
  onTestFinished(() => void stranger.kill())
  writeFileSync(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1\n5432\n../socket\n\n0 0\nready\n`)
  chownSync(join(data, 'postmaster.pid'), uid, gid)
  const { owner } = await openIn(dataDir)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode).toBe(null)
})

test('a server that cannot start reports the reason with the end of its log', async () => {
  const dataDir = await createdDataDir()
  rmSync(join(dataDir, 'postgres/data/global/pg_control'))
  const start = openCluster({ dataDir, names, log: silent })
  await expect(start).rejects.toBeInstanceOf(ClusterError)
  await expect(start).rejects.toThrow(/PostgreSQL did not start \(status \d\).*pg_control/)
  expect(isClusterHeld(dataDir, names)).toBe(false)
})

test.each([
  ['17', /was made by PostgreSQL 17 and this Library has 18\.\S+: dump it with the earlier Library/],
  [
    '99',
    /was made by PostgreSQL 99, which is later than the 18\.\S+ of this Library: start the later Library/,
  ],
])('refuses a cluster of PostgreSQL %s in one sentence', async (made, sentence) => {
  const dataDir = await createdDataDir()
  writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), `${made}\n`)
  await expect(openCluster({ dataDir, names, log: silent })).rejects.toThrow(sentence)
})

test('rotates a large log at start; the log contains no query errors', async () => {
  const dataDir = await createdDataDir()
  const log = join(dataDir, 'postgres/postgres.log')
  writeFileSync(log, 'x'.repeat(5_000_001))
  const { owner } = await openIn(dataDir)
  expect(existsSync(`${log}.1`)).toBe(true)
  await expect(query(owner, `SELECT 'a person'::integer`)).rejects.toThrow('a person')
  expect(readFileSync(log, 'utf8')).not.toContain('a person')
})
