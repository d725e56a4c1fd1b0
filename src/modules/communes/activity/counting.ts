import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'

const count = defineJob('communes.count-activity', Type.Object({}))

/** Counts how much each commune is used, in batches. */
export function countingHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(count, (_payload, { signal }) => countActivity(db, signal))
}

export const countingSchedule: Schedule = schedule(count, '*/10 * * * *', {}, { atOnce: true })

export async function countActivity(db: Database, signal: AbortSignal): Promise<void> {
  let last: { id: string } | null = null
  await inBatches(2_000, signal, async (batch) => {
    const { rows } = await sql<{ id: string }>`
      select id from communes where id > ${afterId(last)} order by id limit ${batch}`.execute(unprepared(db))
    await storeActivity(
      db,
      rows.map(({ id }) => id),
    )
    last = rows.at(-1) ?? null
    return rows.length
  })
  await sql`
    delete from commune_activity a where not exists (select from communes c where c.id = a.id)`.execute(db)
  await sql`
    insert into commune_activity_counted (at) values (now())
    on conflict (only_one) do update set at = excluded.at`.execute(db)
}

/** Stores what the lists of these communes show now. Unchanged rows are not written. */
async function storeActivity(db: Database, ids: string[]): Promise<void> {
  await sql`
    with alerted as (
      select p.commune_id, max(coalesce(al.debut, al.created_at)) as at
      from alerte_places p join alertes al on al.id = p.alerte_id
      where p.commune_id = any(${ids}::uuid[]) and coalesce(al.debut, al.created_at) <= now()
      group by p.commune_id)
    insert into commune_activity as a (
      id, nom, sort_name, code_insee, departement, last_message_at, collectes, subscribers)
    select c.id, c.nom, c.sort_name, c.code_insee, c.departement, greatest(alerted.at, published.at),
      (select count(*) from collectes k where k.commune_id = c.id),
      (select count(*) from resident_choices ch join resident_subscribers s on s.id = ch.subscriber_id
        where ch.commune_id = c.id and ch.confirmed_at is not null and s.is_proven)
    from communes c
    left join alerted on alerted.commune_id = c.id
    left join lateral (
      select l.publie_le as at from publication_listings l
      where l.commune_id = c.id and l.publie_le <= now() order by l.publie_le desc limit 1) published on true
    where c.id = any(${ids}::uuid[]) order by c.id
    on conflict (id) do update set nom = excluded.nom, sort_name = excluded.sort_name, code_insee = excluded.code_insee,
      departement = excluded.departement, last_message_at = excluded.last_message_at, collectes = excluded.collectes,
      subscribers = excluded.subscribers
    where (a.nom, a.code_insee, a.departement, a.last_message_at, a.collectes, a.subscribers) is distinct from (
      excluded.nom, excluded.code_insee, excluded.departement, excluded.last_message_at, excluded.collectes,
      excluded.subscribers)`.execute(unprepared(db))
}
