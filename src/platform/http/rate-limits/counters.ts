import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../database/connect.ts'
import { within } from '../../database/pools/with-timeout.ts'
import type { Warn } from '../../log/log.ts'
import type { RateLimit } from '../../rate-limit.ts'

export type Counter = {
  /** Counts a request of `key`. Returns 0 when it may pass, else the milliseconds until it may. */
  take(key: string): Promise<number>
  /** Undoes one count, for a request that turned out not to count. */
  giveBack(key: string): Promise<void>
}

const localMs = 1_000

/**
 * Counts in PostgreSQL with one statement. A key that has used up its window is refused from memory until the
 * window ends. While the database is unavailable or the table is locked, each instance counts separately: one
 * request waits for the timeout, and requests of the following second do not wait.
 */
export function counter(
  db: Database,
  name: string,
  limit: Exclude<RateLimit, 'off'>,
  { warn, timeoutMs, clears }: { warn: Warn; timeoutMs: number; clears: boolean },
): Counter {
  // The table only accepts lower-case letters before the digest.
  const keyPrefix = name.replaceAll('_', '')
  const options = { keyPrefix, points: limit.points, duration: limit.seconds }
  const shared = new RateLimiterPostgres({
    ...options,
    storeClient: {
      query: ({ text, values }: { text: string; values: unknown[] }) =>
        db.executeQuery(CompiledQuery.raw(text, values)),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // Every five minutes deletes the counters of all limits that ended an hour ago.
    clearExpiredByTimeout: clears,
    inMemoryBlockOnConsumed: limit.points,
  })
  // Not the library's insuranceLimiter, which would take over without a log line.
  const own = new RateLimiterMemory(options)
  let localUntil = 0
  return {
    async take(key) {
      if (performance.now() < localUntil) return waitMs(own, key)
      try {
        return await within(timeoutMs, waitMs(shared, key), 'the database counts too slowly')
      } catch (error) {
        localUntil = performance.now() + localMs
        warn(error)
        return waitMs(own, key)
      }
    },
    async giveBack(key) {
      const limiter = performance.now() < localUntil ? own : shared
      await within(timeoutMs, limiter.reward(key), 'the database counts too slowly').catch(warn)
      // The key may no longer be blocked. Clearing all blocks costs other keys one more statement.
      shared.deleteInMemoryBlockedAll()
    },
  }
}

async function waitMs(limiter: RateLimiterPostgres | RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext)
    throw refusal
  }
}
