import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = {
  version: string
  integrity: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
/** An installed package: its folder, what the lock file says of it, and the folders of the packages that it needs. */
export type Package = Pick<Locked, 'version' | 'integrity' | 'license'> & {
  name: string
  path: string
  needs: string[]
  /** Its code is in the built application alone. */
  isBundled?: boolean
}

/** Lists the dependencies that these sources import. The others only build the browser application. */
export function importedBy(sources: string[], dependencies: string[]): string[] {
  const specifiers = sources.flatMap((source) =>
    Array.from(source.matchAll(/\b(?:from|import)\b[\s(]*'([^'.][^']*)'/g), ([, name = '']) => name),
  )
  const names = new Set(specifiers.map((one) => /^(@[^/]+\/)?[^/]+/.exec(one)?.[0]))
  return dependencies.filter((name) => names.has(name))
}

/** Returns these packages and all that they need, as `npm ci` installed them, sorted by folder. */
export function installedPackages(root: string, names: string[]): Package[] {
  const { packages: locked } = readJson<{ packages: Record<string, Locked> }>(join(root, 'package-lock.json'))
  const found = new Map<string, Package>()

  function add(name: string, from: string): string {
    const path = findFolder(locked, name, from)
    const one = path === null ? undefined : locked[path]
    if (path === null || one === undefined) throw notInstalled(name)
    if (found.has(path)) return path
    const manifest = join(root, path, 'package.json')
    if (!existsSync(manifest) || readJson<Locked>(manifest).version !== one.version) throw notInstalled(path)
    const { version, integrity, license } = one
    const item: Package = { name, path, version, integrity, ...(license && { license }), needs: [] }
    found.set(path, item)
    const { peerDependenciesMeta: meta = {} } = one
    const peers = Object.keys(one.peerDependencies ?? {}).filter((peer) => !meta[peer]?.optional)
    const present = Object.keys(one.optionalDependencies ?? {}).filter((each) => {
      const folder = findFolder(locked, each, path)
      return folder !== null && existsSync(join(root, folder))
    })
    const needed = new Set([...Object.keys(one.dependencies ?? {}), ...peers, ...present])
    item.needs = [...needed].map((each) => add(each, path))
    return path
  }

  for (const name of names) add(name, '')
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Finds a package as Node does: in the folder of the package that needs it, or in one above. */
function findFolder(locked: Record<string, Locked>, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = join(folder, 'node_modules', name)
    if (locked[path] !== undefined) return path
    if (folder === '') return null
  }
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'))
const notInstalled = (name: string) =>
  new Error(`${name} is not installed as the lock file says: run "npm ci".`)
