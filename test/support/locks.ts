import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Database } from '../../src/platform/database/connect.ts'

/** Waits until at least this many sessions wait for a lock in this database. No session waits longer than a minute. */
export const untilWaiting = (db: Database, count = 1) =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(count)
  }, 50_000)
