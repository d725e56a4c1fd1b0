/** More than twice what the largest body of a route needs. */
export const jsonLimits = { levels: 32, keys: 1_000, items: 5_000, values: 20_000 }

/**
 * Returns whether JSON is nested too deeply or has too many parts. A body of 1 MB can have half a million
 * parts, which block the event loop for a second. Scans each byte once and stops at the first limit; invalid
 * JSON is left to the parser.
 */
export function exceedsJsonLimits(json: Uint8Array, limits = jsonLimits): boolean {
  // How many more keys or items each open object or list may have.
  const left = new Uint32Array(limits.levels)
  let level = -1
  let values = limits.values
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at)
        break
      case openObject:
      case openList:
        level++
        if (level === limits.levels) return true
        left[level] = (json[at] === openObject ? limits.keys : limits.items) - 1
        break
      case closeObject:
      case closeList:
        level = Math.max(-1, level - 1)
        break
      case comma:
        if (values-- === 0 || left[level] === 0) return true
        left[level] = (left[level] ?? 0) - 1
        break
    }
  }
  return false
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
