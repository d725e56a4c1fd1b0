import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * True if a test file uses the database of the run, and so depends on its PostgreSQL: if the file, or one that it
 * imports, calls `inject('server')`, which is the only way there.
 */
export function usesDatabase(file: string, seen = new Set<string>()): boolean {
  const path = resolve(file)
  if (seen.has(path) || !existsSync(path)) return false
  seen.add(path)
  const code = readFileSync(path, 'utf8')
  if (/\binject\('server'\)/.test(code)) return true
  const imports = code.matchAll(/(?:\bfrom|\bimport)[\s(]*'(\.[^']+)'/g)
  return imports.some(([, to = '']) => usesDatabase(resolve(dirname(path), to), seen))
}
