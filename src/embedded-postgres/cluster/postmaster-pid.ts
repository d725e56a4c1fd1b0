import { join } from 'node:path'
import { readPlainFile } from '../files/plain-file.ts'

/** Reads the status a running server writes; it is also there, outdated, after a crash. */
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
 * We hold the lock, so no server runs here and the number in a leftover postmaster.pid belongs to another process.
 * PostgreSQL ignores this number, as with pg_ctl's own, and still checks for surviving children.
 */
export function ownStalePid(data: string): Record<string, string> {
  const pid = readPostmaster(data)?.pid
  return pid ? { PG_GRANDPARENT_PID: String(pid) } : {}
}
