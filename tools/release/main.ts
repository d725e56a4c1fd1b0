import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { writeArchive } from './archive.ts'
import { contentsOf, folderOf } from './contents.ts'

/**
 * Makes the archive of a release for this platform: `npm run release [-- <folder>]`. Builds the browser application
 * anew and writes the archive, its digest and its bill of materials into the folder (`release/`).
 */
const root = resolve(import.meta.dirname, '../..')
const target = resolve(process.argv[2] ?? join(root, 'release'))
const { name, time, entries, materials } = contentsOf(root)
const built = mkdtempSync(join(tmpdir(), 'parvis-release-'))
try {
  const webApp = join(built, 'dist')
  execFileSync(process.execPath, [join(root, 'src/web-app/build.ts'), webApp], {
    cwd: root,
    stdio: 'inherit',
  })
  mkdirSync(target, { recursive: true })
  const file = join(target, `${name}.tar.gz`)
  const all = [...entries, ...folderOf(webApp, 'web/dist')]
  const digest = await writeArchive(file, all, { folder: name.replace(/-[^-]+-[^-]+$/, ''), time })
  writeFileSync(`${file}.sha256`, `${digest}  ${basename(file)}\n`)
  writeFileSync(join(target, `${name}.cdx.json`), materials)
  const megabytes = Math.round(statSync(file).size / 2 ** 20)
  process.stdout.write(`${file}: ${all.length} files, ${megabytes} MB, SHA-256 ${digest}\n`)
} finally {
  rmSync(built, { recursive: true })
}
