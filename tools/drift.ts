import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Writes a generated file; with `check` only compares. Returns its name when it was outdated. */
export function written(file: string, content: string, { check }: { check: boolean }): string[] {
  if (!check) {
    writeFileSync(file, content)
    return []
  }
  return existsSync(file) && readFileSync(file, 'utf8') === content ? [] : [file]
}
