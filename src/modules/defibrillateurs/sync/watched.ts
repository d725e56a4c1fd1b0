import { sql } from 'kysely'
import type { Watched } from '../../../platform/module.ts'

/** Open syncs and their progress. The end of a sync changes it too: the sync is no longer in it. */
export const syncsWatched: Watched = {
  topics: ['defibrillateurs'],
  state: sql`
    select string_agg(concat_ws(' ', s.id, s.status, p.read), ',' order by s.id)
    from defibrillateur_syncs s left join defibrillateur_sync_progress p on p.sync_id = s.id
    where s.status in ('queued', 'running')`,
}
