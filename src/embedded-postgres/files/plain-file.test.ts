import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder, removeFolders } from '../cluster/cluster.test-kit.ts'
import { readPlainFile, replacePlainFile } from './plain-file.ts'

afterAll(removeFolders)

test('removes a link in place of the temporary file and leaves its target alone', () => {
  const folder = makeFolder()
  const [file, other] = [join(folder, 'secrets.json'), join(folder, 'other')]
  writeFileSync(other, 'precious')
  symlinkSync(other, `${file}.new`)
  replacePlainFile(file, 'secret', 0o600)
  expect([readPlainFile(file), readFileSync(other, 'utf8')]).toEqual(['secret', 'precious'])
})

test('reads neither a link nor a pipe', () => {
  const folder = makeFolder()
  const [file, link, pipe] = ['file', 'link', 'pipe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(file, 'precious')
  symlinkSync(file, link)
  spawnSync('mkfifo', [pipe])
  expect(() => readPlainFile(link)).toThrow('ELOOP')
  expect(() => readPlainFile(pipe)).toThrow(`${pipe} is not a file`)
})
