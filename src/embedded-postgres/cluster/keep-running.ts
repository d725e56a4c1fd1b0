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

/** Everything needed to start a cluster's PostgreSQL, except passwords. */
export type Launch = {
  binaries: Binaries
  paths: ClusterPaths
  user: ServerUser
  durable: boolean
  maxConnections?: number | undefined
  log: (message: string) => void
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

const timeoutMs = { recovery: 600_000, lastQueries: 60_000 }

/** Starts the server, with a long timeout: replaying the write-ahead log may take minutes after a crash. */
async function startServer(launch: Launch): Promise<Server> {
  const begun = Date.now()
  for (;;) {
    const server = spawnServer(launch)
    if (await isReady(server, launch, begun + timeoutMs.recovery)) return server
    await end(server)
    const endOfLog = readEnd(launch.paths.logFile)
    // Children of a killed postmaster finish their query first.
    const isWorthWaiting =
      endOfLog.includes('shared memory block') && Date.now() < begun + timeoutMs.lastQueries
    if (!isWorthWaiting) {
      throw new ClusterError(
        `PostgreSQL did not start (${await server.exit}); the end of ${launch.paths.logFile}: ${endOfLog}`,
      )
    }
    await sleep(200)
  }
}

/** Also waits for the new socket: a stale postmaster.pid may state `ready` with the same pid. */
async function isReady({ child, exit }: Server, { paths, log }: Launch, until: number): Promise<boolean> {
  let ended = false
  exit.then(() => {
    ended = true
  })
  const slow = setTimeout(
    () => log('PostgreSQL is still starting: it recovers what was not saved yet'),
    5_000,
  )
  try {
    while (!ended && Date.now() < until) {
      const state = readPostmaster(paths.data)
      if (state?.pid === child.pid && state?.status === 'ready' && existsSync(join(paths.socket, socketName)))
        return true
      await sleep(5)
    }
    return false
  } finally {
    clearTimeout(slow)
  }
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
