import { lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'

/**
 * Root makes files in a data folder and gives some away: whoever could put links there, or another folder in its place,
 * could have root do that anywhere. So root uses only what nobody else can write, can move away or has made.
 */
export function refuseUntrusted(dataDir: string, setting: string): void {
  if (process.getuid?.() !== 0) return
  const found = findOnTheWay(dataDir) ?? findPlanted(dataDir)
  if (found) refuse(dataDir, found, setting)
}

/** The same of a cluster's home, but what is `given` there belongs to the user that runs PostgreSQL. */
export function refusePlanted(home: string, given: string[], setting: string): void {
  const found = process.getuid?.() === 0 ? findPlanted(home, given) : null
  if (found) refuse(home, found, setting)
}

type Fault = 'belongs to another user' | 'may be written by other users' | 'is a link'
type Found = { path: string; fault: Fault }

const remedies: Record<Fault, string> = {
  'belongs to another user': 'start as that user',
  'may be written by other users': 'take that from them (chmod go-w)',
  'is a link': 'put what it leads to in its place',
}

function refuse(folder: string, { path, fault }: Found, setting: string): never {
  const what = path === folder ? 'it' : path
  throw new ClusterError(
    `Root does not use ${folder}, since ${what} ${fault}: ${remedies[fault]}, or set another ${setting}.`,
  )
}

/** From the top down and through every link: what was looked at cannot change any more while the rest is. */
function findOnTheWay(dataDir: string): Found | null {
  const names = dataDir.split('/')
  let [at, links] = ['/', 0]
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const path = join(at, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return null // Still to be made.
    if (!isTrusted(stats.uid)) return { path, fault: 'belongs to another user' }
    if (stats.isSymbolicLink()) {
      if (++links > 40) return { path, fault: 'is a link' }
      const target = readlinkSync(path)
      names.unshift(...target.split('/'))
      if (isAbsolute(target)) at = '/'
    } else {
      if (!stats.isDirectory()) return null // No data folder at all.
      if (mayOthersReplace(stats)) return { path, fault: 'may be written by other users' }
      at = path
    }
  }
  return null
}

/** Who owns this program could have root do anything as it is: a folder of theirs, as their checkout, may lie above. */
function isTrusted(uid: number): boolean {
  return uid === 0 || uid === statSync(import.meta.filename).uid
}

function mayOthersReplace({ mode, gid }: Stats): boolean {
  // As in /tmp: there only the owner of a folder can take it away.
  if (mode & 0o1000) return false
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isTrustedGroup(gid))
}

function isTrustedGroup(gid: number): boolean {
  const program = statSync(dirname(import.meta.filename))
  return gid === 0 || (gid === program.gid && (program.mode & 0o020) !== 0)
}

/** The folder itself, by whatever name it goes, and what lies in it. */
function findPlanted(folder: string, given: string[] = []): Found | null {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return null
  const fault = findFault(stats, false)
  if (fault) return { path: folder, fault }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const entry = lstatSync(path, { throwIfNoEntry: false }) // A running service may have taken it away.
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
