import { exceedsJsonLimits } from '../../../platform/http/overload/json-limits.ts'
import { ReadFailed } from './read-failed.ts'

/** An order of magnitude beyond what a full feed of ten megabytes has. */
const jsonLimits = { levels: 40, keys: 2_000, items: 200_000, values: 2_000_000 }
const maxTags = 1_500_000

/** Refuses what would take many times its size to read, or is nested as nothing honest is; by a look at its signs. */
export function requireReasonable(text: string): void {
  const isJson = /^[\s\ufeff]*[[{]/.test(text.slice(0, 1_000))
  if (isJson ? exceedsJsonLimits(Buffer.from(text), jsonLimits) : hasTooManyTags(text))
    throw new ReadFailed('It has too many parts, or nests them too deeply.')
}

/** The value of a JSON text. A key such as `__proto__` is a key like any other. */
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
