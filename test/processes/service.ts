import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundledNode } from '../../bin/bundled-node.js'
import { removeCluster } from '../../src/embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import { killPostgres, postgresPids } from './postgres.ts'
import { listProcesses, signal } from './processes.ts'

export const ownCheckout = resolve(import.meta.dirname, '../..')
export const isRoot = process.getuid?.() === 0
/** How long a loaded machine may take for something that takes seconds. */
export const timeoutMs = 240_000

/** Returns how many times slower the machine is now because of other load. */
export function slowdown(): number {
  const [cpuMs, startedAt, before] = [100, performance.now(), process.threadCpuUsage()]
  const usedMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
  while (usedMs(process.threadCpuUsage(before)) < cpuMs);
  const now = (performance.now() - startedAt) / cpuMs
  return Math.max(1, now, (loadavg()[0] ?? 1) / availableParallelism())
}

/**
 * Makes Node believe that its standard output and error are a terminal. npm needs more of one for its spinner, which it
 * shows on a busy machine.
 */
export const onTerminal = {
  npm_config_progress: 'false',
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent("for (const stream of [process.stdout, process.stderr]) Object.defineProperty(stream, 'isTTY', { value: true })")}`,
}

export type StartOptions = {
  /** Null leaves the setting at its default. */
  dataDir: string | null
  /** Node directly by default; `npm` runs `npm start` in the checkout. */
  by?: 'node' | 'npm'
  /** The script of another npm than the machine's. */
  cli?: string | null
  env?: Record<string, string>
  checkout?: string
  /** Another Node, and arguments before the script. */
  node?: string
  nodeArguments?: string[]
  /** Arguments after `npm start --` or the script. */
  arguments?: string[]
  uid?: number
}
export type Ending = { status: number | null; signal: NodeJS.Signals | null }
export type Service = ReturnType<typeof startService>

export const endedWell: Ending = { status: 0, signal: null }

/** Starts a real service in its own process on a free port, without settings of this environment. */
export function startService(options: StartOptions) {
  const { checkout = ownCheckout, by = 'node', uid } = options
  const { dataDir = null, node = nodeOf(checkout), nodeArguments = [] } = options
  const { arguments: given = [] } = options
  const script = join(checkout, 'bin/parvis.js')
  const npm = options.cli ? ['node', options.cli] : ['npm']
  const [command, ...words] =
    by === 'npm' ? [...npm, 'start', '--', ...given] : [node, ...nodeArguments, script, ...given]
  const startedAt = performance.now()
  // A process group as in a shell: Ctrl-C and `kill -9` go to the group.
  const child = spawn(command ?? node, words, {
    cwd: by === 'npm' ? checkout : '/',
    env: { ...environment(dataDir, checkout), ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  started.push(child)
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<string>()
  const state = {
    out: '',
    /** Standard error, without the greeting. */
    err: '',
    greeting: '',
    readyMs: null as number | null,
    ending: null as Ending | null,
  }
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    state.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    const [greeting = ''] = wholeGreeting.exec(said) ?? []
    state.greeting = greeting
    state.err = said.replace(greeting, '')
    const [, url] = /Parvis answers at +(\S+)/.exec(greeting) ?? []
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
    /** Resolves to its address when it says that it is ready. */
    ready,
    ended,
    /** Its output so far, its start time and its exit. */
    state,
  }
}

const wholeGreeting =
  /\n {2}Parvis answers at.*?\n( {4}(?:npm|bin\/node) [^\n]* token| {4}curl [^\n]*Bearer| {2}It runs jobs only)[^\n]*\n\n/s

export function stop(service: Service, name: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
  service.child.kill(name)
  return service.ended
}

/** `kill -9` of the service and its npm; its PostgreSQL survives. */
export async function killService(service: Service): Promise<void> {
  signalGroup(service.child, 'SIGKILL')
  await service.ended
}

/** Signals a process and its children, like a terminal. */
export function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): boolean {
  return pid !== undefined && signal(-pid, name)
}

/** The service that npm started. */
export function servicePid({ child }: Service): number | null {
  const processes = listProcesses()
  const below = (pid: number | undefined): number | null => {
    const next = processes.find(({ ppid }) => ppid === pid)
    if (next === undefined) return null
    return next.command.includes('bin/parvis.js') ? next.pid : below(next.pid)
  }
  return below(child.pid)
}

/** Polls until it finds something; null when the service exits first. */
export async function until<T>(find: () => T | Promise<T>, service?: Service): Promise<T | null> {
  for (const end = Date.now() + timeoutMs / 2; Date.now() < end; await sleep(20)) {
    const found = await find()
    if (found) return found
    if (service && service.state.ending !== null) return null
  }
  throw new Error(`It did not come: ${find}\n${service?.state.out}${service?.state.err}`)
}

/** Sends a request, again while the service is busy or not ready: it says so by 503. */
export async function fetchServed(url: string, options: RequestInit = {}): Promise<Response> {
  for (const end = Date.now() + timeoutMs / 2; ; await sleep(50)) {
    const response = await fetch(url, options)
    if (response.status !== 503 || Date.now() > end) return response
    await response.body?.cancel()
  }
}

/** Readable by others, because root's PostgreSQL is another user's. */
export function makeFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-processes-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

/** A data folder that does not exist yet. */
export const newDataDir = () => join(makeFolder(), 'data')

/** Stops and deletes everything the tests of a file started and created, including staged files; for `afterAll`. */
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
      // For an ordinary user everything is in the folder.
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

/** Empty means unset, and keeps out a developer's own .env. */
function environment(dataDir: string | null, checkout: string): Record<string, string> {
  const unset = ['HOST', 'METRICS_PORT', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SEED', 'LOG_LEVEL']
  return {
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    DATA_DIR: dataDir ?? '',
    PORT: '0',
    // Only the tests of the application pay for its build.
    BACKOFFICE: 'off',
    // The delay for a load balancer; only its own test waits for it.
    SHUTDOWN_DELAY: '0',
    PATH: systemPath,
    // npm writes its logs there.
    HOME: dirname(dataDir ?? checkout),
    npm_config_update_notifier: 'false',
  }
}

/** Without what `npm test` prepended: a start has only what the machine has. */
export const systemPath = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

const nodeOf = (checkout: string) => bundledNode(join(checkout, 'package.json')) ?? process.execPath
