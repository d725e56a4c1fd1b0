import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { unprepared } from '../database/pools/prepared.ts'

/** Repeats a step until it handles less than a batch. Returns the total. Stops between steps when the signal is aborted. */
export async function inBatches(
  batch: number,
  signal: AbortSignal,
  step: (batch: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    signal.throwIfAborted()
    const count = await step(batch)
    total += count
    if (count < batch) return total
  }
}

/** Returns a function that deletes a batch of the rows that meet a condition, skips locked ones and returns how many. */
export const deletionOf =
  (
    table: string,
    condition: RawBuilder<unknown>,
    { key = 'id', oldest }: { key?: string; oldest?: string } = {},
  ) =>
  async (db: Database, batch: number): Promise<number> => {
    const order = oldest === undefined ? sql`` : sql`order by ${sql.raw(oldest)}`
    const { numAffectedRows } = await sql`
      delete from ${sql.raw(table)} where ${sql.raw(key)} = any(array(
        select ${sql.raw(key)} from ${sql.raw(table)} where ${condition}
        ${order} limit ${batch} for update skip locked))`.execute(unprepared(db))
    return Number(numAffectedRows)
  }

/** Returns a retention rule that deletes the rows of so many months ago, oldest first. */
export const deletionAfterMonths =
  (table: string, time: string, key = 'id') =>
  (db: Database, months: number, batch: number): Promise<number> => {
    const isOld = sql`${sql.raw(time)} < now() - make_interval(months => ${months}::int)`
    return deletionOf(table, isOld, { key, oldest: time })(db, batch)
  }
