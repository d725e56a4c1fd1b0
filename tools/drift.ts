import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a generated file that git ignores, unless it has that content already. */
export function writeFile(file: string, content: string): void {
  if (hasContent(file, content)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Writes a generated file that is committed; with `check` only compares. Returns its name when it was outdated. */
export function written(file: string, content: string, { check }: { check: boolean }): string[] {
  if (check) return hasContent(file, content) ? [] : [file]
  writeFile(file, content)
  return []
}

const hasContent = (file: string, content: string) =>
  existsSync(file) && readFileSync(file, 'utf8') === content
