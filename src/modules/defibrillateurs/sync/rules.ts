import type { Caller } from '../../../platform/access/caller.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeExists } from '../../communes/queries.ts'
import { syncInProgress } from '../errors.ts'
import { defibrillateurSync } from '../record.ts'
import { syncJob } from './jobs.ts'
import { giveUpLostSyncs, insertSync } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>
type Asked = { communeId: string | null; acceptFall: boolean }

/** The sync and its job begin together. One at a time: those of a commune exclude that of France, and the reverse. */
export function requestSync({ db, jobs }: Tools, caller: Caller, asked: Asked) {
  const { communeId, acceptFall } = asked
  const trailOf = () => ({ commune_id: communeId, accept_fall: acceptFall })
  return create(
    db,
    caller,
    { ...defibrillateurSync, trailOf },
    { action: 'defibrillateur_sync.create' },
    async (tx) => {
      if (communeId !== null && !(await communeExists(tx, communeId))) throw notFound()
      return (await queueSync(tx, jobs, asked)) ?? raise(syncInProgress())
    },
  )
}

/** By the clock: where one is under way already, that one serves. */
export const requestDaily = ({ db, jobs }: Tools) =>
  db.transaction().execute((tx) => queueSync(tx, jobs, { communeId: null, acceptFall: false }))

async function queueSync(tx: Database, jobs: Tools['jobs'], asked: Asked) {
  await giveUpLostSyncs(tx)
  const sync = await insertSync(tx, { ...asked, source: 'registre' })
  if (sync !== null) await jobs.enqueue(tx, syncJob, { syncId: sync.id })
  return sync
}
