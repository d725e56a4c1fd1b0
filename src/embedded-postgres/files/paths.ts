import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import type { Names } from '../names.ts'
import type { ServerUser } from '../user/server-user.ts'
import { homeForRoot, homeIn, idFile, originalOf, readId, stagedHome } from './home.ts'
import { refusePlanted } from './trust.ts'

/** A cluster's folder and its parts. Only `data` and `socket` belong to the user that runs PostgreSQL. */
export type ClusterPaths = { home: string; data: string; socket: string; lock: string; logFile: string }
type Claim = { dataDir: string; user: ServerUser; names: Names; log: (message: string) => void }

/**
 * Determines and prepares the cluster's folder: in the data folder, or in the staging root if PostgreSQL's
 * user cannot enter the data folder.
 */
export async function preparePaths(claim: Claim): Promise<ClusterPaths> {
  const { dataDir, user, names } = claim
  const paths = pathsAt(user ? await homeForRoot({ ...claim, ...names, user }) : homeForUser(dataDir, names))
  mkdirSync(paths.home, { recursive: true, mode: 0o755 })
  refusePlanted(paths.home, [paths.data, paths.socket], names.dataDirSetting)
  chmodSync(paths.home, user ? 0o711 : 0o700)
  settleSocket(paths.socket, user)
  if (user) giveData(paths.data, user)
  return paths
}

/** Finds the paths without creating or moving anything; null if none, or if another data folder owns it. */
export function findPaths(dataDir: string, { stagingRoot }: Names): ClusterPaths | null {
  const id = readId(dataDir)
  const home = id ? stagedHome(stagingRoot, id) : homeIn(dataDir)
  return existsSync(home) && !(id && originalOf(dataDir, stagingRoot, id)) ? pathsAt(home) : null
}

function pathsAt(home: string): ClusterPaths {
  const part = (name: string) => join(home, name)
  return {
    home,
    data: part('data'),
    socket: part('socket'),
    lock: part('lock'),
    logFile: part('postgres.log'),
  }
}

function homeForUser(dataDir: string, { stagingRoot }: Names): string {
  const id = readId(dataDir)
  if (!id) return refuseForeign(homeIn(dataDir))
  throw new ClusterError(
    `Root started this service once and its database is stored in ${stagedHome(stagingRoot, id)}: start as root, or remove ${idFile(dataDir)} to begin with an empty database.`,
  )
}

function refuseForeign(home: string): string {
  for (const path of [home, join(home, 'data')]) {
    const owner = statSync(path, { throwIfNoEntry: false })
    if (!owner || owner.uid === process.getuid?.()) continue
    throw new ClusterError(
      `${path} belongs to another user: start as that user or as root, or give it to yours (chown -R).`,
    )
  }
  return home
}

/** Creates the socket folder. By descriptor, so that no folder planted under its name is handed over. */
function settleSocket(folder: string, user: ServerUser): void {
  mkdirSync(folder, { recursive: true })
  const descriptor = openSync(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  fchmodSync(descriptor, 0o700)
  if (user) fchownSync(descriptor, user.uid, user.gid)
  closeSync(descriptor)
}

/**
 * Gives the data to the user, whose uid may have changed in a new container or on a new machine. Changes only
 * files of the earlier uid and follows no links, which that user may have pointed at root's files.
 */
function giveData(data: string, { uid, gid }: NonNullable<ServerUser>): void {
  const owner = lstatSync(data, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === uid) return
  const entries = readdirSync(data, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const shared = files.find((file) => lstatSync(file).nlink > 1)
  if (shared !== undefined)
    throw new ClusterError(`${shared} has a second name elsewhere: replace it by a copy of its own.`)
  const { status } = spawnSync('chown', ['-hR', `--from=${owner}`, `${uid}:${gid}`, data])
  if (status !== 0)
    throw new ClusterError(`The files in ${data} cannot be given to user ${uid}, who runs PostgreSQL.`)
}
