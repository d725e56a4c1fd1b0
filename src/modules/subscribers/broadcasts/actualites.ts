import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { daysLater } from '../../../platform/time/days.ts'
import { clockInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import { listNewestOf, listVisible } from '../../publications/reading/queries.ts'
import type { Broadcast, Message } from './broadcast.ts'
import { expandBroadcast } from './expand-job.ts'
import { actualitesMail } from './mail.ts'
import { actualitesNotice } from './notice.ts'

const shown = 100
const queueWeekly = defineJob('subscribers.queue-actualites', Type.Object({}), { timeoutSeconds: 3_600 })

/** The hours of Friday in which a week ends: what is published later belongs to the next one. */
const [firstHour, lastHour] = [16, 20]
/** Fridays at 16:00, then again until Sunday evening for those that an interruption left out. */
export const weeklySchedules: readonly Schedule[] = [
  schedule(queueWeekly, `0 ${firstHour}-${lastHour} * * 5`, {}),
  schedule(queueWeekly, '0 9-20 * * 6,0', {}),
]

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock'>

export function weeklyHandler(tools: Tools): Handler {
  return handle(queueWeekly, (_payload, { signal }) => queueWeeklyMails(tools, signal))
}

/**
 * Makes the broadcast of the last Friday for each commune that has readers, had published something by then that one of them has not
 * been sent, and has no broadcast of that day. Returns how many were missing.
 */
export async function queueWeeklyMails(
  { db, jobs, clock }: Tools,
  signal: AbortSignal,
  batch = 100,
): Promise<number> {
  const now = clock()
  const day = lastFriday(now)
  let count = 0
  for (let last: { id: string } | null = null; ; ) {
    signal.throwIfAborted()
    const rows: Reader[] = await listCommunesWithReaders(db, last, batch)
    for (const { id: commune_id, since } of rows) {
      const newest = await listNewestOf(db, commune_id, shown)
      const published = newest.filter(({ publie_le }) => publie_le > since && publie_le <= now)
      const ids = published.map(({ id }) => id)
      if (published.some(({ publie_le }) => isOfWeek(publie_le, day)))
        count += await queueOne({ db, jobs }, { commune_id, day, ids, now })
    }
    if (rows.length < batch) return count
    last = rows.at(-1) ?? null
  }
}

/** The Friday whose message was due last. */
function lastFriday(now: Date): string {
  const today = todayInParis(now)
  const daysSince = (new Date(`${today}T12:00:00Z`).getUTCDay() + 2) % 7
  return daysLater(today, daysSince === 0 && hourInParis(now) < firstHour ? -7 : -daysSince)
}

function isOfWeek(publie_le: Date, friday: string): boolean {
  const day = todayInParis(publie_le)
  return day < friday || (day === friday && hourInParis(publie_le) <= lastHour)
}

const hourInParis = (moment: Date) => Number(clockInParis(moment).slice(0, 2))

/**
 * Until when the last message of a choice `ch` covered what was published. Before the first: a week before it was confirmed. The time
 * is stored since a version of the service; what was sent before is found by its delivery, as long as that is kept.
 */
const sinceOf = sql<Date>`coalesce(ch.actualites_until, (
    select max(b.created_at) from broadcast_deliveries d join broadcasts b on b.id = d.broadcast_id
    where d.subscriber_id = ch.subscriber_id and d.status = 'sent' and b.kind = 'actualites' and b.commune_id = ch.commune_id),
  greatest(ch.confirmed_at - interval '7 days', now() - interval '3 months'))`

/** A commune with readers, and the earliest time since which one of them was sent nothing. */
type Reader = { id: string; since: Date }

async function listCommunesWithReaders(
  db: Database,
  last: { id: string } | null,
  limit: number,
): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select commune_id as id, min(${sinceOf}) as since from resident_choices ch
    where actualites and confirmed_at is not null and commune_id > ${afterId(last)}
    group by commune_id order by commune_id limit ${limit}`.execute(db)
  return rows
}

type Week = { commune_id: string; day: string; ids: string[]; now: Date }

/** Once a commune and day, with its job. */
function queueOne(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { commune_id, day, ids, now }: Week,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into broadcasts (id, kind, commune_id, day, publication_ids, created_at)
      values (${uuidv7()}, 'actualites', ${commune_id}, ${day}, ${ids}::uuid[], ${now})
      on conflict do nothing returning id`.execute(tx)
    for (const { id: broadcastId } of rows) await jobs.enqueue(tx, expandBroadcast, { broadcastId })
    return rows.length
  })
}

/** Reads the publications of a weekly mail that the commune still shows; null if there is none. */
export async function findActualites(
  db: Database,
  { id, commune_id, day, publication_ids }: Broadcast,
): Promise<Message | null> {
  const { rows } = await sql<{ id: string; nom: string; slug: string }>`
    select id, nom, slug from communes where id = ${commune_id}`.execute(db)
  const [commune] = rows
  if (commune === undefined) return null
  const publications = await listVisible(db, commune.id, publication_ids ?? [])
  const [newest] = publications
  if (newest === undefined) return null
  const publishedSince = (since: Date | null) =>
    publications.filter(({ publie_le }) => since === null || publie_le > since)
  return {
    asks: sql<boolean>`(
      ch.confirmed_at is not null and ch.commune_id = ${commune_id} and ch.actualites
      and ${sinceOf} < ${newest.publie_le})`,
    startsAt: null,
    audited: { entity: 'commune', entityId: commune.id, after: { kind: 'actualites' } },
    since: sinceOf,
    mailTo: (recipient) =>
      actualitesMail({ commune, day: day ?? '', publications: publishedSince(recipient.since) }, recipient),
    notice: ({ since }) => actualitesNotice({ id, commune, publications: publishedSince(since) }),
  }
}
