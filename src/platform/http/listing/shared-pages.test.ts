import { expect, test } from 'vitest'
import { batch } from './list-page.ts'
import { sharedPages } from './shared-pages.ts'

/** Pages whose reads end when the test says so. */
function open() {
  const reads: PromiseWithResolvers<string>[] = []
  const read = sharedPages((_query: { page: number; [batch]?: object }) => {
    const reading = Promise.withResolvers<string>()
    reads.push(reading)
    return reading.promise
  })
  return { reads, read }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

test('requests that arrive together share one read', async () => {
  const { reads, read } = open()
  const all = [read({ page: 1 }), read({ page: 1 }), read({ page: 1 })]
  await settle()
  expect(reads.length).toBe(1)
  reads[0]?.resolve('page')
  expect(await Promise.all(all)).toEqual(['page', 'page', 'page'])
})

test('requests that arrive during a read share the next one, which begins after it ended', async () => {
  const { reads, read } = open()
  const first = read({ page: 1 })
  await settle()
  const others = [read({ page: 1 }), read({ page: 1 })]
  await settle()
  expect(reads.length).toBe(1)
  reads[0]?.resolve('before')
  expect(await first).toBe('before')
  // Requests that were queued behind the first one join, too.
  others.push(read({ page: 1 }))
  await settle()
  expect(reads.length).toBe(2)
  const later = read({ page: 1 })
  reads[1]?.resolve('after')
  expect(await Promise.all(others)).toEqual(['after', 'after', 'after'])
  await settle()
  reads[2]?.resolve('later')
  expect(await later).toBe('later')
  void read({ page: 1 })
  await settle()
  expect(reads.length).toBe(4)
})

test('other pages and the batches of exports are read on their own', async () => {
  const { reads, read } = open()
  for (const query of [{ page: 1 }, { page: 2 }, { page: 1, [batch]: {} }, { page: 1, [batch]: {} }])
    void read(query)
  await settle()
  expect(reads.length).toBe(4)
})

test('a failed read fails for those who share it, and the next one is read again', async () => {
  const { reads, read } = open()
  const first = read({ page: 1 })
  await settle()
  const second = read({ page: 1 })
  reads[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await settle()
  const third = read({ page: 1 })
  reads[1]?.reject(new Error('lost again'))
  await expect(second).rejects.toThrow('lost again')
  await settle()
  reads[2]?.resolve('found')
  expect(await third).toBe('found')
})
