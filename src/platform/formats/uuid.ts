import { randomUUID } from 'node:crypto'

let lastMs = 0
let prefix = ''
let counter = 0

/**
 * Creates a UUID of version 7, which sorts by time; UUIDs of one process sort by creation. Those of
 * `crypto.randomUUIDv7()` have no order within a millisecond.
 */
export function uuidv7(): string {
  const random = randomUUID()
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    startMs(nowMs)
    // The upper half is reserved for ids of the same millisecond.
    counter = randomOrder(random) & 0x7ff
  } else if (++counter > 0xfff) {
    startMs(lastMs + 1)
    counter = 0
  }
  return `${prefix}${hexOfOrder(counter)}${tailOf(random)}`
}

/** True when a text is an id in any letter case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Creates an id that sorts as if created at that time. */
export function uuidv7At(timeMs: number): string {
  const random = randomUUID()
  return `${prefixOf(timeMs)}${hexOfOrder(randomOrder(random))}${tailOf(random)}`
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
/** Returns twelve random bits. */
const randomOrder = (random: string) => Number.parseInt(random.slice(0, 3), 16)
/** Returns the last two groups, which are random in both versions. */
const tailOf = (random: string) => random.slice(18)
