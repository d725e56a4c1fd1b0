// Round: rest, because it loads and cleans much memory.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTask } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { dayOf, openSource, uncompressed } from './source.ts'

test('memory is cleaned between the opening of an address and its reading, and the content is whole', async () => {
  const server = createServer((_request, response) => response.end('01004;Rue du Gué'))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { input, close } = await openSource(`http://127.0.0.1:${port}`, new AbortController().signal)
  await collectGarbage()
  const content: Uint8Array[] = []
  for await (const piece of input) content.push(piece)
  await close()
  expect(Buffer.concat(content).toString()).toBe('01004;Rue du Gué')
})

test('stops a small file of which gzip makes a large one', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  let read = 0
  const reading = async () => {
    for await (const piece of uncompressed(Readable.from([bomb]), 1_000_000)) read += piece.length
  }
  await expect(reading()).rejects.toThrow('The compressed file holds more than 1000000 bytes.')
  expect(read).toBeLessThanOrEqual(1_000_000)
})

test('the day of a file is that of its server, unless that is wrong', () => {
  const now = new Date('2026-11-12T12:00:00Z')
  expect(dayOf('Wed, 11 Nov 2026 23:30:00 GMT', now)).toBe('2026-11-12')
  expect([dayOf('Fri, 13 Nov 2026 12:00:00 GMT', now), dayOf('soon', now), dayOf(null, now)]).toEqual([
    null,
    null,
    null,
  ])
})

/** What is told of collected objects is done in later tasks. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let times = 0; times < 5; times++) {
    collect()
    await nextTask()
  }
}
