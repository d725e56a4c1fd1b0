import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import { publication } from '../record.ts'

const expire = defineJob('publications.expire-reports', Type.Object({}))

/** Closes reports that say only that an event is wrong or published twice, once it has been over for thirty days. */
export function expireReportsHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(expire, async (_payload, { signal }) => {
    await inBatches(100, signal, (batch) => expireReports(db, batch))
  })
}

export const expireReportsSchedule: Schedule = schedule(expire, '23 3 * * *', {})

/** Closes the open reports of a batch of publications. Returns how many publications. */
export function expireReports(db: Database, batch: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Skips locked publications: somebody decides about them now.
    const { rows } = await sql<{ id: string }>`
      select p.id from publications p
      where p.deleted_at is null and greatest(p.date_debut, p.date_fin, p.jours[cardinality(p.jours)]) < current_date - 30
        and p.id in (
          select r.publication_id from publication_reports r where r.closed_at is null
          group by r.publication_id having bool_and(coalesce(r.category in ('wrong', 'duplicate'), false)))
      order by p.id limit ${batch} for no key update skip locked`.execute(unprepared(tx))
    const { rows: closed } = await sql<{ publication_id: string; count: number }>`
      with closed as (
        update publication_reports set closed_at = now(), closed_as = 'expired'
        where publication_id = any(${rows.map(({ id }) => id)}::uuid[]) and closed_at is null
          and category in ('wrong', 'duplicate') returning publication_id)
      select publication_id, count(*)::int as count from closed group by publication_id`.execute(tx)
    await append(
      tx,
      operator,
      closed.map(({ publication_id, count }) => ({
        action: 'publication.close_reports',
        kind: publication,
        entityId: publication_id,
        after: { reports_closed: count },
      })),
    )
    return rows.length
  })
}
