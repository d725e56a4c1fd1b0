import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
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
    [
      ...new Set(
        [...text.matchAll(/(?<!(?:=\d+|one|other|files|document)\s){(\w+)[,}]/g)].map(([, name]) => name),
      ),
    ].sort()
  const [french, english] = [leaves(fr), leaves(en)]
  const differing = french.filter(
    ([path, text], index) => String(values(text)) !== String(values(english[index]?.[1] ?? '')) && path,
  )
  expect(french.map(([path]) => path)).toEqual(english.map(([path]) => path))
  expect(differing).toEqual([])
})

test('English messages are in English', () => {
  // Domain words and names stay French.
  const domain = /Français|[Dd]épartements?|[ÉEée]lus?\b|Géo’DAE|Géoplateforme|Réunion|\b2A…/g
  const french =
    /[àâçéèêëîïôûùœ«»]|\b(?:le|la|les|des|une|est|pour|dans|avec|sur|aux|vous|votre|cette|aucune?)\b/i
  const found = leaves(en).filter(([, text]) => french.test(text.replaceAll(domain, '')))
  expect(found).toEqual([])
  // A longer text that both languages share was not translated.
  const same = new Map(leaves(fr))
  expect(leaves(en).filter(([path, text]) => same.get(path) === text && /^[^{]+ [^{]/.test(text))).toEqual([])
})

test('screens take every text from the messages', () => {
  // The name of the product, a key, and what stands in terminals and addresses.
  const fixed = new Set(['Parvis', 'K', 'npm run sign-in', 'docs/', 'https://'])
  const told = new Set(['label', 'title', 'aria-label', 'placeholder', 'alt', 'help', 'note'])
  const found: string[] = []
  const files = globSync('web/src/**/*.tsx').filter((file) => !file.endsWith('src/components.tsx'))
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node) => {
      const text = textOf(node, told)?.trim() ?? ''
      if (/\p{L}/u.test(text) && !fixed.has(text)) found.push(`${file}: ${text}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  expect(found).toEqual([])
})

/** Returns the text that a JSX node shows: between tags, or in an attribute that users see or hear. */
function textOf(node: ts.Node, told: ReadonlySet<string>): string | undefined {
  if (ts.isJsxText(node)) return node.text
  if (!ts.isJsxAttribute(node) || !told.has(node.name.getText())) return undefined
  return node.initializer && ts.isStringLiteral(node.initializer) ? node.initializer.text : undefined
}

type Tree = { readonly [key: string]: string | Tree }
const leaves = (tree: Tree, path = ''): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : leaves(value, `${path}${key}.`),
  )
