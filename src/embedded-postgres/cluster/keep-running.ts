import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from '../cluster-error.ts'
import type { Binaries } from '../files/binaries.ts'
import type { ClusterPaths } from '../files/paths.ts'
import { type ServerUser, spawnOptions } from '../user/server-user.ts'
import { ownStalePid, readPostmaster } from './postmaster-pid.ts'
import { serverSettings } from './settings.ts'
import { shutDown } from './shut-down.ts'

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants

/** Opens the server's log, rotated at 5 MB with one old file. */
function openLog(file: string): number {
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) renameSync(file, `${file}.1`)
  return openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
}

/** Returns the log's last lines, joined into one. */
function readEnd(file: string): string {
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW)
  const buffer = Buffer.alloc(600)
  const start = Math.max(0, fstatSync(descriptor).size - buffer.length)
  const length = readSync(descriptor, buffer, 0, buffer.length, start)
  closeSync(descriptor)
  return buffer.toString('utf8', 0, length).trim().split('\n').slice(-4).join(' | ')
}

/** Returns the last line of the log, without its time and process. */
const lastLine = (file: string) => (readEnd(file).split(' | ').at(-1) ?? '').replace(/^.*?\] +/, '')

/** Everything needed to start a cluster's PostgreSQL, except passwords. */
export type Launch = {
  binaries: Binaries
  paths: ClusterPaths
  user: ServerUser
  durable: boolean
  maxConnections?: number | undefined
  log: (message: string) => void
  /** For tests: lets the time between two looks at a starting server pass. */
  pause?: ((ms: number) => Promise<unknown>) | undefined
}

export type RunningServer = { stop(): Promise<void> }
type Server = { child: ChildProcess; startedAt: number; exit: Promise<string> }

const socketName = '.s.PGSQL.5432'

/** Starts the server, returns when it accepts connections, and restarts it whenever it ends before `stop`. */
export async function keepRunning(launch: Launch): Promise<RunningServer> {
  const stopping = new AbortController()
  let server = await startServer(launch)
  const restarting = restartWhenEnded()
  // Also ends the server when the process exits without calling `stop`.
  const endServer = () => void server.child.kill('SIGINT')
  process.on('exit', endServer)
  return {
    async stop() {
      process.off('exit', endServer)
      stopping.abort()
      if (await end(server)) await restarting
    },
  }

  async function restartWhenEnded(): Promise<void> {
    let pauseMs = 0
    for (;;) {
      const reason = await server.exit
      if (stopping.signal.aborted) return
      pauseMs = Date.now() - server.startedAt > 10_000 ? 0 : Math.min(2 * pauseMs + 50, 10_000)
      launch.log(`PostgreSQL ended by itself (${reason}); starting it again`)
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      server = spawnAgain(launch, server)
    }
  }
}

/** Most servers are ready within the first looks. */
const [quickLooks, quickLookMs, lookMs] = [1_000, 5, 100]
/** Ten minutes without a line in its log, in which a recovering server says every 10 s how far it is. */
const mostSilentLooks = 6_000
const looksPerMessage = 300
/** How long children of a killed postmaster may take to finish their query. */
const lastQueriesMs = 600_000

/** Starts the server. Replaying the write-ahead log after a crash may take as long as it needs. */
async function startServer(launch: Launch): Promise<Server> {
  const begun = Date.now()
  for (let tries = 0; ; tries++) {
    const server = spawnServer(launch)
    if (await isReady(server, launch)) return server
    await end(server)
    const endOfLog = readEnd(launch.paths.logFile)
    const isWorthWaiting = endOfLog.includes('shared memory block') && Date.now() < begun + lastQueriesMs
    if (!isWorthWaiting) {
      throw new ClusterError(
        `PostgreSQL did not start (${await server.exit}); the end of ${launch.paths.logFile}: ${endOfLog}`,
      )
    }
    if (tries % 100 === 25)
      launch.log('PostgreSQL waits for processes of the killed one, which finish their last query')
    await sleep(200)
  }
}

/**
 * Waits while the server lives and writes to its log. Looks count, and not the time: the machine may be starved or have
 * been suspended. Also waits for the new socket: a stale postmaster.pid may state `ready` with the same pid.
 */
async function isReady({ child, exit }: Server, { paths, log, pause = sleep }: Launch): Promise<boolean> {
  let ended = false
  exit.then(() => {
    ended = true
  })
  let logged = 0
  let silentLooks = 0
  for (let looks = 1; !ended && silentLooks < mostSilentLooks; looks++) {
    const state = readPostmaster(paths.data)
    if (state?.pid === child.pid && state?.status === 'ready' && existsSync(join(paths.socket, socketName)))
      return true
    const bytes = lstatSync(paths.logFile).size
    silentLooks = bytes === logged ? silentLooks + 1 : 0
    logged = bytes
    if (looks >= quickLooks && (looks - quickLooks) % looksPerMessage === 0)
      log(`PostgreSQL is still starting: it recovers what was not saved yet (${lastLine(paths.logFile)})`)
    await pause(looks < quickLooks ? quickLookMs : lookMs)
  }
  return false
}

/** Restarts the server in the background: errors are logged and retried, never thrown. */
function spawnAgain(launch: Launch, before: Server): Server {
  try {
    return spawnServer(launch)
  } catch (error) {
    return { ...before, startedAt: Date.now(), exit: Promise.resolve(String(error)) }
  }
}

/** Starts PostgreSQL in its own session: Ctrl-C in the terminal reaches the service, which then stops it. */
function spawnServer({ binaries, paths, user, durable, maxConnections }: Launch): Server {
  const settings = Object.entries(serverSettings(durable, maxConnections)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  for (const end of ['', '.lock']) rmSync(join(paths.socket, socketName + end), { force: true })
  const descriptor = openLog(paths.logFile)
  const child = spawn(binaries.postgres, ['-D', paths.data, ...settings], {
    ...spawnOptions(user, ownStalePid(paths.data)),
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  })
  closeSync(descriptor)
  const exit = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (status, signal) => resolve(signal ? `signal ${signal}` : `status ${status}`))
  })
  return { child, startedAt: Date.now(), exit }
}

async function end({ child, exit }: Server): Promise<boolean> {
  const exitsWithin = (waitMs: number) =>
    Promise.race([exit.then(() => true), sleep(waitMs, false, { ref: false })])
  return !child.pid || shutDown((signal) => child.kill(signal), exitsWithin)
}
