import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { en } from '../../web/src/text/en.ts'
import { fr } from '../../web/src/text/fr.ts'

test('only tokens.css defines colours and sizes', () => {
  const files = globSync('web/src/**/*.css').filter((file) => !file.endsWith('/tokens.css'))
  expect(files.length).toBeGreaterThan(10)
  // Media queries cannot name them.
  const breach = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\(|\b\d*\.?\d+(?:px|rem)\b/i
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.trimStart().startsWith('@media') && breach.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('each token that is used is defined, and each defined token is used', () => {
  const tokens = readFileSync('web/src/ui/tokens.css', 'utf8')
  const defined = new Set([...tokens.matchAll(/^ {2,}(--[\w-]+):/gm)].map(([, name]) => name))
  const styles = globSync('web/src/**/*.css')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
  // React Aria measures it.
  used.delete('--trigger-width')
  expect([...used].filter((name) => !defined.has(name))).toEqual([])
  expect([...defined].filter((name) => !used.has(name))).toEqual([])
})

test('French and English messages have the same placeholders', () => {
  const values = (text: string) =>
    [...new Set([...text.matchAll(/(?<!(?:=\d+|one|other)\s){(\w+)[,}]/g)].map(([, name]) => name))].sort()
  const differing = leaves(fr).filter(
    ([path, text], index) => String(values(text)) !== String(values(leaves(en)[index]?.[1] ?? '')) && path,
  )
  expect(leaves(fr).map(([path]) => path)).toEqual(leaves(en).map(([path]) => path))
  expect(differing).toEqual([])
})

type Tree = { readonly [key: string]: string | Tree }
const leaves = (tree: Tree, path = ''): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : leaves(value, `${path}${key}.`),
  )
