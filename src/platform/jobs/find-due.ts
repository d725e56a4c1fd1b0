import type { Pool } from 'pg'

/**
 * Wakes the workers of queues with a due job, by one statement for all queues: pg-boss polls each worker of its own, which
 * are some fifty statements a second in an idle service. A failed search is reported and tried again.
 */
export function wakeWhenDue(
  pool: Pool,
  queues: readonly string[],
  everyMs: number,
  { wake, failed }: { wake(queue: string): void; failed(error: unknown): void },
): { stop(): void } {
  let isSearching = false
  const timer = setInterval(async () => {
    if (isSearching) return
    isSearching = true
    try {
      const { rows } = await pool.query<{ name: string }>(findDue, [queues])
      for (const { name } of rows) wake(name)
    } catch (error) {
      failed(error)
    } finally {
      isSearching = false
    }
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}

const findDue = `select name from unnest($1::text[]) name where exists (
  select from pgboss.job where job.name = name.name and state < 'active' and start_after <= now())`
