import type { Caller } from '../../../platform/access/caller.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { requireRow } from '../../../platform/database/require-row.ts'
import { raise } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { syncInProgress } from '../errors.ts'
import { defibrillateurSync } from '../record.ts'
import { syncJob } from './jobs.ts'
import { giveUpLostSyncs, insertSync } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>
type SyncRequest = { communeId: string | null; acceptFall: boolean }

/** Creates a sync with its job. One per target at a time; national and communal syncs exclude each other. */
export function requestSync({ db, jobs }: Tools, caller: Caller, asked: SyncRequest) {
  const { communeId, acceptFall } = asked
  const auditedValues = () => ({ commune_id: communeId, accept_fall: acceptFall })
  return create(
    db,
    caller,
    { ...defibrillateurSync, auditedValues },
    { action: 'defibrillateur_sync.create' },
    async (tx) => {
      if (communeId !== null) await requireRow(tx, 'communes', communeId)
      return (await queueSync(tx, jobs, asked)) ?? raise(syncInProgress())
    },
  )
}

/** Requests the scheduled sync; null if a sync is already open. */
export const requestDaily = ({ db, jobs }: Tools) =>
  db.transaction().execute((tx) => queueSync(tx, jobs, { communeId: null, acceptFall: false }))

async function queueSync(tx: Database, jobs: Tools['jobs'], asked: SyncRequest) {
  await giveUpLostSyncs(tx)
  const sync = await insertSync(tx, { ...asked, source: 'registre' })
  if (sync !== null) await jobs.enqueue(tx, syncJob, { syncId: sync.id })
  return sync
}
