import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './archive.ts'
import { importedBy, installedPackages, type Package } from './packages.ts'
import { describeMaterials } from './sbom.ts'

/** The parts of the repository in a release: the service, its commands, the demo content and the documents. */
const shipped = /^(bin|demo|docs|src)\/|^(\.env\.example|CHANGELOG\.md|LICENSE|README\.md)$/
/** Tests, pictures, and what builds the application: a release has it built. */
const left =
  /\.test[a-z-]*(\.d)?\.ts$|\.generated\.md$|\.cases\.txt$|^docs\/screens\/|^src\/web-app\/build\.ts$/
/** Types and source maps, which Node does not read, and the headers of Node: together a third of the size. */
/** What the public site sends to browsers as the package has it. */
const sent = ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs'].map(
  (name) => `node_modules/maplibre-gl/dist/${name}`,
)
const leftOfPackages = /\.d\.[cm]?ts$|\.map$|^include\//

export type Release = { name: string; time: number; entries: Entry[]; packages: Package[]; materials: string }

/**
 * Lists the files of a release for this platform, apart from the built application. Its packages are those that the
 * service imports, with all that they need, and Node. The embedded PostgreSQL is left out.
 */
export function contentsOf(root: string, time = timeOf(root)): Release {
  const tracked = git(root, 'ls-files', '-z').split('\0')
  const files = tracked.filter((file) => shipped.test(file) && !left.test(file))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const importedIn = (sources: string[]) =>
    importedBy(
      sources.map((file) => readFileSync(join(root, file), 'utf8')),
      Object.keys(manifest.dependencies),
    )
  const imported = importedIn(
    files.filter((file) => /^(bin|demo|src)\/(?!site\/browser\/).*\.[jt]s$/.test(file)),
  )
  const platform = `${process.platform}-${process.arch}`
  const node = Object.keys(manifest.optionalDependencies).find(
    (name) => /^node-/.test(name) && name.endsWith(platform),
  )
  if (node === undefined) throw new Error(`There is no Node for ${platform}.`)
  const direct = [...imported, node]
  const packages = installedPackages(root, direct)
  // The built application contains code of these.
  const inWeb = importedIn(tracked.filter((file) => /^web\/src\/.*\.tsx?$/.test(file)))
  const bundled = installedPackages(root, inWeb)
    .filter(({ path }) => !packages.some((one) => one.path === path))
    .map((one) => ({ ...one, isBundled: true }))
  const { name, version, description, license } = manifest
  const materials = describeMaterials(
    { name, version, description, license, time },
    [...packages, ...bundled],
    [...direct, ...inWeb],
  )
  const entries = [
    ...files.map((file) => entryOf(root, file)),
    ...packages.flatMap(({ path }) => filesOf(root, path)),
    ...sent.map((file) => entryOf(root, file)),
    { name: 'package.json', from: Buffer.from(manifestOf(manifest, direct)) },
    { name: 'sbom.cdx.json', from: Buffer.from(materials) },
  ]
  return { name: `${name}-${version}-${platform}`, time, entries, packages, materials }
}

/** Lists the files of a folder below `root`, named by `as` and their path in it. */
export function folderOf(folder: string, as: string): Entry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const from = join(parentPath, name)
      return { name: join(as, from.slice(folder.length + 1)), from }
    })
}

function filesOf(root: string, path: string): Entry[] {
  return folderOf(join(root, path), '')
    .filter(({ name }) => !name.startsWith('node_modules/') && !leftOfPackages.test(name))
    .map(({ name }) => entryOf(root, `${path}/${name}`))
}

const entryOf = (root: string, name: string): Entry => {
  const from = join(root, name)
  return { name, from, isExecutable: (statSync(from).mode & 0o100) !== 0 }
}

/** Keeps the commands of operators, and the dependencies that are there. */
function manifestOf(manifest: Record<string, Record<string, string>>, direct: string[]): string {
  const { devDependencies, overrides, ...rest } = manifest
  const pick = (from: Record<string, string> = {}, keep: (name: string, value: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([name, value]) => keep(name, value)))
  const isDirect = (name: string) => direct.includes(name)
  const content = {
    ...rest,
    scripts: pick(manifest.scripts, (_name, command) => /^exec bin\/node bin\//.test(command)),
    dependencies: pick(manifest.dependencies, isDirect),
    optionalDependencies: pick(manifest.optionalDependencies, isDirect),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The time of every file: SOURCE_DATE_EPOCH, or else that of the last commit. */
function timeOf(root: string): number {
  return Number(process.env.SOURCE_DATE_EPOCH ?? git(root, 'log', '-1', '--format=%ct'))
}

function git(root: string, ...words: string[]): string {
  return execFileSync('git', ['-C', root, ...words], { encoding: 'utf8', maxBuffer: 2 ** 26 })
}
