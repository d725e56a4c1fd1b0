import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../start-error.ts'
import { stopOrphan } from './orphan.ts'
import { canEnter, ensureRootFolder, type Runner, stagingRoot } from './runner.ts'
import { syncFolder } from './secrets.ts'

/** A cluster's home and what it holds. Only `data` and `socket` belong to the user that runs PostgreSQL. */
export type Place = { home: string; data: string; socket: string; lock: string; logFile: string }
type Claim = { dataDir: string; runner: Runner; log: (message: string) => void }

/** Where the cluster lies: in the data folder, or, when root's other user cannot reach that, under /var/lib. */
export async function claimPlace(claim: Claim): Promise<Place> {
  const place = placeAt(claim.runner ? await homeForRoot(claim) : homeForUser(claim.dataDir))
  mkdirSync(place.home, { recursive: true })
  chmodSync(place.home, claim.runner ? 0o711 : 0o700)
  mkdirSync(place.socket, { recursive: true })
  chmodSync(place.socket, 0o700)
  if (claim.runner) giveTo(claim.runner, place)
  return place
}

/** The same answer without making or moving anything; null when there is none yet, or only that of another folder. */
export function findPlace(dataDir: string): Place | null {
  const id = readId(dataDir)
  const home = id ? stagedHome(id) : homeInside(dataDir)
  return existsSync(home) && !(id && originalOf(dataDir, id)) ? placeAt(home) : null
}

function placeAt(home: string): Place {
  const inside = (name: string) => join(home, name)
  return {
    home,
    data: inside('data'),
    socket: inside('socket'),
    lock: inside('lock'),
    logFile: inside('postgres.log'),
  }
}

function homeForUser(dataDir: string): string {
  const id = readId(dataDir)
  if (!id) return refuseForeign(homeInside(dataDir))
  throw new StartError(
    `Root started this service once and its database lies in ${stagedHome(id)}: start as root, or remove ${idFile(dataDir)} to begin with an empty database.`,
  )
}

function refuseForeign(home: string): string {
  for (const path of [home, join(home, 'data')]) {
    const owner = statSync(path, { throwIfNoEntry: false })
    if (!owner || owner.uid === process.getuid?.()) continue
    throw new StartError(
      `${path} belongs to another user: start as that user or as root, or give it to yours (chown -R).`,
    )
  }
  return home
}

async function homeForRoot({ dataDir, runner, log }: Claim): Promise<string> {
  const known = readId(dataDir)
  const inside = homeInside(dataDir)
  if (known && existsSync(stagedHome(known))) return checkedAgainstCopies(dataDir, known)
  if (known && !existsSync(inside)) return refuseLost(dataDir, known)
  if (!known && canEnter(runner, dataDir)) return inside

  const id = known ?? randomUUID()
  for (const folder of [stagingRoot, join(stagingRoot, 'clusters')]) ensureRootFolder(folder)
  // A crash here leaves an empty home without a name, or a name whose home is still inside: nothing is lost.
  if (existsSync(inside)) await moveOut(dataDir, id, log)
  else {
    mkdirSync(stagedHome(id))
    writeText(idFile(dataDir), id)
  }
  writeText(join(stagedHome(id), 'data-dir'), dataDir)
  log(`The database lies in ${stagedHome(id)}, since the user it runs as cannot enter ${dataDir}`)
  return stagedHome(id)
}

/** A moved folder keeps its database; a copied one would write into the database of the folder it was copied from. */
function checkedAgainstCopies(dataDir: string, id: string): string {
  const original = originalOf(dataDir, id)
  if (original) {
    throw new StartError(
      `${dataDir} is a copy of ${original} and would share its database: remove ${idFile(dataDir)} to give the copy an empty one of its own.`,
    )
  }
  writeText(join(stagedHome(id), 'data-dir'), dataDir)
  return stagedHome(id)
}

/** Another folder that has this cluster, is still there, and is not this one by another path. */
function originalOf(dataDir: string, id: string): string | null {
  const known = readText(join(stagedHome(id), 'data-dir'))
  if (!known || readId(known) !== id) return null
  const [there, here] = [statSync(known), statSync(dataDir)]
  return there.ino === here.ino && there.dev === here.dev ? null : known
}

function refuseLost(dataDir: string, id: string): never {
  throw new StartError(
    `The database of ${dataDir} lay in ${stagedHome(id)}, which is gone: put it back, or remove ${idFile(dataDir)} to begin with an empty one.`,
  )
}

/** The folder was open at an earlier start and is closed now. */
async function moveOut(dataDir: string, id: string, log: (message: string) => void): Promise<void> {
  const { home, data } = placeAt(homeInside(dataDir))
  await stopOrphan(data, log)
  writeText(idFile(dataDir), id)
  try {
    renameSync(home, stagedHome(id))
  } catch {
    rmSync(idFile(dataDir)) // Another file system: the cluster stays where it is.
    throw new StartError(
      `The user that runs the database can no longer enter ${dataDir}: let it pass again (chmod o+x on this folder and those above it).`,
    )
  }
}

/** Its number may have changed since, in a new container or on a new machine. */
function giveTo(runner: { uid: number; gid: number }, { data, socket }: Place): void {
  chownSync(socket, runner.uid, runner.gid)
  const owner = statSync(data, { throwIfNoEntry: false })
  if (owner && owner.uid !== runner.uid) spawnSync('chown', ['-R', `${runner.uid}:${runner.gid}`, data])
}

const homeInside = (dataDir: string) => join(dataDir, 'postgres')
const stagedHome = (id: string) => join(stagingRoot, 'clusters', id)
const idFile = (dataDir: string) => join(dataDir, 'cluster-id')

function readId(dataDir: string): string | null {
  const id = readText(idFile(dataDir))
  if (id && !/^[0-9a-f-]{36}$/.test(id))
    throw new StartError(`${idFile(dataDir)} does not hold a cluster's id.`)
  return id
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function writeText(file: string, text: string): void {
  if (readText(file) === text) return
  writeFileSync(`${file}.new`, `${text}\n`, { flush: true })
  renameSync(`${file}.new`, file)
  syncFolder(join(file, '..'))
}
