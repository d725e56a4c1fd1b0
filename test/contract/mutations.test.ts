import { expect, test } from 'vitest'
import { mutantsOf } from '../../tools/mutations.ts'

/** How a line may be made wrong. */
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
])('%s is made wrong in each of these ways', (text, expected) => {
  expect(made(text)).toEqual(expected.map((one) => one.trim()))
})
