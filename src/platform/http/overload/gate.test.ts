import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate, type Place } from './gate.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What has become of those who came, by their names. */
function openGate(inside: number, waiting: number) {
  const gate = createGate({ inside, waiting })
  const seen: Record<string, string> = {}
  async function come(name: string): Promise<Place | null> {
    try {
      const place = gate.enter()
      seen[name] = 'waits'
      place.entered.then(
        () => {
          seen[name] = 'inside'
        },
        (error) => {
          seen[name] = error.cause
        },
      )
      await tick()
      return place
    } catch (error) {
      seen[name] = (error as Error).cause as string
      return null
    }
  }
  return { gate, seen, come }
}

const tick = () => Promise.resolve()
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('so many are inside, so many wait, the next is refused at once', async () => {
  const { gate, seen, come } = openGate(2, 1)
  for (const name of ['a', 'b', 'c', 'd']) await come(name)
  expect(seen).toEqual({ a: 'inside', b: 'inside', c: 'waits', d: 'too many wait for their turn' })
  expect(gate).toMatchObject({ inside: 2, waiting: 1 })
})

test('each that leaves lets the next in, in the order of their arrival; leaving twice counts once', async () => {
  const { gate, seen, come } = openGate(1, 3)
  const first = await come('a')
  for (const name of ['b', 'c', 'd']) await come(name)
  first?.leave()
  first?.leave()
  await tick()
  expect(seen).toEqual({ a: 'inside', b: 'inside', c: 'waits', d: 'waits' })
  expect(gate).toMatchObject({ inside: 1, waiting: 2 })
})

test('who gives up waiting makes room in the queue, and takes no place later', async () => {
  const { gate, seen, come } = openGate(1, 1)
  const first = await come('a')
  const second = await come('b')
  second?.giveUpWaiting()
  await come('c')
  expect(seen).toEqual({ a: 'inside', b: 'its client is gone', c: 'waits' })
  second?.leave()
  first?.giveUpWaiting()
  first?.leave()
  await tick()
  expect(seen).toMatchObject({ c: 'inside' })
  expect(gate).toMatchObject({ inside: 1, waiting: 0 })
})

test('a burst may wait for a second', async () => {
  const { seen, come } = openGate(1, 9)
  const first = await come('a')
  await come('b')
  await pass(900)
  expect(seen).toMatchObject({ b: 'waits' })
  first?.leave()
  await tick()
  expect(seen).toMatchObject({ b: 'inside' })
})

test('who has waited for a second is refused', async () => {
  const { gate, seen, come } = openGate(1, 9)
  await come('a')
  await come('b')
  await pass(970)
  expect(seen).toMatchObject({ b: 'waits' })
  await pass(40)
  expect(seen).toMatchObject({ b: 'waited too long for its turn' })
  await pass(20)
  expect(gate).toMatchObject({ inside: 1, waiting: 0 })
  expect(vi.getTimerCount()).toBe(0)
  // There was no queue any more: what comes now is a burst again.
  for (const name of ['c', 'd', 'e']) await come(name)
  await pass(900)
  expect(seen).toMatchObject({ c: 'waits', d: 'waits', e: 'waits' })
})

test('when there has been a queue for a second, only as many wait as are inside: others are refused at once', async () => {
  const { seen, come } = openGate(2, 9)
  const inside = [await come('a'), await come('b')]
  for (const name of ['c', 'd']) await come(name)
  await pass(600)
  for (const name of ['e', 'f', 'g']) await come(name)
  inside.shift()?.leave()
  await tick()
  await pass(410)
  expect(seen).toEqual({
    ...{ a: 'inside', b: 'inside', c: 'inside', d: 'waited too long for its turn' },
    ...{ e: 'waits', f: 'waits', g: 'too many wait for their turn' },
  })
  await come('h')
  expect(seen).toMatchObject({ h: 'too many wait for their turn' })
  inside.shift()?.leave()
  await tick()
  await come('i')
  expect(seen).toMatchObject({ e: 'inside', f: 'waits', i: 'waits' })
})

test('as many callers as are inside and wait go on for ever, each after its turn', async () => {
  const { gate, come } = openGate(2, 9)
  const callers = ['a', 'b', 'c', 'd']
  let turns = 0
  const calls = callers.map(async (name) => {
    for (let call = 0; call < 50; call++) {
      const place = await come(`${name}${call}`)
      await place?.entered
      await new Promise((done) => setTimeout(done, 100))
      turns++
      place?.leave()
    }
  })
  const done = Promise.all(calls)
  await pass(100 * 200)
  await done
  expect(turns).toBe(200)
  expect(gate).toMatchObject({ inside: 0, waiting: 0 })
})
