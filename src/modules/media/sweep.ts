import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { deleteMedia, isUnused, noteUnused } from './queries.ts'
import { media } from './record.ts'

/** A form may stay open for a week. */
const daysUnused = 7

const sweep = defineJob('media.delete-unused', Type.Object({}))

/** Deletes what no record has used for a week. */
export function sweepHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    await noteUnused(db)
    const deleted = await inBatches(100, signal, (batch) => deleteUnused(db, batch))
    if (deleted > 0) log.info({ deleted }, 'unused pictures and documents deleted')
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '20 3 * * *', {})

/** Deletes a batch and returns how many; skips those that somebody is about to use. */
export function deleteUnused(db: Database, batch: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rows = await deleteMedia(
      tx,
      sql`m.id = any(array(
        select id from media m where unused_since < now() - make_interval(days => ${sql.lit(daysUnused)})
          and ${isUnused}
        order by unused_since limit ${batch} for update skip locked))`,
    )
    await append(
      tx,
      operator,
      rows.map((row) => ({
        ...{ action: 'media.delete', kind: media, entityId: row.id },
        before: media.auditedValues(row),
      })),
    )
    return rows.length
  })
}
