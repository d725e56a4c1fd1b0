import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  createdDataDir,
  endHolder,
  keepBusy,
  makeFolder,
  names,
  postmasterPid,
  query,
  readFileOrEmpty,
  removeFolders,
  silent,
  startHolder,
  until,
} from './cluster.test-kit.ts'
import { openCluster } from './cluster.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

const rounds = process.env.PARVIS_TEST_LONG ? 20 : 2
const timeoutMs = rounds * 60_000

test('of four services started together on one folder one runs and three report that', async () => {
  const dataDir = join(makeFolder(), 'data')
  const holders = [1, 2, 3, 4].map(() => startHolder(dataDir))
  const opened = await Promise.all(holders.map((holder) => holder.opened.then(() => true, silent)))
  expect(opened.filter(Boolean).length).toBe(1)
  const said = await Promise.all(holders.filter((_, index) => !opened[index]).map((holder) => holder.end))
  const refusal = `ClusterError: Another Library already runs on the data folder ${dataDir}; stop it or set another LIBRARY_DIR.`
  expect(said).toEqual([refusal, refusal, refusal])
  await Promise.all(holders.map((holder) => endHolder(holder)))
})

test('a stopped service leaves no server and no lock behind', async () => {
  const dataDir = await createdDataDir()
  const holder = startHolder(dataDir)
  await holder.opened
  await endHolder(holder)
  expect(holder.child.exitCode).toBe(0)
  expect(postmasterPid(join(dataDir, 'postgres/data'))).toBe(null)
})

test('after kill -9 of the service, of PostgreSQL or of both the next start has all committed data', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = await createdDataDir()
  const data = join(dataDir, 'postgres/data')
  for (let round = 0; round < rounds; round++) {
    for (const victims of ['service', 'database', 'both']) {
      const holder = startHolder(dataDir)
      const { owner } = await holder.opened
      await query(owner, 'CREATE TABLE IF NOT EXISTS note (round int, victims text)')
      await query(owner, `INSERT INTO note VALUES (${round}, '${victims}')`)
      const postmaster = postmasterPid(data) ?? 0
      if (victims !== 'database') holder.child.kill('SIGKILL')
      if (victims !== 'service') process.kill(postmaster, 'SIGKILL')
      if (victims === 'database') holder.child.kill('SIGKILL') // While it is being restarted.
      await holder.end
    }
  }
  const cluster = await openCluster({ dataDir, names, log: silent })
  onTestFinished(() => cluster.stop())
  expect(await query(cluster.owner, 'SELECT count(*)::int FROM note')).toEqual([{ count: rounds * 3 }])
})

test('stops a busy orphaned PostgreSQL, and one server remains', async () => {
  const dataDir = await createdDataDir()
  const holder = startHolder(dataDir)
  const { owner } = await holder.opened
  const { ended } = await keepBusy(owner)
  const orphan = postmasterPid(join(dataDir, 'postgres/data')) ?? 0
  await endHolder(holder, 'SIGKILL')
  expect(readFileOrEmpty(`/proc/${orphan}/cmdline`)).toContain(dataDir)
  const said: string[] = []
  const cluster = await openCluster({ dataDir, names, log: (message) => said.push(message) })
  onTestFinished(() => cluster.stop())
  await ended
  expect(said).toContain('Stopping the PostgreSQL that an earlier, killed service left behind')
  expect(readFileOrEmpty(`/proc/${orphan}/cmdline`)).toBe('')
})

test('kill -9 at any moment of the first start leaves a folder the next start accepts', {
  timeout: timeoutMs,
}, async () => {
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(makeFolder(), 'data')
    const home = join(dataDir, 'postgres')
    const first = startHolder(dataDir)
    // During initdb, then later and later: first start, roles, database.
    await until(() => entries(home).some((name) => name.startsWith('new-') || name === 'data'))
    await sleep(100 + 50 * round)
    await endHolder(first, 'SIGKILL')
    const cluster = await openCluster({ dataDir, names, log: silent, durable: false })
    onTestFinished(() => cluster.stop())
    expect(await query(cluster.service, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await cluster.stop()
    // An initdb that outlived its service may still be running.
    await until(() => !spawnSync('ps', ['-A', '-o', 'args']).stdout.includes(`${home}/`))
    await (await openCluster({ dataDir, names, log: silent, durable: false })).stop()
    expect(entries(home).filter((name) => name.startsWith('new-'))).toEqual([])
  }
})

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
