import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { enqueueLost, handleRow } from '../../platform/jobs/rows.ts'
import type { Deps } from '../../platform/module.ts'
import { acteur } from './record.ts'
import type { ListingRefresh } from './schema.ts'

/**
 * When an acteur is hidden or shown, every reader sees it at once; the stored lists of its publications follow in batches.
 * A trigger does the first one within the change. If more are left, it leaves a row in `listing_refreshes`:
 *
 *   waiting → claimed → deleted when all publications are refreshed
 *                     → replaced by another change of the acteur, which begins again
 *
 * While the row exists, lists are read from the view `current_listings`, which computes those of this acteur. Batches begin
 * where the last one ended, and lock the acteur, so that a retry or a second worker is harmless.
 */
export const refreshJob = defineJob('acteurs.refresh-lists', Type.Object({ refreshId: Type.String() }), {
  retries: 8,
  backoffSeconds: 5,
  timeoutSeconds: 3_600,
})

/** An acteur as a record whose change may hide or show what it published. */
export const hidingActeur = (jobs: Pick<Jobs, 'enqueue'>): typeof acteur => ({
  ...acteur,
  async write(tx, before, values) {
    const after = await acteur.write(tx, before, values)
    await enqueueRefreshes(tx, jobs, [before.id])
    return after
  },
})

/** Enqueues what a change of these acteurs has left to refresh. */
export async function enqueueRefreshes(
  tx: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  acteurIds: string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from listing_refreshes where acteur_id = any(${acteurIds}::uuid[])`.execute(tx)
  for (const { id } of rows) await jobs.enqueue(tx, refreshJob, { refreshId: id }, { singletonKey: id })
}

export function refreshHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handleRow(refreshJob, {
    claim: ({ refreshId }) => findRefreshing(db, refreshId),
    async attempt({ acteur_id }, { signal }) {
      await refreshLists(db, acteur_id, signal)
      log.info({ acteur_id }, 'lists follow the acteur')
    },
    // The row stays: lists go on being computed, and the sweep tries again.
    async giveUp(_row, error) {
      throw error
    },
  })
}

const resume = defineJob('acteurs.resume-refreshes', Type.Object({}))
const most = 100

/** Resumes refreshes whose job was lost or gave up. */
export function resumeRefreshesHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(resume, async () => {
    const { rows } = await sql<{ id: string }>`
      select id from listing_refreshes order by created_at, id limit ${most}`.execute(db)
    const ids = rows.map(({ id }) => id)
    await enqueueLost({ db, jobs }, refreshJob, ids, (refreshId) => ({ refreshId }))
  })
}

export const resumeRefreshesSchedule: Schedule = schedule(resume, '*/10 * * * *', {})

/** Refreshes batch by batch, one transaction each, until no publication of the acteur is left. */
export async function refreshLists(
  db: Database,
  acteurId: string,
  signal: AbortSignal,
  batch = 500,
): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    signal.throwIfAborted()
    const { rows } = await sql<{ is_left: boolean }>`
      select refresh_listings_of(${acteurId}, ${batch}) as is_left`.execute(db)
    isLeft = rows[0]?.is_left ?? false
  }
}

/** Returns the refresh; null if it has ended, or another change of the acteur has replaced it. */
async function findRefreshing(db: Database, id: string): Promise<{ acteur_id: string } | null> {
  const row = await db
    .selectFrom('listing_refreshes')
    .select('acteur_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Returns how far the lists have followed an acteur; null if they are complete. */
export async function findRefresh(db: Database, acteurId: string): Promise<ListingRefresh | null> {
  const row = await db
    .selectFrom('listing_refreshes')
    .select(['total', 'done'])
    .where('acteur_id', '=', acteurId)
    .executeTakeFirst()
  return row ?? null
}
