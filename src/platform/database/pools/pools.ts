import { isList } from './prepared-statements.ts'

/**
 * How many connections, how long a statement may take, and how long of that it may wait for a lock; how long a connection
 * serves at most, where that is bounded.
 */
export type PoolLimits = { max: number; statementMs: number; lockMs: number; lifetimeS?: number }

/**
 * Each kind of work has connections of its own, so that what is slow or locked for one leaves the others alone. Fifteen
 * in all, for each instance.
 */
export const usualPools = {
  /** Reads by key. They wait for no row, only for a table whose shape is being changed. */
  reads: { max: 4, statementMs: 3_000, lockMs: 300 },
  /** Lists, their counts, searches: what they cost depends on their values. */
  lists: { max: 4, statementMs: 2_000, lockMs: 300 },
  /** Transactions, and what writes without one. */
  writes: { max: 3, statementMs: 10_000, lockMs: 2_000 },
  /** pg-boss. Apart from writes: one that puts a job in line, and waits for pg-boss, would wait for itself. */
  jobs: { max: 2, statementMs: 10_000, lockMs: 5_000 },
  /** Rate limits, which wait for no longer than `counters.ts` says. */
  counters: { max: 1, statementMs: 10_000, lockMs: 200 },
  /** `/readyz`. A connection that was told to write nothing when it was made would say so for ever. */
  health: { max: 1, statementMs: 2_000, lockMs: 300, lifetimeS: 3 },
} satisfies Record<string, PoolLimits>

export type PoolName = keyof typeof usualPools

/** Which pool a request's statement goes to, and the transaction that it begins: read from its text. */
export function poolOf(text: string): 'reads' | 'lists' | 'writes' {
  if (beginsReading.test(text)) return 'reads'
  if (!selects.test(text) || changes.test(text)) return 'writes'
  return isList(text) ? 'lists' : 'reads'
}

const beginsReading = /^start transaction\b.* read only$/i
const selects = /^\s*(select|with)\b/i
const changes = /\b(insert into|update|delete from|merge into)\b/i
