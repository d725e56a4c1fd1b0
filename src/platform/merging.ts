import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Jobs } from './jobs/jobs.ts'

/** A merge in progress: what refers to the acteur `from` moves to `into`. */
export type Merge = {
  from: string
  into: string
  /** Who asked for it, for audit entries. */
  author: { user: { id: string } | null; source: { code: string } | null; requestId: string | null }
}

/**
 * Moves at most about `limit` rows of a table that need more than another id, in the transaction of one batch. Returns
 * how many it changed; 0 when none is left. May run again after a crash.
 */
export type MovesOnMerge = (
  tx: Database,
  deps: { config: Config; jobs: Jobs },
  merge: Merge,
  limit: number,
) => Promise<number>
