import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Asset, digestOf, type Encoding, typeOf } from '../platform/http/assets.ts'

/**
 * Name of the manifest, which a build writes last, with the digest of each file. A folder that does not match
 * its manifest is not served.
 */
export const manifestName = 'build.json'
export type Manifest = { files: Record<string, string> }

/** A built application in memory, served without access to the disk. */
export type Site = {
  /** The page. Each response replaces `nonceMark` with a new nonce, and the other marks with settings. */
  page: string
  /** By their path below the application, such as `assets/index-C3xa9f.js`. */
  assets: ReadonlyMap<string, Asset>
}

export const nonceMark = '__PARVIS_NONCE__'
export const mapMark = '__PARVIS_MAP__'
export const publicSiteMark = '__PARVIS_PUBLIC_SITE__'

/** Reads a built folder. Returns null where there is none, or where a file is missing or damaged. */
export async function readSite(folder: string): Promise<Site | null> {
  const manifest = await readManifest(folder)
  if (manifest === null) return null
  const contents = new Map<string, Buffer>()
  for (const [path, digest] of Object.entries(manifest.files)) {
    const content = await readFile(join(folder, path)).catch(() => null)
    if (content === null || digestOf(content) !== digest) return null
    contents.set(path, content)
  }
  const page = contents.get('index.html')
  if (page === undefined) return null
  return { page: page.toString('utf8'), assets: assetsOf(contents) }
}

/** Reads the manifest; null if it is missing or unreadable, so that the folder is rebuilt. */
async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, manifestName), 'utf8'))
    return typeof manifest?.files === 'object' && manifest.files !== null ? manifest : null
  } catch {
    return null
  }
}

function assetsOf(contents: ReadonlyMap<string, Buffer>): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const [path, body] of contents) {
    if (path === 'index.html' || extname(path) in encodingOf) continue
    const compressed: Asset['compressed'] = {}
    for (const [suffix, encoding] of Object.entries(encodingOf)) {
      const content = contents.get(`${path}${suffix}`)
      if (content !== undefined) compressed[encoding] = content
    }
    assets.set(path, { type: typeOf(path), digest: digestOf(body), body, compressed })
  }
  return assets
}

const encodingOf: Record<string, Encoding> = { '.br': 'br', '.gz': 'gzip' }
