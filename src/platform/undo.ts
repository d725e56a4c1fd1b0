import type { RawBuilder } from 'kysely'
import type { SignedIn } from './access/caller.ts'
import type { Config } from './config/config.ts'
import type { Database } from './database/connect.ts'
import type { Jobs } from './jobs/jobs.ts'

/** A record affected by a decision, with the data that an undo needs. */
export type DecidedItem = {
  record_id: string
  /** Version after the decision. A record with another version has changed since. */
  version: number
  /** State to restore, as the kind's own module recorded it. */
  before: Record<string, unknown>
}

export type DecisionToUndo = { id: string; action: string; decided_at: Date }

/** Defines how decisions on one kind of record are undone. Read by the module decisions. */
export type Undoable = {
  /** Locks the records until the transaction ends, in a fixed order. */
  lock(tx: Database, ids: string[]): Promise<void>
  /**
   * Restores each record that still has the version of its item, writes audit entries, cancels queued mails, and
   * queues those that are needed again. Returns the new version of each restored record. Throws to refuse the whole undo.
   */
  restore(
    tx: Database,
    tools: { config: Config; jobs: Jobs },
    caller: SignedIn,
    decision: DecisionToUndo,
    items: DecidedItem[],
  ): Promise<Map<string, number>>
  /** Selects the title of the record `i.record_id`. */
  title: RawBuilder<string | null>
  /** Whether `restore` would restore the record of item `i`: for lists, without locks. */
  isRestorable: RawBuilder<boolean>
}
