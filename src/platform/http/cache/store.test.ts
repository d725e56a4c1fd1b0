import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Changes } from '../../database/changes.ts'
import { type CachedResponse, createResponseCache } from './store.ts'
import type { NextChange } from './timed-changes.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Lets time pass as the test says, however slow the machine is. */
function holdTime() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  return { pass: (ms: number) => vi.advanceTimersByTime(ms) }
}

/** A stub whose changes the test triggers. */
function told() {
  const generations: Record<string, number> = {}
  let hears = true
  const changes: Changes = {
    generationOf: (tables) =>
      hears ? tables.reduce((sum, table) => sum + (generations[table] ?? 0), 0) : null,
    arrived: async () => {},
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

const byTime = (find: NextChange['find']) => ({ publications: { with: ['publications', 'acteurs'], find } })

const answer = (text: string): CachedResponse => ({
  route: '/a',
  headers: [],
  contentType: 'text/plain',
  etag: text,
  body: text,
})
/** Starts the second read of a key, after a first one without a response. */
function begin(answers: ReturnType<typeof createResponseCache>, key: string, tables: string[]) {
  void answers.begin(key, tables).end(null)
  return start(answers, key, tables)
}
function start(answers: ReturnType<typeof createResponseCache>, key: string, tables: string[]) {
  const read = answers.begin(key, tables)
  read.start()
  return read.end
}
const textAt = (answers: ReturnType<typeof createResponseCache>, key: string) =>
  answers.find(key)?.body ?? null

test('a response is cached until a table it shows changes', async () => {
  const { changes, change } = told()
  const answers = createResponseCache(changes, {})
  await begin(answers, '/a', ['communes', 'elus'])(answer('one'))
  change('acteurs')
  expect(textAt(answers, '/a')).toBe('one')
  change('elus')
  expect(textAt(answers, '/a')).toBeNull()
  expect(answers.bytes).toBe(0)
})

test('responses requested once use the room that is left, and at most a quarter of a full cache', async () => {
  const answers = createResponseCache(told().changes, {}, { maxBytes: 1_000_000 })
  const isCached = (key: string) => answers.find(key) !== null
  const once = (key: string) => start(answers, key, [])(answer('x'.repeat(9_000)))
  for (let n = 0; n < 99; n++) await once(`/once/${n}`)
  expect([isCached('/once/0'), isCached('/once/1')]).toEqual([true, true])
  // These two are now repeated, as are those that were requested before they were cached.
  for (let n = 0; n < 60; n++) await begin(answers, `/twice/${n}`, [])(answer('x'.repeat(9_000)))
  for (let n = 99; n < 10_000; n++) await once(`/once/${n}`)
  const ones = Array.from({ length: 10_000 }, (_, n) => isCached(`/once/${n}`)).filter(Boolean)
  expect([isCached('/once/0'), isCached('/twice/0'), isCached('/twice/59')]).toEqual([true, true, true])
  expect(ones.length).toBeGreaterThanOrEqual(25)
  expect(answers.bytes).toBeLessThanOrEqual(1_000_000)
})

test('a response with a very long key is not cached', async () => {
  const answers = createResponseCache(told().changes, {})
  const [short, long] = [`/${'a'.repeat(499)}`, `/${'a'.repeat(500)}`]
  for (const key of [short, long]) await begin(answers, key, [])(answer('one'))
  expect([textAt(answers, short), textAt(answers, long)]).toEqual(['one', null])
})

/** The response of each request that joined; undefined while it waits. */
function follower(answers: ReturnType<typeof createResponseCache>, key: string) {
  const got: { text: string | null | undefined } = { text: undefined }
  const joined = answers.join(key, (answer) => {
    got.text = answer?.body ?? null
  })
  return joined ? got : null
}

test("identical concurrent reads share the first one's response, which is cached", async () => {
  const answers = createResponseCache(told().changes, {})
  expect(follower(answers, '/a')).toBeNull()
  const read = answers.begin('/a', ['communes'])
  const early = follower(answers, '/a')
  read.start()
  const late = follower(answers, '/a')
  expect([early?.text, late?.text, follower(answers, '/b')]).toEqual([undefined, undefined, null])
  await read.end(answer('one'))
  await read.end(answer('two'))
  expect([early?.text, late?.text, textAt(answers, '/a'), answers.shared]).toEqual(['one', 'one', 'one', 2])
  expect(follower(answers, '/a')).toBeNull()
})

test('a request after a change does not join a read that started before it', async () => {
  const { changes, change } = told()
  const answers = createResponseCache(changes, {})
  const old = answers.begin('/a', ['communes'])
  old.start()
  const before = follower(answers, '/a')
  change('communes')
  expect(follower(answers, '/a')).toBeNull()
  const fresh = answers.begin('/a', ['communes'])
  fresh.start()
  const after = follower(answers, '/a')
  await old.end(answer('old'))
  expect([before?.text, after?.text, textAt(answers, '/a')]).toEqual(['old', undefined, null])
  await fresh.end(answer('new'))
  expect([after?.text, textAt(answers, '/a')]).toEqual(['new', 'new'])
})

test('requests may join a queued read despite a change, as it reads afterwards', async () => {
  const { changes, change } = told()
  const answers = createResponseCache(changes, {})
  const read = answers.begin('/a', ['communes'])
  change('communes')
  const after = follower(answers, '/a')
  read.start()
  await read.end(answer('new'))
  expect(after?.text).toBe('new')
})

test('followers read for themselves after an error, without notifications and after a change by time', async () => {
  const { pass } = holdTime()
  const { changes, beDeaf } = told()
  const answers = createResponseCache(
    changes,
    byTime(async () => 100),
  )
  const failing = answers.begin('/a', [])
  failing.start()
  const ofFailed = follower(answers, '/a')
  await failing.end(null)
  const unheard = answers.begin('/b', [])
  const ofUnheard = follower(answers, '/b')
  beDeaf(true)
  expect(follower(answers, '/b')).toBeNull()
  unheard.start()
  await unheard.end(answer('one'))
  beDeaf(false)
  const timed = answers.begin('/c', ['publications'])
  timed.start()
  const inTime = follower(answers, '/c')
  pass(130)
  const tooLate = follower(answers, '/c')
  await timed.end(answer('one'))
  expect([ofFailed?.text, ofUnheard?.text, inTime?.text, tooLate?.text]).toEqual([null, null, 'one', null])
})

test('a response read before a change is not cached after it', async () => {
  const { changes, change } = told()
  const answers = createResponseCache(changes, {})
  const keep = begin(answers, '/a', ['communes'])
  change('communes')
  await keep(answer('old'))
  expect(textAt(answers, '/a')).toBeNull()
})

test('without notifications nothing is cached, and no cached response is served', async () => {
  const { changes, change, beDeaf } = told()
  const answers = createResponseCache(changes, {})
  await begin(answers, '/a', ['communes'])(answer('one'))
  const keep = begin(answers, '/b', ['communes'])
  beDeaf(true)
  expect(textAt(answers, '/a')).toBeNull()
  await begin(answers, '/a', ['communes'])(answer('one'))
  expect(textAt(answers, '/a')).toBeNull()
  await keep(answer('two'))
  // After a reconnect everything missed counts as changed.
  change('communes')
  beDeaf(false)
  expect([textAt(answers, '/a'), textAt(answers, '/b')]).toEqual([null, null])
})

test('a response is evicted when what it shows changes with time', async () => {
  const { pass } = holdTime()
  const { changes, change } = told()
  let asked = 0
  const next = async () => {
    asked++
    return 150
  }
  const answers = createResponseCache(changes, byTime(next))
  await begin(answers, '/a', ['publications'])(answer('one'))
  await begin(answers, '/b', ['publications'])(answer('two'))
  expect([textAt(answers, '/a'), textAt(answers, '/b'), asked]).toEqual(['one', 'two', 1])
  pass(160)
  expect([textAt(answers, '/a'), textAt(answers, '/b')]).toEqual([null, null])
  await begin(answers, '/a', ['publications'])(answer('one'))
  expect([textAt(answers, '/a'), asked]).toEqual(['one', 2])
  change('acteurs')
  await begin(answers, '/b', ['publications:1', 'elus'])(answer('two'))
  expect([textAt(answers, '/b'), asked]).toEqual(['two', 3])
})

test.each([
  ['something has just changed by itself', async () => -20],
  ['that is not known', () => Promise.reject(new Error('away'))],
  ['it takes too long to tell', () => sleep(250, null)],
])('where %s, nothing is cached', async (_why, next) => {
  const answers = createResponseCache(told().changes, byTime(next))
  await begin(answers, '/a', ['publications'])(answer('one'))
  expect(textAt(answers, '/a')).toBeNull()
})

test('evicts the response requested longest ago, and does not cache one that is too large', async () => {
  const answers = createResponseCache(told().changes, {}, { maxBytes: 350_000 })
  const keep = (key: string, size: number) => begin(answers, key, [])(answer('x'.repeat(size)))
  for (const key of ['/a', '/b', '/c']) await keep(key, 100_000)
  answers.find('/a')
  await keep('/d', 100_000)
  expect(['/a', '/b', '/c', '/d'].map((key) => answers.find(key) !== null)).toEqual([true, false, true, true])
  await keep('/e', 300_000)
  expect(answers.find('/e')).toBeNull()
  expect(answers.bytes).toBeLessThanOrEqual(350_000)
})
