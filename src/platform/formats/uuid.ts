import { randomFillSync } from 'node:crypto'

// Ten bytes per id: two for the order, eight purely random.
const batch = 512
const pool = new Uint8Array(10 * batch)
let tails = ''
let used = batch
let lastMs = 0
let prefix = ''
let counter = 0

/**
 * Creates a UUID of version 7, which sorts by time; UUIDs of one process sort by creation. Those of
 * `crypto.randomUUIDv7()` have no order within a millisecond.
 */
export function uuidv7(): string {
  const at = nextRandom()
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    startMs(nowMs)
    // The upper half is reserved for ids of the same millisecond.
    counter = randomOrder(at) & 0x7ff
  } else if (++counter > 0xfff) {
    startMs(lastMs + 1)
    counter = 0
  }
  return `${prefix}${hexOfOrder(counter)}-${tailAt(at)}`
}

/** True when a text is an id in any letter case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Creates an id that sorts as if created at that time. */
export function uuidv7At(timeMs: number): string {
  const at = nextRandom()
  return `${prefixOf(timeMs)}${hexOfOrder(randomOrder(at))}-${tailAt(at)}`
}

function startMs(timeMs: number) {
  lastMs = timeMs
  prefix = prefixOf(timeMs)
}

function prefixOf(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

const hexOfOrder = (order: number) => order.toString(16).padStart(3, '0')
const randomOrder = (at: number) => (((pool[10 * at] ?? 0) << 8) | (pool[10 * at + 1] ?? 0)) & 0xfff
const tailAt = (at: number) =>
  `${tails.slice(20 * at + 4, 20 * at + 8)}-${tails.slice(20 * at + 8, 20 * at + 20)}`

/** Returns the offset of the next ten random bytes, which are generated and hex-encoded in batches. */
function nextRandom(): number {
  if (used === batch) {
    randomFillSync(pool)
    // The variant: two fixed bits.
    for (let at = 2; at < pool.length; at += 10) pool[at] = ((pool[at] ?? 0) & 0x3f) | 0x80
    tails = Buffer.from(pool.buffer).toString('hex')
    used = 0
  }
  return used++
}
