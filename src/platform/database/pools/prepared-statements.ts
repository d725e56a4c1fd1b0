import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Decides whether a statement is prepared. With the many partial indexes, planning is most of the cost of a read by key
 * or a write. A cached plan does not know values, so these are planned each time:
 * - lists, totals and searches, whose best plan depends on the values, except when a literal limit shows that there is
 *   only one plan;
 * - an upsert whose partial index is selected by a value;
 * - a text with many values, which is seldom repeated.
 */
export const isPrepared = (text: string): boolean =>
  (!isList(text) || bounded.test(text)) && !matches(plannedEachTime, text)

/** A page of a list, a total, or a search. */
export const isList = (text: string): boolean => matches(lists, text)

const matches = (patterns: RegExp[], text: string) => patterns.some((pattern) => pattern.test(text))
const lists = [/\blimit\s+\$/i, /^\s*select[\s(]+(select\s+)?count\(/i, /@@|\blike\b/i]
/** The largest page. */
const bounded = /\blimit 100\)/i
const plannedEachTime = [
  /\bon conflict \([^)]*\)\s+where (?:(?!\bdo\b)[^$])*\$/i,
  /\bin \((\$\d+, ){4}|\), \(\$/i,
]

/** The prepared statements of one connection. A name stands for the same text on every connection. */
export function preparedStatements(max: number) {
  const names = new Map<string, string>()
  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= max || !isPrepared(text)) return known
    const name = createHash('sha256').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
  return {
    /** Returns a query under its name; null when it has none. */
    named([text, values]: unknown[]): Named | null {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return null
      const name = nameOf(text)
      return name === undefined ? null : { name, text, values }
    },
    isFull: () => names.size >= max,
  }
}

export type Named = { name: string; text: string; values: unknown[] }

/** True when a table was altered and the cached plan no longer fits. PostgreSQL has no specific code for it. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** True when a pooler moved the transaction to a session without the prepared statement. */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['26000', '42P05'].includes(error.code ?? '')
