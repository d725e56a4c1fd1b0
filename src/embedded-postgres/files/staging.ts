import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, open, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

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
