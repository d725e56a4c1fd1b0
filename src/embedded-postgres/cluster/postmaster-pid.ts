import { join } from 'node:path'
import { readPlainFile } from '../files/plain-file.ts'

/** What a running server says of itself; also there, outdated, after a crash. */
export function readPostmaster(data: string): { pid: number; status: string } | null {
  try {
    const lines = readPlainFile(join(data, 'postmaster.pid')).split('\n')
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10)) // Negative in single-user mode.
    return pid ? { pid, status: lines[7]?.trim() ?? '' } : null
  } catch {
    return null
  }
}

/**
 * No server runs here, we hold the lock: whoever has the number in a leftover postmaster.pid now is a stranger.
 * PostgreSQL skips this number, as pg_ctl has it skip its own, and still checks for living children of the dead.
 */
export function ownStalePid(data: string): Record<string, string> {
  const pid = readPostmaster(data)?.pid
  return pid ? { PG_GRANDPARENT_PID: String(pid) } : {}
}
