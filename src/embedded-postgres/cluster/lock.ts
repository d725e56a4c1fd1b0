import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ClusterError } from '../cluster-error.ts'

export type Lock = { release(): void }

/**
 * Takes the file lock; null when another process or this one has it. Node has no flock. The kernel releases SQLite's
 * lock with the process, even on `kill -9`, so there is no stale pid file. `setting` tells a person which folder is
 * meant.
 */
export function takeLock(file: string, setting: string): Lock | null {
  makeFile(file, setting)
  if (isLocked(file, 300)) return null
  // From here on only another check, or a concurrent start, can be in the way.
  const database = open(file, 3_000)
  if (!begins(database, 'BEGIN EXCLUSIVE')) return null
  takenLocks.add(database)
  return {
    release() {
      if (takenLocks.delete(database)) database.close()
    },
  }
}

/** Checks without taking. A concurrent start is not disturbed, because its timeout is longer than a check. */
export function isLocked(file: string, timeoutMs = 0): boolean {
  if (!existsSync(file)) return false
  const database = open(file, timeoutMs)
  const free = begins(database, 'BEGIN; SELECT count(*) FROM sqlite_schema')
  if (free) database.close()
  return !free
}

/** Prevents locks from being garbage-collected with the object that took them. */
const takenLocks = new Set<DatabaseSync>()

/** Private, because another user's shared lock would block ours; never reopened here, because closing would unlock. */
function makeFile(file: string, setting: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    throw new ClusterError(`The lock ${file} cannot be made (${code}): set another ${setting}.`)
  }
}

const sqliteBusy = 5

/** Not `locking_mode=EXCLUSIVE`: two concurrent starts would both keep their shared locks and fail. */
function begins(database: DatabaseSync, statement: string): boolean {
  try {
    database.exec(statement)
    return true
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}

function open(file: string, timeoutMs: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: timeoutMs })
  } catch {
    throw new ClusterError(`The lock ${file} cannot be opened: start as the user it belongs to.`)
  }
}
