import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { listNewestOf, listVisible } from '../../publications/reading/queries.ts'
import type { Broadcast, Message } from './broadcast.ts'
import { expandBroadcast } from './expand-job.ts'
import { actualitesMail } from './mail.ts'
import { actualitesNotice } from './notice.ts'

const shown = 20
const queueWeekly = defineJob('subscribers.queue-actualites', Type.Object({}), { timeoutSeconds: 3_600 })

/** Fridays at 16:00, and again until 20:00 for those that an interruption left out. */
export const weeklySchedule: Schedule = schedule(queueWeekly, '0 16-20 * * 5', {})

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock'>

export function weeklyHandler(tools: Tools): Handler {
  return handle(queueWeekly, (_payload, { signal }) => queueWeeklyMails(tools, signal))
}

/** Makes the broadcast of the week for each commune that has readers and has published something within seven days. */
export async function queueWeeklyMails(
  { db, jobs, clock }: Tools,
  signal: AbortSignal,
  batch = 100,
): Promise<void> {
  const now = clock()
  const day = todayInParis(now)
  for (let last: { id: string } | null = null; ; ) {
    signal.throwIfAborted()
    const rows: Reader[] = await listCommunesWithReaders(db, last, now, batch)
    for (const { id: commune_id, since } of rows) {
      const newest = await listNewestOf(db, commune_id, shown)
      const ids = newest.flatMap(({ id, publie_le }) => (publie_le > since ? [id] : []))
      if (ids.length > 0) await queueOne({ db, jobs }, { commune_id, day, ids, now })
    }
    if (rows.length < batch) return
    last = rows.at(-1) ?? null
  }
}

/** A commune with readers, and the time of its last mail; of a week ago, if that is longer ago. */
type Reader = { id: string; since: Date }

async function listCommunesWithReaders(
  db: Database,
  last: { id: string } | null,
  now: Date,
  limit: number,
): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select c.id, greatest(${now}::timestamptz - interval '8 days', coalesce(
      (select max(b.created_at) from broadcasts b where b.commune_id = c.id and b.kind = 'actualites'),
      ${now}::timestamptz - interval '7 days')) as since
    from (
      select distinct commune_id as id from resident_choices
      where actualites and confirmed_at is not null and commune_id > ${afterId(last)}
      order by commune_id limit ${limit}) c
    order by c.id`.execute(db)
  return rows
}

type Week = { commune_id: string; day: string; ids: string[]; now: Date }

/** Once a commune and day, with its job. */
function queueOne(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { commune_id, day, ids, now }: Week,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into broadcasts (id, kind, commune_id, day, publication_ids, created_at)
      values (${uuidv7()}, 'actualites', ${commune_id}, ${day}, ${ids}::uuid[], ${now})
      on conflict do nothing returning id`.execute(tx)
    for (const { id: broadcastId } of rows) await jobs.enqueue(tx, expandBroadcast, { broadcastId })
  })
}

/** Reads the publications of a weekly mail that are still visible; null if there is none. */
export async function findActualites(
  db: Database,
  { id, commune_id, day, publication_ids }: Broadcast,
): Promise<Message | null> {
  const { rows } = await sql<{ id: string; nom: string; slug: string }>`
    select id, nom, slug from communes where id = ${commune_id}`.execute(db)
  const [commune] = rows
  if (commune === undefined) return null
  const publications = await listVisible(db, publication_ids ?? [])
  if (publications.length === 0) return null
  return {
    asks: sql<boolean>`(ch.confirmed_at is not null and ch.commune_id = ${commune_id} and ch.actualites)`,
    startsAt: null,
    audited: { entity: 'commune', entityId: commune.id, after: { kind: 'actualites' } },
    mailTo: (recipient) => actualitesMail({ commune, day: day ?? '', publications }, recipient),
    notice: actualitesNotice({ id, commune, publications }),
  }
}
