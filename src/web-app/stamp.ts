import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns a digest of the inputs of a build: its sources, the build script and the versions of its
 * dependencies.
 */
export async function stampOf(root: string): Promise<string> {
  const paths: string[] = []
  const sources = ['web/**/*.*', 'src/web-app/build.ts', 'package-lock.json']
  for await (const path of glob(sources, { cwd: root, exclude: ['web/dist/**'] })) paths.push(path)
  const digest = createHash('sha256')
  for (const path of paths.sort()) {
    const content = await readFile(join(root, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EISDIR') return ''
      throw error
    })
    digest.update(`${path}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex').slice(0, 20)
}
