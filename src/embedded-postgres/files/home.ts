import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stopOrphan } from '../cluster/stop-orphan.ts'
import { ClusterError } from '../cluster-error.ts'
import { canEnter, type ServerUser } from '../user/server-user.ts'
import { readPlainFile, replacePlainFile } from './plain-file.ts'
import { ensureRootFolder } from './root-folder.ts'

export const homeIn = (dataDir: string) => join(dataDir, 'postgres')
export const stagedHome = (stagingRoot: string, id: string) => join(stagingRoot, 'clusters', id)
/** File with the cluster's id, if the cluster is in the staging root. */
export const idFile = (dataDir: string) => join(dataDir, 'cluster-id')

type Search = { dataDir: string; user: ServerUser; stagingRoot: string; log: (message: string) => void }

/** Returns the cluster's folder for root: inside the data folder if PostgreSQL's user can enter it. */
export async function homeForRoot({ dataDir, user, stagingRoot, log }: Search): Promise<string> {
  const known = readId(dataDir)
  const inside = homeIn(dataDir)
  if (!known && canEnter(user, dataDir)) return inside

  for (const folder of [stagingRoot, join(stagingRoot, 'clusters')]) ensureRootFolder(folder)
  const id = known ?? randomUUID()
  const staged = stagedHome(stagingRoot, id)
  if (known && existsSync(staged)) return checkedAgainstCopies(dataDir, stagingRoot, known)
  if (known && !existsSync(inside)) return refuseLost(dataDir, staged)
  // A crash here loses nothing: it leaves an empty folder without an id, or an id with its cluster still
  // inside.
  if (existsSync(inside)) await moveOut(dataDir, id, staged, log)
  else {
    mkdirSync(staged, 0o755)
    writeText(idFile(dataDir), id)
  }
  writeText(join(staged, 'data-dir'), dataDir)
  log(`The database is stored in ${staged}, because its system user cannot access ${dataDir}`)
  return staged
}

/** Returns the data folder this one is a copy of: another existing folder with the same cluster id. */
export function originalOf(dataDir: string, stagingRoot: string, id: string): string | null {
  const known = readText(join(stagedHome(stagingRoot, id), 'data-dir'))
  if (!known || readId(known) !== id) return null
  const [there, here] = [statSync(known), statSync(dataDir)]
  return there.ino === here.ino && there.dev === here.dev ? null : known
}

export function readId(dataDir: string): string | null {
  const id = readText(idFile(dataDir))
  if (id && !/^[0-9a-f-]{36}$/.test(id))
    throw new ClusterError(`${idFile(dataDir)} does not hold a cluster's id.`)
  return id
}

/** Accepts a moved data folder; refuses a copy, which must not write into the original's database. */
function checkedAgainstCopies(dataDir: string, stagingRoot: string, id: string): string {
  const original = originalOf(dataDir, stagingRoot, id)
  if (original) {
    throw new ClusterError(
      `${dataDir} is a copy of ${original} and would share its database: remove ${idFile(dataDir)} to give the copy an empty one of its own.`,
    )
  }
  const home = stagedHome(stagingRoot, id)
  writeText(join(home, 'data-dir'), dataDir)
  return home
}

function refuseLost(dataDir: string, home: string): never {
  throw new ClusterError(
    `The database of ${dataDir} was stored in ${home}, which no longer exists: put it back, or remove ${idFile(dataDir)} to begin with an empty one.`,
  )
}

/** Moves the cluster out of a data folder that was open at an earlier start and is private now. */
async function moveOut(
  dataDir: string,
  id: string,
  staged: string,
  log: (message: string) => void,
): Promise<void> {
  const home = homeIn(dataDir)
  await stopOrphan(join(home, 'data'), log)
  writeText(idFile(dataDir), id)
  try {
    renameSync(home, staged)
  } catch {
    rmSync(idFile(dataDir)) // Another file system: the cluster stays where it is.
    throw new ClusterError(
      `The user that runs the database can no longer enter ${dataDir}: let it pass again (chmod o+x on this folder and those above it).`,
    )
  }
}

function readText(file: string): string | null {
  try {
    return readPlainFile(file).trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new ClusterError(`${file} cannot be read: ${message}.`)
  }
}

function writeText(file: string, text: string): void {
  if (readText(file) !== text) replacePlainFile(file, `${text}\n`, 0o644)
}
