import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { png } from '../media.test-kit.ts'
import { createDecoder } from './decoder.ts'

const script = new URL('./decoder.test-worker.ts', import.meta.url)
const { signal } = new AbortController()
const open = (options = {}) => {
  const warnings: unknown[] = []
  const decoder = createDecoder({
    log: { warn: (line: unknown) => void warnings.push(line) },
    script,
    ...options,
  })
  return {
    warnings,
    decode: (word: string, by = signal) => decoder.decode(async () => Buffer.from(word), by),
  }
}

test('one process decodes all files, in their order', async () => {
  const { decode } = open()
  const order: string[] = []
  const decoded = await Promise.all(
    ['a', 'b', 'c'].map(async (word) => {
      const one = await decode(word)
      order.push(word)
      return one
    }),
  )
  expect(order).toEqual(['a', 'b', 'c'])
  expect(new Set(decoded.map(({ width }) => width)).size).toBe(1)
})

test.each([
  ['ends its process is refused', 'end', 'validation_failed'],
  ['takes too long may come again', 'hang', 'unavailable'],
])('a file that %s, and the next one gets a new process', async (_what, word, code) => {
  const { decode, warnings } = open({ timeoutMs: 3_000 })
  const { width: first } = await decode('a')
  const [refused, next] = await Promise.allSettled([decode(word), decode('b')])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code } })
  expect(next.status === 'fulfilled' && next.value.width !== first).toBe(true)
  expect(warnings).toHaveLength(1)
})

test('a fault of the process itself is an error, and it goes on', async () => {
  const { decode } = open()
  const { width } = await decode('a')
  await expect(decode('fail')).rejects.toThrow('out of order')
  expect((await decode('b')).width).toBe(width)
})

test('a process that cannot start makes uploads unavailable', async () => {
  const { decode } = open({ script: new URL('./missing.ts', import.meta.url) })
  await expect(decode('a')).rejects.toMatchObject({ code: 'unavailable' })
})

test('the process ends after a while without a file', async () => {
  const { decode } = open({ idleMs: 1 })
  const { width } = await decode('a')
  await expect.poll(() => isRunning(width)).toBe(false)
  expect((await decode('b')).width).not.toBe(width)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('an upload whose client has left is not decoded, and one more than may wait is refused', async () => {
  const { decode } = open({ maxWaiting: 2 })
  const left = new AbortController()
  const [first, second] = [decode('a'), decode('b', left.signal)]
  expect(() => decode('c')).toThrow(expect.objectContaining({ code: 'unavailable' }))
  left.abort()
  await expect(second).rejects.toThrow('aborted')
  await first
})

test('a picture whose comment unpacks to 500 MB is decoded without it, or refused, in time', async () => {
  const decoder = createDecoder({ log: { warn: () => undefined }, timeoutMs: 20_000 })
  const decode = (file: Buffer) => decoder.decode(async () => file, signal)
  const picture = await png()
  const packed = deflateSync(Buffer.alloc(500_000_000), { level: 1 })
  const header = 33
  const bomb = Buffer.concat([
    picture.subarray(0, header),
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed])),
    picture.subarray(header),
  ])
  // A slow file is refused as unavailable: how much memory it takes until then depends on the machine.
  const outcome = await decode(bomb).then(
    ({ width }) => width,
    ({ code }) => code,
  )
  expect([40, 'validation_failed']).toContain(outcome)
})

/** A part of a PNG file. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
