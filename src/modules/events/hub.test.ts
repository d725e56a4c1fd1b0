import { expect, test, vi } from 'vitest'
import { createHub, type Listener, type News } from './hub.ts'
import type { Topic } from './topics.ts'

// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 60_000 }

type Heard = Listener<string> & { texts: string[]; isClosed: boolean }

function listener(rights = 'a', values: Partial<Heard> = {}): Heard {
  const one: Heard = {
    ...{ rights, endsAt: null, texts: [], isClosed: false },
    wants: () => true,
    write: (text) => void one.texts.push(text),
    unread: () => 0,
    close: () => {
      one.isClosed = true
    },
    ...values,
  }
  return one
}

function hubOf(news: () => Promise<Partial<News>> = async () => ({})) {
  const source = {
    begin: vi.fn(async () => 7),
    read: async () => ({ topics: new Set<Topic>(), last: 7, isGap: false, ...(await news()) }),
    stillAllowed: async (all: string[]) => new Set(all),
    onFailure: vi.fn(),
  }
  return { source, hub: createHub(source, { everyMs: 1, commentMs: 0 }) }
}

test('disconnects a client with more than 16 kB unread and keeps the others', async () => {
  const { hub } = hubOf(async () => ({ topics: new Set<Topic>(['claims']), last: 8 }))
  const [slow, fast] = [listener('slow'), listener('fast')]
  slow.unread = () => slow.texts.join('').length * 400
  fast.unread = () => 16_384
  await hub.listen(slow, null)
  await hub.listen(fast, null)
  await vi.waitFor(() => expect(slow.isClosed).toBe(true), generous)
  const { length } = fast.texts
  await vi.waitFor(() => expect(fast.texts.length).toBeGreaterThan(length + 2), generous)
  expect([fast.isClosed, hub.size]).toEqual([false, 1])
  hub.close()
})

test('closes all streams when a read fails, and restarts with the next client', async () => {
  let fails = true
  const { hub, source } = hubOf(async () => {
    if (fails) throw new Error('no database')
    return {}
  })
  const first = listener()
  await hub.listen(first, null)
  await vi.waitFor(() => expect(first.isClosed).toBe(true), generous)
  expect(source.onFailure).toHaveBeenCalledTimes(1)
  fails = false
  const second = listener()
  await hub.listen(second, null)
  await vi.waitFor(() => expect(second.texts.length).toBeGreaterThan(2), generous)
  expect([second.isClosed, source.begin.mock.calls.length]).toEqual([false, 2])
  hub.close()
})

test('a failed start refuses its client, and the next client starts again', async () => {
  const { hub, source } = hubOf()
  source.begin.mockRejectedValueOnce(new Error('no database'))
  await expect(hub.listen(listener(), null)).rejects.toThrow('no database')
  await hub.listen(listener(), null)
  expect(hub.size).toBe(1)
  hub.close()
})

test('closes a stream whose token has expired, and reads nothing without clients', async () => {
  const read = vi.fn(async () => ({}))
  const { hub } = hubOf(read)
  const one = listener('a', { endsAt: Date.now() - 1 })
  await hub.listen(one, null)
  await vi.waitFor(() => expect(one.isClosed).toBe(true), generous)
  const { length } = read.mock.calls
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([hub.size, read.mock.calls.length]).toEqual([0, length])
})

test('refuses clients after the stop', async () => {
  const { hub } = hubOf()
  hub.close()
  const late = listener()
  await hub.listen(late, null)
  expect([late.isClosed, hub.size]).toEqual([true, 0])
})
