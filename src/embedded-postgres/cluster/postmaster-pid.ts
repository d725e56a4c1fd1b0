import { join } from 'node:path'
import { readPlainFile } from '../files/plain-file.ts'

/** Reads the pid and status that a running server writes. After a crash the file remains, outdated. */
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
 * Makes PostgreSQL ignore the pid in a stale postmaster.pid, as it does with pg_ctl's own. We hold the lock,
 * so no server runs here and the pid belongs to another process. PostgreSQL still checks for surviving
 * children.
 */
export function ownStalePid(data: string): Record<string, string> {
  const pid = readPostmaster(data)?.pid
  return pid ? { PG_GRANDPARENT_PID: String(pid) } : {}
}
