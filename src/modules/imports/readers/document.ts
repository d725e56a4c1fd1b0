import { exceedsJsonLimits } from '../../../platform/http/overload/json-limits.ts'
import { ReadFailed } from './read-failed.ts'

/** Ten times what a full feed of ten megabytes contains. */
const jsonLimits = { levels: 40, keys: 2_000, items: 200_000, values: 2_000_000 }
const maxTags = 1_500_000

/**
 * Refuses a document that is nested too deeply or would need many times its size to parse, by scanning its
 * brackets.
 */
export function requireReasonable(text: string): void {
  const isJson = /^[\s\ufeff]*[[{]/.test(text.slice(0, 1_000))
  if (isJson ? exceedsJsonLimits(Buffer.from(text), jsonLimits) : hasTooManyTags(text))
    throw new ReadFailed('It has too many parts, or nests them too deeply.')
}

/** Parses JSON. A key such as `__proto__` is an ordinary key. */
export function parseJson(text: string): unknown {
  requireReasonable(text)
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new ReadFailed('It cannot be read as JSON.')
  }
}

function hasTooManyTags(text: string): boolean {
  let tags = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1))
    if (++tags > maxTags) return true
  return false
}
