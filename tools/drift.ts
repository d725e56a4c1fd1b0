import { readFileSync, writeFileSync } from 'node:fs'

/** Writes what was generated; only looks, with `check`. Answers the file's name where it is not what it should be. */
export function written(file: string, content: string, { check }: { check: boolean }): string[] {
  if (!check) {
    writeFileSync(file, content)
    return []
  }
  return readFileSync(file, 'utf8') === content ? [] : [file]
}
