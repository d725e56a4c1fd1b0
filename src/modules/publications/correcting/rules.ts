import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { isLive, withCan } from '../decisions/states.ts'
import { recordVersions } from '../history/queries.ts'
import { queueMails } from '../notify/jobs.ts'
import { getManagedPublication, type StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import { cleanContent, completeContent, contentOf, withoutStaleHours } from '../writing/content.ts'
import { duplicateKey } from '../writing/duplicates.ts'
import type { CorrectedPublication, Correction } from './schema.ts'

/**
 * Corrects content in the back-office. The status stays, and the author gets a mail. Imports update only
 * fields that still have their source's value, so they never overwrite a correction.
 */
export function correctPublication(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { reason = null, ...body }: Correction,
): Promise<CorrectedPublication> {
  const given = cleanContent(body)
  const wanted = {
    id,
    action: 'publication.correct',
    read: async (tx: Database, after: StoredPublication) => withCan(await getManagedPublication(tx, after)),
  }
  return change(db, caller, publication, wanted, async (tx, before, note) => {
    // A deleted publication must be restored first.
    if (!isLive(before)) throw conflict()
    const content = completeContent(withoutStaleHours({ ...contentOf(before), ...given }, given))
    if (isDeepStrictEqual(content, contentOf(before))) return {}
    await recordVersions(tx, [{ id, before, after: content }], { userId: caller.user.id, how: 'corrected' })
    await queueMails(tx, { jobs }, caller, {
      kind: 'corrected',
      decisionId: null,
      publicationIds: [before.id],
      reason,
    })
    if (reason !== null) note({ reason })
    return { ...content, duplicate_key: duplicateKey({ ...content, acteur_id: before.acteur_id }) }
  })
}
