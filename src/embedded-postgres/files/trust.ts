import { lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'

/**
 * Throws if root cannot trust the data folder. Root creates files in it and gives some away: anyone who can
 * plant links there or replace the folder could make root do that anywhere. So root accepts only what nobody
 * else can write or move, or has created.
 */
export function refuseUntrusted(dataDir: string, setting: string): void {
  if (process.getuid?.() !== 0) return
  const found = findOnTheWay(dataDir) ?? findPlanted(dataDir)
  if (found) refuse(dataDir, found, setting)
}

/** Checks a cluster's folder, where `given` entries belong to the user that runs PostgreSQL. */
export function refusePlanted(home: string, given: string[], setting: string): void {
  const found = process.getuid?.() === 0 ? findPlanted(home, given) : null
  if (found) refuse(home, found, setting)
}

type Fault = 'belongs to another user' | 'may be written by other users' | 'is a link'
type UntrustedFile = { path: string; fault: Fault }

const remedies: Record<Fault, string> = {
  'belongs to another user': 'start as that user',
  'may be written by other users': 'take that from them (chmod go-w)',
  'is a link': 'put what it leads to in its place',
}

function refuse(folder: string, { path, fault }: UntrustedFile, setting: string): never {
  const what = path === folder ? 'it' : path
  throw new ClusterError(
    `Root does not use ${folder}, since ${what} ${fault}: ${remedies[fault]}, or set another ${setting}.`,
  )
}

/** Checks from the root down and through every link, so that a checked part cannot change afterwards. */
function findOnTheWay(dataDir: string): UntrustedFile | null {
  const names = dataDir.split('/')
  let [at, links] = ['/', 0]
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const path = join(at, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return null // Not created yet.
    if (!isTrusted(stats.uid)) return { path, fault: 'belongs to another user' }
    if (stats.isSymbolicLink()) {
      if (++links > 40) return { path, fault: 'is a link' }
      const target = readlinkSync(path)
      names.unshift(...target.split('/'))
      if (isAbsolute(target)) at = '/'
    } else {
      if (!stats.isDirectory()) return null // Not a data folder at all.
      if (mayOthersReplace(stats)) return { path, fault: 'may be written by other users' }
      at = path
    }
  }
  return null
}

/** Returns true for root and for the owner of this program, who can make root do anything anyway. */
function isTrusted(uid: number): boolean {
  return uid === 0 || uid === statSync(import.meta.filename).uid
}

function mayOthersReplace({ mode, gid }: Stats): boolean {
  // Sticky bit, as in /tmp: only the owner of a folder can remove it there.
  if (mode & 0o1000) return false
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isTrustedGroup(gid))
}

function isTrustedGroup(gid: number): boolean {
  const program = statSync(dirname(import.meta.filename))
  return gid === 0 || (gid === program.gid && (program.mode & 0o020) !== 0)
}

/** Checks the folder itself and its content. */
function findPlanted(folder: string, given: string[] = []): UntrustedFile | null {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return null
  const fault = findFault(stats, false)
  if (fault) return { path: folder, fault }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const entry = lstatSync(path, { throwIfNoEntry: false }) // A running service may have removed it.
    const fault = entry ? findFault(entry, given.includes(path)) : null
    if (fault) return { path, fault }
  }
  return null
}

function findFault(stats: Stats, isGiven: boolean): Fault | null {
  if (stats.isSymbolicLink()) return 'is a link'
  if (isGiven) return null
  if (stats.uid !== 0) return 'belongs to another user'
  return (stats.mode & 0o022) === 0 ? null : 'may be written by other users'
}
