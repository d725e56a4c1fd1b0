import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Regular expressions that look for the words of SQL. */
function sqlPatterns(source: string): string[] {
  const literal = /(?<![\w)\]/*])\/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\/[dgimsuvy]*/g
  const words =
    /\b(select|insert|update|delete|merge|from|where|limit|count|begin|conflict|like|with|transaction)\b|@@/i
  const code = source.replaceAll(/^\s*(\/?\*|\/\/).*$/gm, '')
  return Array.from(code.matchAll(literal), ([found]) => found).filter((found) =>
    words.test(found.replaceAll(/\\[bBdDsSwW]/g, ' ')),
  )
}

test('the database layer does not depend on the text of a statement', () => {
  const files = globSync('src/platform/database/**/*.ts', {
    // They read migrations.
    exclude: ['**/migrate/**', '**/prepare.ts', '**/*.test.ts', '**/*.generated.ts'],
  })
  expect(files.length).toBeGreaterThan(20)
  const guessing = files.flatMap((file) =>
    sqlPatterns(readFileSync(file, 'utf8')).map((found) => [file, found]),
  )
  expect(guessing).toEqual([])
})

test('detects a planted violation', () => {
  const planted = [
    'const isList = (text: string) => /\\blimit\\s+\\$/i.test(text)',
    'const bounded = /\\blimit 100\\)/i',
    'return [/^\\s*select[\\s(]+(select\\s+)?count\\(/i, /@@|\\blike\\b/i]',
    'const beginsReading = /^start transaction\\b.* read only$/i',
    'if (!(/^\\s*(select|with)\\b/i).test(text)) return',
  ]
  for (const line of planted) expect(sqlPatterns(line), line).not.toEqual([])
  const harmless = [
    'const rate = a / b; // select from / where',
    '/^(08...|57P0.)$/.test(code)',
    '/[\\p{L}]/u.test(q)',
  ]
  for (const line of harmless) expect(sqlPatterns(line), line).toEqual([])
})
