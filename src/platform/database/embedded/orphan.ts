import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../start-error.ts'

/**
 * PostgreSQL outlives a killed service. Called with the lock held, so that one which runs on these files belongs to
 * nobody: it is stopped, since only a child of ours can be watched and restarted.
 */
export async function stopOrphan(data: string, log: (message: string) => void): Promise<void> {
  const pid = readPostmaster(data)?.pid
  if (!pid || !runsOn(pid, data)) return
  log('Stopping the PostgreSQL that an earlier, killed service left behind')
  const exitsWithin = async (patienceMs: number) => {
    const until = Date.now() + patienceMs
    while (runsOn(pid, data)) {
      if (Date.now() > until) return false
      await sleep(10)
    }
    return true
  }
  if (await shutDown((signal) => signalIfAlive(pid, signal), exitsWithin)) return
  throw new StartError(`A PostgreSQL left behind (process ${pid}) cannot be stopped: end it by hand.`)
}

/** What a running server says of itself; also there, outdated, after a crash. */
export function readPostmaster(data: string): { pid: number; status: string } | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10)) // Negative in single-user mode.
    return pid ? { pid, status: lines[7]?.trim() ?? '' } : null
  } catch {
    return null
  }
}

/** Fast, then at once (the next start recovers), then by force. */
export async function shutDown(
  send: (signal: NodeJS.Signals) => void,
  exitsWithin: (patienceMs: number) => Promise<boolean>,
): Promise<boolean> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(signal)
    if (await exitsWithin(signal === 'SIGINT' ? 5_000 : 2_000)) return true
  }
  return false
}

/** A process number is reused, above all in containers: only a PostgreSQL whose data folder is this one counts. */
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
    if (!folder) return parameters.includes(realpathSync(data)) // Root of a container may not look.
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
