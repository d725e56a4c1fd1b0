/** Size of a pool, timeouts for statements and locks, and the maximum age of a connection where bounded. */
export type PoolLimits = { max: number; statementMs: number; lockMs: number; lifetimeS?: number }

/**
 * Pools by kind of work, so that slow or locked work does not block other kinds. Fifteen connections per
 * instance.
 */
export const defaultPools = {
  /** Reads by key. They wait for no row lock, only for a table being altered. */
  reads: { max: 4, statementMs: 3_000, lockMs: 300 },
  /** Lists, their totals, searches: their cost depends on the values. */
  lists: { max: 4, statementMs: 2_000, lockMs: 300 },
  /** Transactions, single writes outside one, and the reads that changes need. */
  writes: { max: 3, statementMs: 10_000, lockMs: 2_000 },
  /** pg-boss. Separate from writes: a transaction that enqueues a job would otherwise wait for itself. */
  jobs: { max: 2, statementMs: 10_000, lockMs: 5_000 },
  /** Rate limits; `counters.ts` sets their timeout. */
  counters: { max: 1, statementMs: 10_000, lockMs: 200 },
  /**
   * `/readyz`. A short lifetime, because a connection opened while the database was read-only would report that
   * forever.
   */
  health: { max: 1, statementMs: 2_000, lockMs: 300, lifetimeS: 3 },
} satisfies Record<string, PoolLimits>

export type PoolName = keyof typeof defaultPools

/**
 * Pools of one of WORKERS instances: eleven connections, and one that listens for changes. Its jobs and writes need as many
 * as those of a single instance.
 */
export const sharedPools: typeof defaultPools = {
  ...defaultPools,
  reads: { ...defaultPools.reads, max: 2 },
  lists: { ...defaultPools.lists, max: 2 },
}

/** Connections that the embedded server accepts: those of commands too. */
export const serverConnections = (instances: number): number => (instances === 1 ? 60 : 60 + 12 * instances)

/** A transaction whose client sends nothing for this long is ended. */
export const idleInTransactionMs = 15_000

/** Returns the SQL that applies the timeouts of a pool to the transaction in which it runs. */
export const setTimeouts = ({ statementMs, lockMs }: PoolLimits): string =>
  `set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; ` +
  `set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`
