import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ClusterError } from '../cluster-error.ts'

export type Lock = { release(): void }

/**
 * Takes the file lock, or answers null when another process (or this one) has it. Node has no flock: SQLite's lock
 * is one that the kernel drops with the process, `kill -9` included, so there is no stale pid file to reason about.
 * `setting` is where a person says which folder it lies in.
 */
export function takeLock(file: string, setting: string): Lock | null {
  makeFile(file, setting)
  if (isLocked(file, 300)) return null
  // From here on only somebody who looks, or takes it at this very instant, can be in the way.
  const database = open(file, 3_000)
  if (!begins(database, 'BEGIN EXCLUSIVE')) return null
  takenLocks.add(database)
  return {
    release() {
      if (takenLocks.delete(database)) database.close()
    },
  }
}

/** Looks without taking; a starter at the same instant is not disturbed, its patience outlasts the look. */
export function isLocked(file: string, patienceMs = 0): boolean {
  if (!existsSync(file)) return false
  const database = open(file, patienceMs)
  const free = begins(database, 'BEGIN; SELECT count(*) FROM sqlite_schema')
  if (free) database.close()
  return !free
}

/** Keeps the locks from being collected with the object that took them. */
const takenLocks = new Set<DatabaseSync>()

/** Closed to other users, whose shared lock would block ours; never reopened here, since closing would unlock. */
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

/** Not `locking_mode=EXCLUSIVE`: there two starters that meet keep their shared locks, and both lose. */
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

function open(file: string, patienceMs: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: patienceMs })
  } catch {
    throw new ClusterError(`The lock ${file} cannot be opened: start as the user it belongs to.`)
  }
}
