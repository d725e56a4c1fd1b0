import { expect, test } from 'vitest'
import { rss } from '../imports.test-kit.ts'
import { type ReadInput, readItems } from './read.ts'
import { readApart } from './read-apart.ts'

const { signal } = new AbortController()
const input = (body: string, type: ReadInput['type'] = 'rss'): ReadInput => ({
  type,
  mapping: null,
  url: 'https://m.example/',
  parts: [{ body: Buffer.from(body), contentType: 'text/xml; charset=utf-8' }],
  now: new Date(),
})

test('a thread of its own reads the same, in the same batches', async () => {
  const items = Array.from({ length: 450 }, (_, n) => ({
    guid: `${n}`,
    title: `Titre ${n}`,
    description: 'é',
  }))
  const apart = await Array.fromAsync(readApart(input(rss(...items)), signal))
  expect(apart.map((batch) => batch.length)).toEqual([200, 200, 50])
  expect(apart).toEqual(await Array.fromAsync(readItems(input(rss(...items)))))
})

test('what cannot be read is told as it is told here', async () => {
  await expect(Array.fromAsync(readApart(input('<html>'), signal))).rejects.toThrow('cannot be read as RSS')
})

test('who asks may stop it', async () => {
  const stopping = new AbortController()
  const batches = readApart(input(rss({ guid: '1', title: 'Un' })), stopping.signal)
  stopping.abort(new Error('enough'))
  await expect(batches.next()).rejects.toThrow('enough')
})

test('many at once wait for each other, and all are read', async () => {
  const feed = input(rss({ guid: '1', title: 'Un' }))
  const read = await Promise.all(Array.from({ length: 7 }, () => Array.fromAsync(readApart(feed, signal))))
  expect(read.map((batches) => batches.flat().length)).toEqual(Array(7).fill(1))
})
