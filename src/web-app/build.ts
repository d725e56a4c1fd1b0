import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { digestOf } from '../platform/http/assets.ts'
import { type Manifest, manifestName, readSite } from './site.ts'

/**
 * Builds the application into a folder: `node src/web-app/build.ts <folder> [mode]`. Writes to a temporary
 * folder beside it and renames that at the end: the folder is complete or absent, even if the process is
 * killed.
 */
const [target = 'web/dist', mode = 'production'] = process.argv.slice(2)
const folder = resolve(target)
const web = resolve(import.meta.dirname, '../../web')
const unfinished = join(dirname(folder), `.building-${process.pid}-${randomBytes(4).toString('hex')}`)

try {
  await mkdir(unfinished, { recursive: true })
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    mode,
    logLevel: 'warn',
    build: { outDir: unfinished, emptyOutDir: true },
  })
  await finish()
  await put()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await rm(unfinished, { recursive: true, force: true })
}

/** Compresses text assets, and writes the manifest last. */
async function finish(): Promise<void> {
  const manifest: Manifest = { files: {} }
  const write = async (path: string, content: Buffer | string) => {
    manifest.files[path] = digestOf(content)
    await writeFile(join(unfinished, path), content)
  }
  for (const path of await filesIn(unfinished)) {
    const content = await readFile(join(unfinished, path))
    // In other modes the page has another name.
    const served = path.endsWith('.html') ? 'index.html' : path
    if (served !== path) await rename(join(unfinished, path), join(unfinished, served))
    manifest.files[served] = digestOf(content)
    if (served === 'index.html' || !/\.(css|js|json|svg)$/.test(path)) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    await write(`${path}.br`, await promisify(brotliCompress)(content, { params }))
    await write(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
  await writeFile(join(unfinished, manifestName), JSON.stringify(manifest))
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .sort()
}

/**
 * Moves the build into place. Keeps a folder that another process built concurrently; replaces a damaged one.
 */
async function put(): Promise<void> {
  // A folder named by its content is the same from any process; `web/dist` must be the latest build.
  const isNamedByContent = basename(folder) !== 'dist'
  if (isNamedByContent && (await readSite(folder)) !== null) return
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder).catch(async (error) => {
    if ((await readSite(folder)) === null) throw error
  })
}
