import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from '../cluster-error.ts'
import { readPostmaster } from './postmaster-pid.ts'
import { shutDown } from './shut-down.ts'

/**
 * Stops a PostgreSQL that outlived a killed service. The caller holds the lock, so no service uses the
 * server. We can monitor and restart only a child process of our own.
 */
export async function stopOrphan(data: string, log: (message: string) => void): Promise<void> {
  const pid = readPostmaster(data)?.pid
  if (!pid || !runsOn(pid, data)) return
  log('Stopping the PostgreSQL that an earlier, killed service left behind')
  const exitsWithin = async (timeoutMs: number) => {
    const until = Date.now() + timeoutMs
    while (runsOn(pid, data)) {
      if (Date.now() > until) return false
      await sleep(10)
    }
    return true
  }
  if (await shutDown((signal) => signalIfAlive(pid, signal), exitsWithin)) return
  throw new ClusterError(`A PostgreSQL left behind (process ${pid}) cannot be stopped: end it by hand.`)
}

/** Returns whether the pid is a PostgreSQL on this data folder: pids are reused, above all in containers. */
function runsOn(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return process.platform === 'linux'
    ? runsOnByProc(pid, data)
    : commandOf(pid).includes(`-D ${realpathSync(data)}`)
}

function runsOnByProc(pid: number, data: string): boolean {
  try {
    const [program = '', ...parameters] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (!program.endsWith('postgres')) return false
    const folder = statOrNull(`/proc/${pid}/cwd`)
    if (!folder) return parameters.includes(realpathSync(data)) // Root in a container may not be allowed to look.
    const ours = statSync(data)
    return folder.ino === ours.ino && folder.dev === ours.dev
  } catch {
    return false
  }
}

function statOrNull(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
