import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { rss } from '../imports.test-kit.ts'
import { type ReadInput, readItems } from './read.ts'
import { ReadFailed } from './read-failed.ts'
import { type ReadingLimits, readInWorker } from './read-in-worker.ts'

const { signal } = new AbortController()
const input = (body: string, type: ReadInput['type'] = 'rss'): ReadInput => ({
  type,
  mapping: null,
  url: 'https://m.example/',
  parts: [{ body: Buffer.from(body), contentType: 'text/xml; charset=utf-8' }],
  now: new Date(),
})

test('a worker thread reads the same items in the same batches', async () => {
  const items = Array.from({ length: 450 }, (_, n) => ({
    guid: `${n}`,
    title: `Titre ${n}`,
    description: 'é',
  }))
  const apart = await Array.fromAsync(readInWorker(input(rss(...items)), signal))
  expect(apart.map((batch) => batch.length)).toEqual([200, 200, 50])
  expect(apart).toEqual(await Array.fromAsync(readItems(input(rss(...items)))))
})

test('reports unreadable documents as the direct reader does', async () => {
  await expect(Array.fromAsync(readInWorker(input('<html>'), signal))).rejects.toThrow(
    'cannot be read as RSS',
  )
})

test('the caller can abort it', async () => {
  const stopping = new AbortController()
  const batches = readInWorker(input(rss({ guid: '1', title: 'Un' })), stopping.signal)
  stopping.abort(new Error('enough'))
  await expect(batches.next()).rejects.toThrow('enough')
})

const many = Array.from({ length: 20_000 }, (_, n) => ({ guid: `${n}`, title: `Titre ${n}` }))

test.each<[string, ReadingLimits]>([
  ['It takes too long to read.', { timeoutMs: 1, maxHeapMb: 512 }],
  ['It takes too much memory to read.', { timeoutMs: 60_000, maxHeapMb: 24 }],
])('beyond its limits the thread is ended: %s', async (sentence, limits) => {
  const failed = readInWorker(input(rss(...many)), signal, limits).next()
  await expect(failed).rejects.toThrow(new ReadFailed(sentence))
})

test('a reader that crashes reports an unreadable source and keeps the cause', async () => {
  const failed = Array.fromAsync(readInWorker(input('', 'unknown' as 'rss'), signal))
  await expect(failed).rejects.toMatchObject({
    message: 'It cannot be read.',
    cause: expect.any(TypeError),
  })
  await expect(failed).rejects.toBeInstanceOf(ReadFailed)
})

test("a thread that cannot start is not the source's fault", async () => {
  const broken = { ...input(''), now: (() => {}) as unknown as Date }
  for (let turn = 0; turn < 4; turn++)
    await expect(readInWorker(broken, signal).next()).rejects.toMatchObject({ name: 'DataCloneError' })
})

test.each<[string, (worker: Worker) => unknown]>([
  ['has ended', (worker) => worker.terminate()],
  ['broke', (worker) => worker.emit('error', new Error('it broke'))],
])('a thread that goes while nobody asks it is told of at once: it %s', async (said, end) => {
  const begun = Promise.withResolvers<Worker>()
  process.once('worker', begun.resolve)
  const batches = readInWorker(input(rss(...many)), signal)
  expect((await batches.next()).value).toHaveLength(200)
  await end(await begun.promise)
  const failed = batches.next()
  await expect(failed).rejects.toThrow(said)
  await expect(failed).rejects.not.toBeInstanceOf(ReadFailed)
})

test('queues concurrent reads and completes all of them', async () => {
  const feed = input(rss({ guid: '1', title: 'Un' }))
  const read = await Promise.all(Array.from({ length: 7 }, () => Array.fromAsync(readInWorker(feed, signal))))
  expect(read.map((batches) => batches.flat().length)).toEqual(Array(7).fill(1))
})
