import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { daysLater } from '../../../platform/time/days.ts'
import { clockInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import { findActeurId } from '../../groups/queries.ts'
import { listNewestOf, listVisible, type NewestOf } from '../../publications/reading/queries.ts'
import { type FollowedPlace, namedPlaces } from '../choices.ts'
import type { Broadcast, Message, NamedPlace } from './broadcast.ts'
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
 * Makes the broadcast of the last Friday for each commune and group that has readers, had published something by then that one of them has not
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
    const rows: Reader[] = await listPlacesWithReaders(db, last, batch)
    for (const { since, ...place } of rows) {
      const newest = await listNewestOf(db, await listOf(db, place), shown)
      const published = newest.filter(({ publie_le }) => publie_le > since && publie_le <= now)
      const ids = published.map(({ id }) => id)
      if (published.some(({ publie_le }) => isOfWeek(publie_le, day)))
        count += await queueOne({ db, jobs }, { place, day, ids, now })
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

/** A place with readers, and the earliest time since which one of them was sent nothing. */
type Reader = FollowedPlace & { since: Date }

async function listPlacesWithReaders(
  db: Database,
  last: { id: string } | null,
  limit: number,
): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select place_id as id, count(group_id) > 0 as "isGroup", min(${sinceOf}) as since from followed_places ch
    where actualites and confirmed_at is not null and place_id > ${afterId(last)}
    group by place_id order by place_id limit ${limit}`.execute(db)
  return rows
}

/** The stored list whose publications a place shows: those for a commune, or those of the acteur of a group. */
async function listOf(db: Database, { id, isGroup }: FollowedPlace): Promise<NewestOf> {
  if (!isGroup) return { commune_id: id }
  return { acteur_id: (await findActeurId(db, id)) ?? id }
}

type Week = { place: FollowedPlace; day: string; ids: string[]; now: Date }

/** Once a place and day, with its job. */
function queueOne(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { place: { id, isGroup }, day, ids, now }: Week,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into broadcasts (id, kind, commune_id, group_id, day, publication_ids, created_at)
      values (${uuidv7()}, 'actualites', ${isGroup ? null : id}, ${isGroup ? id : null}, ${day}, ${ids}::uuid[], ${now})
      on conflict do nothing returning id`.execute(tx)
    for (const { id: broadcastId } of rows) await jobs.enqueue(tx, expandBroadcast, { broadcastId })
    return rows.length
  })
}

/** Reads the publications of a weekly mail that the place still shows; null if there is none. */
export async function findActualites(
  db: Database,
  { id, commune_id, group_id, day, publication_ids }: Broadcast,
): Promise<Message | null> {
  const { rows } = await sql<NamedPlace>`
    select id, nom, path, is_group as "isGroup" from ${namedPlaces} place
    where id = ${commune_id ?? group_id}`.execute(db)
  const [place] = rows
  if (place === undefined) return null
  const publications = await listVisible(db, await listOf(db, place), publication_ids ?? [])
  const [newest] = publications
  if (newest === undefined) return null
  const publishedSince = (since: Date | null) =>
    publications.filter(({ publie_le }) => since === null || publie_le > since)
  return {
    asks: sql<boolean>`(
      ch.confirmed_at is not null and ch.place_id = ${place.id} and ch.actualites
      and ${sinceOf} < ${newest.publie_le})`,
    startsAt: null,
    audited: {
      entity: place.isGroup ? 'group' : 'commune',
      entityId: place.id,
      after: { kind: 'actualites' },
    },
    since: sinceOf,
    mailTo: (recipient) =>
      actualitesMail({ place, day: day ?? '', publications: publishedSince(recipient.since) }, recipient),
    notice: ({ since }) => actualitesNotice({ id, place, publications: publishedSince(since) }),
  }
}
