import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Deps } from '../../../platform/module.ts'
import { readNow } from '../../publications/importing/queries.ts'
import { countSelected } from '../bulk-decisions.ts'
import { importInProgress } from '../errors.ts'
import { hasRunUnderWay } from '../queries.ts'
import { importSource } from '../record.ts'
import { withdraw } from './jobs.ts'
import { imported } from './queries.ts'
import type { Withdrawal, WithdrawBody } from './schema.ts'

/** Enqueues a job that rejects all publications of a source, or those since a moment. */
export async function withdrawPublications(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { since, reason = null }: WithdrawBody,
): Promise<Withdrawal> {
  let publications = 0
  const wanted = { id, action: 'import_source.withdraw', read: async () => ({ id, publications }) }
  return change(db, caller, importSource, wanted, async (tx, before, note) => {
    if (await hasRunUnderWay(tx, id)) throw importInProgress()
    const until = (await readNow(tx)).toISOString()
    const withdrawn = { sourceId: before.id, since, until }
    publications = await countSelected(tx, imported(withdrawn))
    note({ withdrawn_since: since, withdrawn_until: until, publications })
    const by = { userId: caller.user.id, requestId: caller.requestId }
    await jobs.enqueue(tx, withdraw, { ...withdrawn, ...by, reason })
    return {}
  })
}
