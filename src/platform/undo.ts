import type { RawBuilder } from 'kysely'
import type { SignedIn } from './access/caller.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'

/** A record of a decision, as an undo needs it. */
export type DecidedItem = {
  record_id: string
  /** The version that the decision left. A record with another version has changed since. */
  version: number
  /** State to restore, as the kind's own module recorded it. */
  before: Record<string, unknown>
}

export type DecisionToUndo = { id: string; action: string; decided_at: Date }

/** How decisions on one kind of record are undone. Read by the module decisions. */
export type Undoable = {
  /** Locks the records against every other change until the transaction ends, in one order. */
  lock(tx: Database, ids: string[]): Promise<void>
  /**
   * Restores each record that still has the version of its item, with audit entries, and drops the mails that wait.
   * Returns the new version of each restored record. Throws to refuse the whole undo.
   */
  restore(
    tx: Database,
    tools: { config: Config },
    caller: SignedIn,
    decision: DecisionToUndo,
    items: DecidedItem[],
  ): Promise<Map<string, number>>
  /** The title of a record of this kind, over `i.record_id`. */
  title: RawBuilder<string | null>
}
