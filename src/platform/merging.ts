import type { Config } from './config/config.ts'
import type { Database } from './database/connect.ts'
import type { Jobs } from './jobs/jobs.ts'

/** A merge in progress: references to the acteur `from` are pointed to `into`. */
export type Merge = {
  from: string
  into: string
  /** Author of the merge, for audit entries. */
  author: { user: { id: string } | null; source: { code: string } | null; requestId: string | null }
}

/**
 * Points about `limit` rows of a table to `into`, where replacing the id is not enough, in the transaction of
 * one batch. Returns how many it changed; 0 when none is left. May run again after a crash.
 */
export type MovesOnMerge = (
  tx: Database,
  deps: { config: Config; jobs: Jobs },
  merge: Merge,
  limit: number,
) => Promise<number>
