import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate, type Place } from './gate.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
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

test('when there has been a queue for a second, nobody waits for long', async () => {
  const { gate, seen, come } = openGate(1, 9)
  await come('a')
  await come('b')
  await pass(970)
  await come('c')
  await pass(40)
  expect(seen).toMatchObject({ b: 'waited too long for its turn', c: 'waits' })
  await come('d')
  await pass(40)
  expect(seen).toMatchObject({ c: 'waited too long for its turn', d: 'waits' })
  await pass(100)
  expect(gate).toMatchObject({ inside: 1, waiting: 0 })
  expect(vi.getTimerCount()).toBe(0)
  // There was no queue any more: what comes now is a burst again.
  await come('e')
  await pass(900)
  expect(seen).toMatchObject({ e: 'waits' })
})
