import { createHash } from 'node:crypto'
import type { Package } from './packages.ts'

type About = { name: string; version: string; description: string; license: string; time: number }

/**
 * Returns the bill of materials (CycloneDX 1.6) of a release. `npm sbom` lists all that is installed, with a
 * random number and the present time: this one lists what is shipped, and the same packages give the same text.
 */
export function describeMaterials({ time, license, ...about }: About, packages: Package[], direct: string[]) {
  const own = `${about.name}@${about.version}`
  const byPath = new Map(packages.map((one) => [one.path, one]))
  const refs = (paths: string[]) => paths.flatMap((path) => refOf(byPath.get(path)) ?? []).sort()
  const top = packages.filter(({ name, path }) => direct.includes(name) && path === `node_modules/${name}`)
  const content = {
    metadata: {
      timestamp: new Date(time * 1_000).toISOString(),
      component: { type: 'application', 'bom-ref': own, ...about, licenses: [{ license: { id: license } }] },
    },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': refOf(one),
      name: one.name,
      version: one.version,
      purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(one.integrity.slice(7), 'base64').toString('hex') }],
      ...(one.license && { licenses: [licenseOf(one.license)] }),
      properties: [
        one.isBundled
          ? { name: 'cdx:npm:package:bundled', value: 'true' }
          : { name: 'cdx:npm:package:path', value: one.path },
      ],
    })),
    dependencies: [
      { ref: own, dependsOn: refs(top.map(({ path }) => path)) },
      ...packages.map((one) => ({ ref: refOf(one), dependsOn: refs(one.needs) })),
    ],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, version: 1, ...content }, null, 2)}\n`
}

/** The folder is part of the reference, because two folders may hold the same version. */
const refOf = (one: Package | undefined) => one && `${one.path}@${one.version}`

/** An expression such as `(MIT OR CC0-1.0)`, or the identifier of one licence. */
const licenseOf = (license: string) =>
  /[ (]/.test(license) ? { expression: license } : { license: { id: license } }

/** Returns a UUID of version 8 that depends on the text alone. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
