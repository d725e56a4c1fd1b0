import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../database/connect.ts'
import { within } from '../../database/pools/within.ts'
import type { Warn } from '../../log/log.ts'
import type { RateLimit } from './settings.ts'

/** Counts a request of `key`: 0 when it may pass, else the milliseconds until it may. */
export type Count = (key: string) => Promise<number>

const aloneMs = 1_000

/**
 * Counts in PostgreSQL, in one statement; a key that has used up its window is refused from memory until the window
 * ends. While the database is away, or somebody has locked the table, each instance counts for itself: no request waits
 * longer than a moment, and in the second after it none does.
 */
export function counter(
  db: Database,
  name: string,
  limit: Exclude<RateLimit, 'off'>,
  { warn, patienceMs, clears }: { warn: Warn; patienceMs: number; clears: boolean },
): Count {
  const options = { keyPrefix: name, points: limit.points, duration: limit.seconds }
  const shared = new RateLimiterPostgres({
    ...options,
    storeClient: {
      query: ({ text, values }: { text: string; values: unknown[] }) =>
        db.executeQuery(CompiledQuery.raw(text, values)),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // Every five minutes, what has ended for an hour, of all limits.
    clearExpiredByTimeout: clears,
    inMemoryBlockOnConsumed: limit.points,
  })
  // Not the library's insuranceLimiter, which would take over without a word.
  const own = new RateLimiterMemory(options)
  let aloneUntil = 0
  return async (key) => {
    if (performance.now() < aloneUntil) return waitMs(own, key)
    try {
      return await within(patienceMs, waitMs(shared, key), 'the database counts too slowly')
    } catch (error) {
      aloneUntil = performance.now() + aloneMs
      warn(error)
      return waitMs(own, key)
    }
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
