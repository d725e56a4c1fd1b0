import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { clockInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import { calendarBetween, daysLater } from '../../communes/calendar.ts'
import { listCollectes } from '../../communes/queries.ts'
import type { Broadcast, Message, Tomorrow } from './broadcast.ts'
import { expandBroadcast } from './expand-job.ts'
import { collectesMail } from './mail.ts'
import { collectesNotice } from './notice.ts'

const queueReminders = defineJob('subscribers.queue-collectes', Type.Object({}), { timeoutSeconds: 3_600 })

/** Each hour of the evening in Paris, whose clock changes, and again for those that an interruption left out. */
export const remindersSchedule: Schedule = schedule(queueReminders, '0,20,40 12-22 * * *', {})

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock'>
type Due = { commune_id: string; secteur: string | null }

export function remindersHandler(tools: Tools): Handler {
  return handle(queueReminders, (_payload, { signal }) => queueCollecteReminders(tools, signal))
}

/** Makes the reminders of tomorrow’s collections for those who chose the present hour, by commune and secteur. */
export async function queueCollecteReminders(
  { db, jobs, clock }: Tools,
  signal: AbortSignal,
  batch = 100,
): Promise<void> {
  const now = clock()
  const day = daysLater(todayInParis(now), 1)
  const hour = Number(clockInParis(now).slice(0, 2))
  for (let last: Due = { commune_id: firstId, secteur: null }; ; ) {
    signal.throwIfAborted()
    const { rows }: { rows: Due[] } = await sql<Due>`
      select distinct commune_id, collectes_secteur as secteur from resident_choices
      where collectes_hour = ${hour} and confirmed_at is not null
        and (commune_id, coalesce(collectes_secteur, '')) > (${last.commune_id}::uuid, ${last.secteur ?? ''})
      order by commune_id, secteur nulls first limit ${batch}`.execute(db)
    for (const { commune_id, secteur } of rows) {
      const of = { commune_id, secteur, day, hour }
      if ((await listTomorrow(db, of)) !== null) await queueOne({ db, jobs }, of)
    }
    if (rows.length < batch) return
    last = rows.at(-1) ?? last
  }
}

const firstId = '00000000-0000-0000-0000-000000000000'
type Of = Due & { day: string; hour: number }

function queueOne({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, { commune_id, secteur, day, hour }: Of) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into broadcasts (id, kind, commune_id, day, hour, secteur)
      values (${uuidv7()}, 'collectes', ${commune_id}, ${day}, ${hour}, ${secteur})
      on conflict do nothing returning id`.execute(tx)
    for (const { id: broadcastId } of rows) await jobs.enqueue(tx, expandBroadcast, { broadcastId })
  })
}

/**
 * Returns the collections of a day: those of the whole commune and of the secteur, or of all secteurs for who chose none.
 * Null if there is none, or the commune is gone.
 */
async function listTomorrow(
  db: Database,
  { commune_id, secteur, day }: Pick<Of, 'commune_id' | 'secteur' | 'day'>,
): Promise<Tomorrow | null> {
  const { rows } = await sql<Tomorrow['commune'] & { departement: string }>`
    select id, nom, slug, departement from communes where id = ${commune_id}`.execute(db)
  const [commune] = rows
  if (commune === undefined) return null
  const all = await listCollectes(db, commune_id)
  const isLost = secteur !== null && !all.some((one) => one.secteur === secteur)
  const isOfAll = secteur === null || isLost
  const collectes = all
    .filter((one) => isOfAll || one.secteur === null || one.secteur === secteur)
    .flatMap((one) => {
      const { days } = calendarBetween(one, { from: day, to: day, departement: commune.departement })
      const passage = days.find(({ etat }) => etat === 'passage' || etat === 'reportee_ici')
      const { libelle, secteur, consignes } = one
      return passage === undefined ? [] : [{ libelle, secteur, consignes, jour_ferie: passage.jour_ferie }]
    })
  if (collectes.length === 0) return null
  const names = collectes.map(({ libelle, secteur }) =>
    isOfAll && secteur !== null ? `${libelle} (${secteur})` : libelle,
  )
  return { commune, day, collectes, names: [...new Set(names)], lostSecteur: isLost ? secteur : null }
}

/** Reads the collections of a reminder; null if they were cancelled, or their day has come. */
export async function findCollectes(
  db: Database,
  { id, commune_id, day, hour, secteur }: Broadcast,
  now: Date,
): Promise<Message | null> {
  if (commune_id === null || day === null || day <= todayInParis(now)) return null
  const tomorrow = await listTomorrow(db, { commune_id, secteur, day })
  if (tomorrow === null) return null
  return {
    asks: sql<boolean>`(
      ch.confirmed_at is not null and ch.commune_id = ${commune_id} and ch.collectes_hour = ${hour}
      and ch.collectes_secteur is not distinct from ${secteur})`,
    startsAt: null,
    audited: { entity: 'commune', entityId: commune_id, after: { kind: 'collectes' } },
    mailTo: (recipient) => collectesMail(tomorrow, recipient),
    notice: collectesNotice(id, tomorrow),
  }
}
