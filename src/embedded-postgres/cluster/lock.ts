import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ClusterError } from '../cluster-error.ts'

export type Lock = { release(): void }

/**
 * Takes the file lock; returns null if this or another process has it. Uses SQLite, because Node has no
 * flock: the kernel releases SQLite's lock with the process, even on `kill -9`, so there is no stale pid
 * file. `setting` names the folder in error messages.
 */
export function takeLock(file: string, setting: string): Lock | null {
  makeFile(file, setting)
  if (isLocked(file, 300)) return null
  // From here only another check or a concurrent start can hold the lock.
  const database = open(file, 3_000)
  if (!begins(database, 'BEGIN EXCLUSIVE')) return null
  takenLocks.add(database)
  return {
    release() {
      if (takenLocks.delete(database)) database.close()
    },
  }
}

/** Returns whether the lock is taken. Does not disturb a concurrent start: its timeout is longer. */
export function isLocked(file: string, timeoutMs = 0): boolean {
  if (!existsSync(file)) return false
  const database = open(file, timeoutMs)
  const free = begins(database, 'BEGIN; SELECT count(*) FROM sqlite_schema')
  if (free) database.close()
  return !free
}

/** Prevents locks from being garbage-collected with the object that took them. */
const takenLocks = new Set<DatabaseSync>()

/**
 * Creates the file: private, because another user's shared lock would block ours. Never reopens it here:
 * closing would unlock.
 */
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
