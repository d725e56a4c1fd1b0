import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeCluster } from '../../src/embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import { killPostgres, postgresPids } from './postgres.ts'
import { listProcesses, signal } from './processes.ts'

export const ownCheckout = resolve(import.meta.dirname, '../..')
export const isRoot = process.getuid?.() === 0
/** How long a loaded machine may take for what takes seconds. */
export const patienceMs = 120_000

/** How many times longer everything takes now, for the other work that the machine has: for what the clock measures. */
export function slowdown(): number {
  const [cpuMs, startedAt, before] = [100, performance.now(), process.threadCpuUsage()]
  const usedMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
  while (usedMs(process.threadCpuUsage(before)) < cpuMs);
  const now = (performance.now() - startedAt) / cpuMs
  return Math.max(1, now, (loadavg()[0] ?? 1) / availableParallelism())
}

/** Makes Node believe that a person reads what the service says. */
export const onTerminal = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent("Object.defineProperty(process.stdout, 'isTTY', { value: true })")}`,
}

export type StartOptions = {
  /** Null leaves the setting at its default. */
  dataDir: string | null
  /** Node itself by default; `npm` is `npm start`, in the checkout. */
  by?: 'node' | 'npm'
  env?: Record<string, string>
  checkout?: string
  /** Another Node, and what goes before the script. */
  node?: string
  nodeArguments?: string[]
  /** What follows `npm start --`, or the script. */
  arguments?: string[]
  uid?: number
}
export type Ending = { status: number | null; signal: NodeJS.Signals | null }
export type Service = ReturnType<typeof startService>

export const endedWell: Ending = { status: 0, signal: null }

/** A real service in a process of its own, on a free port and with nothing of this environment's settings. */
export function startService(options: StartOptions) {
  const { checkout = ownCheckout, by = 'node', uid } = options
  const { dataDir = null, node = nodeOf(checkout), nodeArguments = [] } = options
  const { arguments: given = [] } = options
  const script = join(checkout, 'bin/parvis.js')
  const [command, ...words] =
    by === 'npm' ? ['npm', 'start', '--', ...given] : [node, ...nodeArguments, script, ...given]
  const startedAt = performance.now()
  // A group of its own, as a shell gives: Ctrl-C and `kill -9` of everything go to the group.
  const child = spawn(command ?? node, words, {
    cwd: by === 'npm' ? checkout : '/',
    env: { ...environment(dataDir, checkout), ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  started.push(child)
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<string>()
  const state = { out: '', err: '', readyMs: null as number | null, ending: null as Ending | null }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    state.err += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    state.out += text
    const [, url] = /Parvis answers at +(\S+).*readyz/s.exec(state.out) ?? []
    if (url === undefined || state.readyMs !== null) return
    state.readyMs = performance.now() - startedAt
    isReady(url)
  })
  const ended = new Promise<Ending>((done, fail) => {
    child.once('error', fail)
    child.once('close', (status, name) => {
      state.ending = { status, signal: name }
      isNotReady(new Error(`It ended with ${JSON.stringify(state.ending)}:\n${state.out}${state.err}`))
      done(state.ending)
    })
  })
  ended.catch(isNotReady)
  ready.catch(() => {})
  return {
    child,
    dataDir: dataDir ?? join(checkout, '.data'),
    /** Its address, once it says that it answers there. */
    ready,
    ended,
    /** What it has said so far, how long it took to be ready, how it ended. */
    state,
  }
}

export function stop(service: Service, name: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
  service.child.kill(name)
  return service.ended
}

/** `kill -9` of the service, npm before it included; its PostgreSQL lives on. */
export async function killService(service: Service): Promise<void> {
  signalGroup(service.child, 'SIGKILL')
  await service.ended
}

/** What a terminal does: the same signal to what was started and to its children. */
export function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): boolean {
  return pid !== undefined && signal(-pid, name)
}

/** The service itself, which npm started. */
export function servicePid({ child }: Service): number | null {
  const processes = listProcesses()
  const below = (pid: number | undefined): number | null => {
    const next = processes.find(({ ppid }) => ppid === pid)
    if (next === undefined) return null
    return next.command.includes('bin/parvis.js') ? next.pid : below(next.pid)
  }
  return below(child.pid)
}

/** Looks until it finds something; null when the service ends before. */
export async function until<T>(find: () => T | Promise<T>, service?: Service): Promise<T | null> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await sleep(10)) {
    const found = await find()
    if (found) return found
    if (service && service.state.ending !== null) return null
  }
  throw new Error(`It did not come: ${find}\n${service?.state.out}${service?.state.err}`)
}

/** Others may read it, since root's PostgreSQL is another user's. */
export function makeFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-processes-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

/** A data folder that is not there yet. */
export const newDataDir = () => join(makeFolder(), 'data')

/** Ends and removes all that the tests of a file started and made, what lies staged included; for its `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    if (signalGroup(child, 'SIGKILL')) await new Promise((done) => child.once('close', done))
  }
  for (const folder of folders.splice(0)) {
    for (const dataDir of dataDirsIn(folder)) {
      await until(() => {
        killPostgres(dataDir, { whole: true })
        return postgresPids(dataDir).length === 0
      })
      // An ordinary user's holds all there is.
      if (statSync(dataDir).uid === process.getuid?.()) await removeCluster(dataDir, clusterNames)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

const started: ChildProcess[] = []
const folders: string[] = []

function dataDirsIn(folder: string): string[] {
  const places = ['data', 'checkout/.data'].map((name) => join(folder, name))
  return places.filter((place) => existsSync(join(place, 'lock')))
}

/** Empty is unset, and keeps out what a developer's own .env says. */
function environment(dataDir: string | null, checkout: string): Record<string, string> {
  const unset = ['HOST', 'METRICS_PORT', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SEED', 'LOG_LEVEL']
  return {
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    DATA_DIR: dataDir ?? '',
    PORT: '0',
    // The time that a balancer needs; only the test of that waits for it.
    SHUTDOWN_DELAY: '0',
    PATH: systemPath,
    // npm writes its logs there.
    HOME: dirname(dataDir ?? checkout),
    npm_config_update_notifier: 'false',
  }
}

/** Without what `npm test` put before it: a start has only what the machine has. */
export const systemPath = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

function nodeOf(checkout: string): string {
  const brought = join(checkout, 'node_modules/.bin/node')
  return existsSync(brought) ? brought : process.execPath
}
