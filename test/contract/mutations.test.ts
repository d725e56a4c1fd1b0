import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisive } from '../../tools/mutants/decisive.ts'
import { mutantsOf } from '../../tools/mutants/mutations.ts'
import { testsOf } from '../../tools/mutants/tests-of.ts'

/** The mutations of a line. */
const made = (text: string) => mutantsOf('a.ts', text).map((mutant) => mutant.text.trim())

test.each([
  ['const a = b === c', ['const a = b !== c']],
  ['const a = b < 3', ['const a = b <= 3', 'const a = b < 4']],
  ['const a = b && !c', ['const a = b || !c', 'const a = b && c']],
  ['const a = b ?? c', ['const a = b']],
  ['const a = b ? c : d', ['const a = c', 'const a = d']],
  ['if (a) throw b()', ['']],
  ['await record(a)', ['']],
  ['const a = true', ['const a = false']],
  ['const a = sql`x and y is null`', ['const a = sql`x or y is null`', 'const a = sql`x and y is not null`']],
  ['const a = sql`order by b desc, id`', ['const a = sql`order by b, id`', 'const a = sql`order by b desc`']],
  [`const a = sql\`select \${b} for update\``, [`const a = sql\`select \${b} \``]],
  ['const a = `x and y`', []],
  ["import { a } from './b.ts'\ntype C = 1 | true", []],
])('%s has each of these mutations', (text, expected) => {
  expect(made(text)).toEqual(expected.map((one) => one.trim()))
})

test('each mutated file has existing tests, those without a database first', () => {
  for (const file of decisive()) {
    const tests = testsOf(file)
    expect(tests, file).not.toEqual([])
    for (const one of tests) expect(existsSync(one), one).toBe(true)
  }
  const [first] = testsOf('src/modules/publications/decisions/states.ts')
  expect(first).toBe('src/modules/publications/decisions/states.test.ts')
})
