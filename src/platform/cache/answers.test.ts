import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type KeptAnswer, keepAnswers, type NextChange } from './answers.ts'
import type { Changes } from './changes.ts'

/** Changes that the test tells. */
function told() {
  const generations: Record<string, number> = {}
  let hears = true
  const changes: Changes = {
    generationOf: (tables) =>
      hears ? tables.reduce((sum, table) => sum + (generations[table] ?? 0), 0) : null,
    heard: async () => {},
    close: async () => {},
  }
  return {
    changes,
    change(table: string) {
      generations[table] = (generations[table] ?? 0) + 1
    },
    beDeaf(is: boolean) {
      hears = !is
    },
  }
}

const answer = (text: string): KeptAnswer => ({
  route: '/a',
  headers: [],
  headersOf304: [],
  etag: text,
  body: text,
})
/** Begun for the second time: the first is remembered, and no more. */
function begin(answers: ReturnType<typeof keepAnswers>, key: string, tables: string[]) {
  answers.begin(key, tables)
  return answers.begin(key, tables)
}
const textAt = (answers: ReturnType<typeof keepAnswers>, key: string) => answers.find(key)?.body ?? null

test('an answer is kept until a table that it shows changes', async () => {
  const { changes, change } = told()
  const answers = keepAnswers(changes, {})
  await begin(answers, '/a', ['communes', 'elus'])?.(answer('one'))
  change('acteurs')
  expect(textAt(answers, '/a')).toBe('one')
  change('elus')
  expect(textAt(answers, '/a')).toBeNull()
  expect(answers.bytes).toBe(0)
})

test('what is asked for once is not kept; who asked is remembered for some thousands of others', async () => {
  const answers = keepAnswers(told().changes, {})
  expect(answers.begin('/a', [])).toBeNull()
  expect(answers.begin('/b', [])).toBeNull()
  await answers.begin('/a', [])?.(answer('one'))
  expect([textAt(answers, '/a'), textAt(answers, '/b')]).toEqual(['one', null])
  for (let n = 0; n < 30_000; n++) answers.begin(`/${n}`, [])
  expect(answers.begin('/b', [])).toBeNull()
  expect(answers.begin('/29999', [])).not.toBeNull()
})

test('what is asked for in very many words is not remembered, nor kept', async () => {
  const answers = keepAnswers(told().changes, {})
  expect(begin(answers, `/${'a'.repeat(499)}`, [])).not.toBeNull()
  expect(begin(answers, `/${'a'.repeat(500)}`, [])).toBeNull()
})

test('what was read before a change is not kept after it', async () => {
  const { changes, change } = told()
  const answers = keepAnswers(changes, {})
  const keep = begin(answers, '/a', ['communes'])
  change('communes')
  await keep?.(answer('old'))
  expect(textAt(answers, '/a')).toBeNull()
})

test('while changes are not heard nothing is kept, and nothing that was kept is answered', async () => {
  const { changes, change, beDeaf } = told()
  const answers = keepAnswers(changes, {})
  await begin(answers, '/a', ['communes'])?.(answer('one'))
  const keep = begin(answers, '/b', ['communes'])
  beDeaf(true)
  expect(textAt(answers, '/a')).toBeNull()
  expect(begin(answers, '/a', ['communes'])).toBeNull()
  await keep?.(answer('two'))
  // As the connection is back all that was missed counts as changed.
  change('communes')
  beDeaf(false)
  expect([textAt(answers, '/a'), textAt(answers, '/b')]).toEqual([null, null])
})

test('an answer goes when the time comes at which what it shows changes by itself', async () => {
  const { changes } = told()
  let asked = 0
  const next: NextChange = async () => {
    asked++
    return 150
  }
  const answers = keepAnswers(changes, { publications: next })
  await begin(answers, '/a', ['publications'])?.(answer('one'))
  await begin(answers, '/b', ['publications'])?.(answer('two'))
  expect([textAt(answers, '/a'), textAt(answers, '/b'), asked]).toEqual(['one', 'two', 1])
  await sleep(160)
  expect([textAt(answers, '/a'), textAt(answers, '/b')]).toEqual([null, null])
  await begin(answers, '/a', ['publications'])?.(answer('one'))
  expect([textAt(answers, '/a'), asked]).toEqual(['one', 2])
})

test.each([
  ['something has just changed by itself', async () => -20],
  ['that is not known', () => Promise.reject(new Error('away'))],
  ['it takes too long to tell', () => sleep(250, null)],
])('where %s, nothing is kept', async (_why, next) => {
  const answers = keepAnswers(told().changes, { publications: next })
  await begin(answers, '/a', ['publications'])?.(answer('one'))
  expect(textAt(answers, '/a')).toBeNull()
})

test('what was asked for longest ago makes room, and what is too large is not kept', async () => {
  const answers = keepAnswers(told().changes, {}, { maxBytes: 350_000 })
  const keep = (key: string, size: number) => begin(answers, key, [])?.(answer('x'.repeat(size)))
  for (const key of ['/a', '/b', '/c']) await keep(key, 100_000)
  answers.find('/a')
  await keep('/d', 100_000)
  expect(['/a', '/b', '/c', '/d'].map((key) => answers.find(key) !== null)).toEqual([true, false, true, true])
  await keep('/e', 300_000)
  expect(answers.find('/e')).toBeNull()
  expect(answers.bytes).toBeLessThanOrEqual(350_000)
})
