import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import { cancelRowMail, type ListedMailKind, mailTries, sendRowMail } from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { type EndlessAlerte, reminderMail } from './remind.mail.ts'

/** Days after which the mairie is reminded of an alert that has no end. */
const daysUntilReminder = 7

/**
 * Marks alerts that have been in force without an end for a week, oldest first, and returns their ids. Marks
 * each alert at most once. Skips locked alerts, alerts without a mail address, and alerts of a hidden mairie.
 */
async function markDueReminders(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alertes set email_status = 'queued', email_status_at = now()
    where id = any(array(
      select al.id from alertes al
      where al.fin is null and al.email_status is null
        and al.created_at < now() - make_interval(days => ${daysUntilReminder}::int)
        and coalesce(al.debut, '-infinity') < now() - make_interval(days => ${daysUntilReminder}::int)
        and ${addressOf} is not null
      order by al.created_at limit ${limit} for no key update of al skip locked))
    returning id`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}

/**
 * Reads an alert for its reminder, with the language of the member who has the address; null if it was deleted or has
 * an end.
 */
export async function findEndlessAlerte(db: Database, id: string): Promise<EndlessAlerte | null> {
  const { rows } = await sql<EndlessAlerte>`
    select al.id, al.titre, coalesce(al.debut, al.created_at) as since, one.address, ${mairieOf} as mairie_id,
      coalesce((select c.nom from communes c where c.id = al.commune_id),
        (select a.nom from acteurs a where a.id = al.acteur_id)) as nom,
      coalesce((
        select u.langue from actor_users o join users u on u.id = o.user_id
        where o.acteur_id = ${mairieOf} and u.actif and u.email_verified and u.email = one.address
        order by o.created_at, u.id limit 1), 'fr') as langue
    from alertes al cross join lateral (select ${addressOf} as address) one
    where al.id = ${id} and al.fin is null`.execute(db)
  return rows[0] ?? null
}

const mairieOf = sql`coalesce(
    al.acteur_id, (select c.mairie_actor_id from communes c where c.id = al.commune_id))`

/**
 * The mail address of the mairie, else of the commune, else of the first owner with a verified address. None for the alert
 * of an acteur that is no longer the mairie of a commune, nor that of a group: nobody sees it.
 */
const addressOf = sql<string | null>`(
  select coalesce(
    nullif(trim(m.email), ''),
    (select nullif(trim(i.valeur), '') from communes c join commune_infos i on i.commune_id = c.id
     where (c.id = al.commune_id or c.mairie_actor_id = al.acteur_id) and i.cle = 'email'
     order by i.position limit 1),
    (select u.email from actor_users o join users u on u.id = o.user_id
     where o.acteur_id = m.id and o.role = 'owner' and u.actif and u.email_verified
     order by o.created_at, u.id limit 1))
  from (select) one
  left join acteurs m on m.active and m.deleted_at is null and m.id = ${mairieOf}
  where al.acteur_id is null or m.id is not null and (
    exists (select from communes c where c.mairie_actor_id = al.acteur_id)
    or exists (select from groups g where g.acteur_id = al.acteur_id)))`

const findDue = defineJob('alertes.find-due-reminders', Type.Object({}))
const remind = defineJob('alertes.remind-mairie', Type.Object({ alerteId: Type.String() }), mailTries)

export const reminderMails: ListedMailKind = {
  name: 'alerte_reminder',
  named: 'alerte-reminder-',
  table: 'alertes',
  queue: remind.name,
  title: { fr: 'Rappel d’une alerte sans date de fin', en: 'Reminder about an alert without an end' },
  entity: 'alerte',
  area: 'alertes',
  recordId: sql`m.id`,
  recordName: sql`m.titre`,
  recipient: sql`(select ${addressOf} from alertes al where al.id = m.id)`,
  isNeeded: sql`(m.fin is null)`,
  enqueue: (tx, jobs, alerteId) => jobs.enqueue(tx, remind, { alerteId }),
}

export function findDueHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(findDue, async (_payload, { signal }) => {
    const queued = await queueReminders({ db, jobs }, signal)
    if (queued > 0) log.info({ queued }, 'reminders of alerts without an end queued')
  })
}

/** Marks alerts with a due reminder and enqueues a job for each, in the same transaction. */
export async function queueReminders(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  signal: AbortSignal,
): Promise<number> {
  return inBatches(200, signal, (batch) =>
    db.transaction().execute(async (tx: Database) => {
      const due = await markDueReminders(tx, batch)
      for (const alerteId of due) await jobs.enqueue(tx, remind, { alerteId })
      return due.length
    }),
  )
}

export function remindHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(remind, async ({ alerteId }, context) => {
    const alerte = await findEndlessAlerte(db, alerteId)
    const address = alerte?.address == null ? null : parseMailAddress(alerte.address)
    if (alerte === null || address === null) return cancelRowMail(db, reminderMails, alerteId)
    const page = alerte.mairie_id === null ? null : spaceAddress(config, alerte.mairie_id, 'alertes')
    const mail = reminderMail(alerte, address, { from: config.mail.from, page })
    await sendRowMail({ db, mailer }, reminderMails, alerteId, mail, context)
  })
}

export const reminderSchedule: Schedule = schedule(findDue, '10 9 * * *', {})
