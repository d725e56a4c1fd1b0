import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { titled } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionAfterMonths, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps, Retention } from '../../platform/module.ts'

/**
 * Residents whom communes gained and lost. Triggers add a row to `subscriber_changes` with each change, so that no sign-up waits
 * for another; each night the rows of a month become one.
 */
export const SubscriberChanges = titled('SubscriberChanges', {
  since: Type.String({
    format: 'date',
    description: 'The first day that was counted; nothing is known of those before',
    examples: ['2026-11-28'],
  }),
  months: Type.Array(
    titled('SubscribersOfMonth', {
      month: Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-11'] }),
      gained: Type.Integer({ description: 'Confirmed', examples: [41] }),
      lost: Type.Integer({ description: 'Left, or no longer reachable', examples: [3] }),
    }),
    { description: 'The last twelve months that were counted, the newest first' },
  ),
})
export type SubscriberChanges = Static<typeof SubscriberChanges>

/** Returns what changed for these communes in the last twelve months, but in none before the counting began. */
export async function readChanges(
  db: Database,
  communeIds: RawBuilder<string[] | null>,
): Promise<SubscriberChanges> {
  const { rows } = await sql<SubscriberChanges>`
    select c.since::date::text as since, (
      select json_agg(json_build_object(
        'month', to_char(m.month, 'YYYY-MM'), 'gained', coalesce(n.gained, 0), 'lost', coalesce(n.lost, 0))
        order by m.month desc)
      from generate_series(greatest(date_trunc('month', c.since), c.present - interval '11 months'), c.present,
        interval '1 month') m(month)
      left join (
        select s.month, sum(s.gained) as gained, sum(s.lost) as lost from subscriber_changes s
        where s.commune_id = any(${communeIds}) group by s.month) n on n.month = m.month::date) as months
    from (
      select since at time zone 'Europe/Paris' as since,
        date_trunc('month', now() at time zone 'Europe/Paris') as present
      from subscriber_counting) c`.execute(db)
  return rows[0] as SubscriberChanges
}

const addUp = defineJob('subscribers.add-up-changes', Type.Object({}))

export function addUpHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(addUp, (_payload, { signal }) => inBatches(500, signal, (batch) => addUpChanges(db, batch)))
}

export const addUpSchedule: Schedule = schedule(addUp, '35 3 * * *', {})

/** Makes one row of those of a commune and month, for a batch of them. Rows that are inserted meanwhile stay. Returns how many. */
export async function addUpChanges(db: Database, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with several as (
      select commune_id, month from subscriber_changes group by commune_id, month having count(*) > 1
      order by commune_id, month limit ${batch}),
    removed as (
      delete from subscriber_changes s using several where (s.commune_id, s.month) = (several.commune_id, several.month)
      returning s.commune_id, s.month, s.gained, s.lost)
    insert into subscriber_changes (commune_id, month, gained, lost)
    select commune_id, month, sum(gained), sum(lost) from removed group by commune_id, month`.execute(
    unprepared(db),
  )
  return Number(numAffectedRows)
}

/** As long as broadcasts, which count what was sent. */
export const changesRetention: Retention = {
  name: 'subscriber_changes',
  months: 24,
  sweep: deletionAfterMonths('subscriber_changes', 'month'),
}
