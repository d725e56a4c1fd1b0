import { createHash } from 'node:crypto'
import pg from 'pg'

/** Tracks the prepared statements of one connection. A name has the same text on every connection. */
export function preparedStatements(max: number) {
  const names = new Map<string, string>()
  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= max) return known
    const name = createHash('sha256').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
  return {
    /** Returns a query with its statement name; null if it has no values or no name is left. */
    named(text: string, values: readonly unknown[]): NamedStatement | null {
      if (values.length === 0) return null
      const name = nameOf(text)
      return name === undefined ? null : { name, text, values }
    },
    isFull: () => names.size >= max,
  }
}

export type NamedStatement = { name: string; text: string; values: readonly unknown[] }

/**
 * Returns true if a cached plan no longer matches an altered table. PostgreSQL has no specific code for it.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Returns true if a pooler moved the transaction to a session without the prepared statement. */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['26000', '42P05'].includes(error.code ?? '')
