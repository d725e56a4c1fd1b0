import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(10 * 512)
let digits = ''
let used = 0
let lastMs = 0
let counter = 0

/**
 * A UUID of version 7: it sorts by time, and those of one process by the order in which they were made. Node 24 has no
 * such function of its own.
 */
export function uuidv7(): string {
  const random = nextRandom()
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // The upper half is left for those of the same millisecond.
    counter = Number.parseInt(random.slice(0, 3), 16) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs++
    counter = 0
  }
  return compose(lastMs, counter.toString(16).padStart(3, '0'), random)
}

/** Whether a text is an id, however its letters are written. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** One that sorts where it would have been made at that moment. */
export function uuidv7At(timeMs: number): string {
  const random = nextRandom()
  return compose(timeMs, random.slice(0, 3), random)
}

function compose(timeMs: number, order: string, random: string): string {
  const time = timeMs.toString(16).padStart(12, '0')
  const variant = '89ab'[Number.parseInt(random.charAt(3), 16) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** Twenty hexadecimal digits. */
function nextRandom(): string {
  if (used === digits.length) {
    digits = Buffer.from(randomFillSync(pool).buffer).toString('hex')
    used = 0
  }
  used += 20
  return digits.slice(used - 20, used)
}
