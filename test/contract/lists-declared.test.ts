import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('src/modules/**/*.ts', { exclude: ['**/*.test.ts', '**/*.test-kit.ts'] })
const sources = files.map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n') }))

/** Declarations of lists, each from its first line to the line that closes it. Parameters may take lines of their own. */
const declared = sources.flatMap(({ file, lines }) =>
  lines.flatMap((line, start) => {
    if (!/^(export )?(const|function) .*(List<|= \($)/.test(line) || line.endsWith("['filters'] = {"))
      return []
    const length = lines.slice(start).findIndex((end) => /^[})]+$/.test(end)) + 1
    if (!/\bList</.test(lines.slice(start, start + length).join('\n'))) return []
    return [{ list: `${file}: ${line}`, text: lines.slice(start, start + length).join('\n'), length }]
  }),
)

test('a list is declared in at most 40 lines', () => {
  expect(declared.length).toBeGreaterThan(20)
  expect(declared.filter(({ length }) => length > 40)).toEqual([])
})

/** Two statements read the part of a list themselves: they count with it, or find its parts in two tables. */
const own = ['src/modules/communes/admin-list.ts', 'src/modules/publications/lists/oldest-report.ts']

test('only declared lists read pages by cursor', () => {
  const reading = sources.filter(({ lines }) => lines.some((line) => line.includes('readSlice<')))
  expect(reading.map(({ file }) => file).toSorted()).toEqual(own)
})
