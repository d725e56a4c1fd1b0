import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import { getThreadForUpdate } from '../queries.ts'
import { threadActions } from '../schema.ts'
import { deleteDraft, putDraft } from './queries.ts'
import type { Draft } from './schema.ts'

/**
 * Stores the caller's own draft, spaces at its end included, because the caller is still typing. Locks the
 * thread, so that the erasure of its author leaves no draft behind. Not audited: a draft changes nothing for
 * others, and the reply is audited.
 */
export function saveDraft(db: Database, caller: SignedIn, id: string, given: string): Promise<Draft | null> {
  const body = given.replaceAll(/\r\n?/g, '\n')
  return db.transaction().execute(async (tx) => {
    const thread = await getThreadForUpdate(tx, id)
    if (!threadActions.draft(thread)) throw conflict()
    if (body.trim() === '') {
      await deleteDraft(tx, id, caller.user.id)
      return null
    }
    return putDraft(tx, id, caller.user.id, body)
  })
}
