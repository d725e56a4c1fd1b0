import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Whether PostgreSQL keeps a statement, parsed and planned, for the next time: with the many partial indexes, planning
 * is most of what a read by key or a write costs. A plan that is kept knows no values. So these are planned each time:
 * - a list, whose page it would take for a tenth of all, its count, and a search: their best way depends on the values.
 *   Not so one that says in its text how long a page is at most, as those do that have one way whatever the values;
 * - an upsert that names a partial index by a condition with a value, which it would not recognise without that;
 * - a text with many values in it, which is seldom the same again.
 */
export const isPrepared = (text: string): boolean =>
  (!isList(text) || bounded.test(text)) && !matches(plannedEachTime, text)

/** A list in pages, its count, or a search. */
export const isList = (text: string): boolean => matches(lists, text)

const matches = (patterns: RegExp[], text: string) => patterns.some((pattern) => pattern.test(text))
const lists = [/\blimit\s+\$/i, /^\s*select[\s(]+(select\s+)?count\(/i, /@@|\blike\b/i]
/** The longest page there is. */
const bounded = /\blimit 100\)/i
const plannedEachTime = [
  /\bon conflict \([^)]*\)\s+where (?:(?!\bdo\b)[^$])*\$/i,
  /\bin \((\$\d+, ){4}|\), \(\$/i,
]

/** The statements that one connection keeps. A name stands for one text, whichever connection has it. */
export function keptStatements(max: number) {
  const names = new Map<string, string>()
  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= max || !isPrepared(text)) return known
    const name = createHash('sha256').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
  return {
    /** A query of Kysely's under its name; null when it has none, or is sent by somebody else, who gives a callback. */
    named([text, values, callback]: unknown[]): Named | null {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0 || callback) return null
      const name = nameOf(text)
      return name === undefined ? null : { name, text, values }
    },
    isFull: () => names.size >= max,
  }
}

export type Named = { name: string; text: string; values: unknown[] }

/** A table has another shape since: the plan does not fit any more. PostgreSQL has no code for just this. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Behind a pooler that gives each transaction another session, a statement is not where it was prepared. */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['26000', '42P05'].includes(error.code ?? '')
