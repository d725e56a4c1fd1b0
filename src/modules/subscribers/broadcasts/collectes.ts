import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { daysLater } from '../../../platform/time/days.ts'
import { clockInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import { calendarBetween } from '../../communes/calendar.ts'
import { listCollectes } from '../../communes/queries.ts'
import { inSecteur, listSecteurs, presentName } from '../../communes/secteurs/names.ts'
import type { Broadcast, DayOfCollectes, Message } from './broadcast.ts'
import { expandBroadcast } from './expand-job.ts'
import { collectesMail } from './mail.ts'
import { collectesNotice } from './notice.ts'

const queueReminders = defineJob('subscribers.queue-collectes', Type.Object({}), { timeoutSeconds: 3_600 })

/** From noon of the day before until the morning, in Paris, whose clock changes: again for those that an interruption left out. */
export const remindersSchedule: Schedule = schedule(queueReminders, '0,20,40 0-6,12-23 * * *', {})
const firstHour = 12
/** The hour of a collection's day from which a reminder comes too late. */
const morning = 7

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock'>
type Due = { commune_id: string; secteur: string | null }

export function remindersHandler(tools: Tools): Handler {
  return handle(queueReminders, (_payload, { signal }) => queueCollecteReminders(tools, signal))
}

/**
 * Makes the reminders of tomorrow’s collections for those who chose the present hour or an earlier one; in the night, of today’s.
 * Returns how many were missing, by commune, secteur and hour.
 */
export async function queueCollecteReminders(
  { db, jobs, clock }: Tools,
  signal: AbortSignal,
  batch = 100,
): Promise<number> {
  const now = clock()
  const present = hourInParis(now)
  const isNight = present < morning
  const day = isNight ? todayInParis(now) : daysLater(todayInParis(now), 1)
  let count = 0
  for (let hour = firstHour; hour <= (isNight ? 23 : present); hour++)
    count += await queueOfHour({ db, jobs }, { day, hour }, signal, batch)
  return count
}

async function queueOfHour(
  tools: Pick<Deps, 'db' | 'jobs'>,
  { day, hour }: Pick<Of, 'day' | 'hour'>,
  signal: AbortSignal,
  batch: number,
): Promise<number> {
  let count = 0
  for (let last: Due = { commune_id: firstId, secteur: null }; ; ) {
    signal.throwIfAborted()
    const { rows }: { rows: Due[] } = await sql<Due>`
      select distinct commune_id, collectes_secteur as secteur from resident_choices ch
      where collectes_hour = ${hour} and confirmed_at is not null
        and (commune_id, coalesce(collectes_secteur, '')) > (${last.commune_id}::uuid, ${last.secteur ?? ''})
        and not exists (
          select from broadcasts b where b.commune_id = ch.commune_id and b.kind = 'collectes' and b.day = ${day}
            and b.hour = ${hour} and coalesce(b.secteur, '') = coalesce(ch.collectes_secteur, ''))
      order by commune_id, secteur nulls first limit ${batch}`.execute(tools.db)
    for (const { commune_id, secteur } of rows) {
      const of = { commune_id, secteur, day, hour }
      if ((await listOfDay(tools.db, of)) !== null) count += await queueOne(tools, of)
    }
    if (rows.length < batch) return count
    last = rows.at(-1) ?? last
  }
}

const hourInParis = (now: Date) => Number(clockInParis(now).slice(0, 2))

const firstId = '00000000-0000-0000-0000-000000000000'
type Of = Due & { day: string; hour: number }

function queueOne({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, { commune_id, secteur, day, hour }: Of) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into broadcasts (id, kind, commune_id, day, hour, secteur)
      values (${uuidv7()}, 'collectes', ${commune_id}, ${day}, ${hour}, ${secteur})
      on conflict do nothing returning id`.execute(tx)
    for (const { id: broadcastId } of rows) await jobs.enqueue(tx, expandBroadcast, { broadcastId })
    return rows.length
  })
}

/**
 * Returns the collections of a day: those of the whole commune and of the secteur, or of all secteurs for who chose none.
 * Null if there is none, or the commune is gone.
 */
async function listOfDay(
  db: Database,
  { commune_id, secteur, day }: Pick<Of, 'commune_id' | 'secteur' | 'day'>,
): Promise<DayOfCollectes | null> {
  const { rows } = await sql<DayOfCollectes['commune'] & { departement: string }>`
    select id, nom, slug, departement from communes where id = ${commune_id}`.execute(db)
  const [commune] = rows
  if (commune === undefined) return null
  const all = await listCollectes(db, commune_id)
  const present = secteur && presentName(secteur, all, await listSecteurs(db, commune_id))
  const collectes = (present === null ? all : inSecteur(all, present)).flatMap((one) => {
    const { days } = calendarBetween(one, { from: day, to: day, departement: commune.departement })
    const passage = days.find(({ etat }) => etat === 'passage' || etat === 'reportee_ici')
    const { libelle, secteur, consignes } = one
    return passage === undefined ? [] : [{ libelle, secteur, consignes, jour_ferie: passage.jour_ferie }]
  })
  if (collectes.length === 0) return null
  const names = collectes.map(({ libelle, secteur }) =>
    present === null && secteur !== null ? `${libelle} (${secteur})` : libelle,
  )
  return {
    commune,
    day,
    collectes,
    names: [...new Set(names)],
    lostSecteur: present === null ? secteur : null,
  }
}

/** Reads the collections of a reminder; null if they were cancelled, or their morning has come. */
export async function findCollectes(
  db: Database,
  { id, commune_id, day, hour, secteur }: Broadcast,
  now: Date,
): Promise<Message | null> {
  const today = todayInParis(now)
  const isToday = day === today
  if (commune_id === null || day === null || day < today || (isToday && hourInParis(now) >= morning))
    return null
  const passages = await listOfDay(db, { commune_id, secteur, day })
  if (passages === null) return null
  // Reminds a subscriber once who has chosen another hour since.
  const isReminded = sql<boolean>`exists (
    select from broadcast_deliveries d join broadcasts b on b.id = d.broadcast_id
    where d.subscriber_id = ch.subscriber_id and b.id <> ${id}
      and b.kind = 'collectes' and b.commune_id = ${commune_id} and b.day = ${day})`
  return {
    asks: sql<boolean>`(
      ch.confirmed_at is not null and ch.commune_id = ${commune_id} and ch.collectes_hour = ${hour}
      and ch.collectes_secteur is not distinct from ${secteur} and not ${isReminded})`,
    startsAt: null,
    audited: { entity: 'commune', entityId: commune_id, after: { kind: 'collectes' } },
    mailTo: (recipient) => collectesMail({ ...passages, isToday }, recipient),
    notice: () => collectesNotice(id, { ...passages, isToday }),
  }
}
