import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import {
  deleteRowMail,
  type ListedMailKind,
  mailHoldMs,
  mailTries,
  sendRowMail,
} from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { type HiddenAlerte, hiddenMail } from './hiding.mail.ts'

/** Tells a member of the team of a group that a mairie hides its alert. */
const mailOfHiding = defineJob('alertes.tell-of-hiding', Type.Object({ mailId: Type.String() }), mailTries)

/** Condition: user `u` may write alert `al` for its group, as a member `o` of the team, and has a verified address. */
const isTold = sql<boolean>`(u.email_verified and u.actif
  and (o.role = 'owner' or o.permissions && array['manage_commune', 'publish_publications']))`

/** The mails whose recipient can still get them. One whose commune shows the alert again does not exist any more. */
const neededMail = sql`
  select m.id, al.titre, c.nom as commune, u.nom, u.email as address, u.langue
  from alerte_hiding_mails m join alertes al on al.id = m.alerte_id join communes c on c.id = m.commune_id
  join users u on u.id = m.user_id join actor_users o on o.acteur_id = al.acteur_id and o.user_id = u.id
  where ${isTold}`

/** Returns a mail with its recipient; null if it is no longer needed. */
export async function findMail(db: Database, id: string): Promise<HiddenAlerte | null> {
  const { rows } = await sql<HiddenAlerte>`${neededMail} and m.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export const hidingMails: ListedMailKind = {
  name: 'alerte_hiding',
  named: 'alerte-hidden-',
  table: 'alerte_hiding_mails',
  queue: mailOfHiding.name,
  title: { fr: 'Alerte masquée par une mairie', en: 'Alert hidden by a mairie' },
  entity: 'alerte',
  area: 'alertes',
  holdMs: mailHoldMs,
  recordId: sql`m.alerte_id`,
  recordName: sql`(select al.titre from alertes al where al.id = m.alerte_id)`,
  recipient: sql`(select u.email from users u where u.id = m.user_id)`,
  isNeeded: sql`exists (select from (${neededMail}) needed where needed.id = m.id)`,
  enqueue: (tx, jobs, mailId) => jobs.enqueue(tx, mailOfHiding, { mailId }),
}

/**
 * Enqueues a mail to each member who writes alerts of the group, except the caller, with a delay in which showing it again
 * can take it back.
 */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { alerteId, communeId }: { alerteId: string; communeId: string },
): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select u.id as user_id
    from alertes al join actor_users o on o.acteur_id = al.acteur_id join users u on u.id = o.user_id
    where al.id = ${alerteId} and ${isTold} and u.id <> ${user.id} order by u.id`.execute(tx)
  if (rows.length === 0) return
  const mails = rows.map((row) => ({ id: uuidv7(), ...row }))
  await sql`
    insert into alerte_hiding_mails (id, alerte_id, commune_id, user_id)
    select m.id, ${alerteId}, ${communeId}, m.user_id
    from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as m (id uuid, user_id uuid)`.execute(tx)
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const { id: mailId } of mails) await jobs.enqueue(tx, mailOfHiding, { mailId }, { startAfter })
}

export function mailOfHidingHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(mailOfHiding, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null) return deleteRowMail(db, hidingMails, mailId)
    const mail = hiddenMail(found, address, config.mail.from)
    await sendRowMail({ db, mailer }, hidingMails, mailId, mail, context)
  })
}
