import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { messageIdOf } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { directMails, oneMail, sendDirectMail } from '../../../platform/mail/direct-mails.ts'
import { spaceAddress } from '../../../platform/mail/space.ts'
import type { Deps } from '../../../platform/module.ts'
import { notifyAdministrators } from '../../users/administrators.ts'
import { type NoticeKind, webhookNotice } from './notice.mail.ts'

const mailOwner = defineJob(
  'webhooks.mail-owner',
  Type.Object({
    acteurId: Type.String(),
    userId: Type.String(),
    key: Type.String(),
    subject: Type.String(),
    text: Type.String(),
  }),
  oneMail,
)

export const ownerMails = directMails({
  job: mailOwner,
  name: 'webhook_notice',
  title: { fr: 'Avis sur un webhook', en: 'Notice about a webhook' },
})

/** A webhook as a mail names it. */
type Failing = { id: string; acteur_id: string | null; url: string; since: Date }

/** Enqueues a mail to the owners of the acteur, or to administrators, in the transaction of the attempt. */
export async function notifyOwners(
  tx: Database,
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  kind: NoticeKind,
  { id, acteur_id, url, since }: Failing,
): Promise<void> {
  const host = URL.parse(url)?.host ?? ''
  const page = acteur_id === null ? null : spaceAddress(config, acteur_id)
  const notice = webhookNotice(kind, { id, host, since }, page)
  if (acteur_id === null) return notifyAdministrators(tx, { jobs }, notice)
  for (const { id: userId, langue } of await listOwners(tx, acteur_id)) {
    const mail = { acteurId: acteur_id, userId, key: notice.key, ...notice[langue] }
    await jobs.enqueue(tx, mailOwner, mail, { singletonKey: `${notice.key}-${userId}` })
  }
}

/** Sends the mail. Skips former owners. */
export function mailOwnerHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailOwner, async ({ acteurId, userId, key, subject, text }, context) => {
    const owner = (await listOwners(db, acteurId)).find(({ id }) => id === userId)
    if (owner === undefined) return
    const messageId = messageIdOf(`${key}-${userId}`, config.mail.from)
    const mail = { messageId, to: owner.email, subject, text }
    await sendDirectMail(deps, ownerMails, { userId }, mail, context)
  })
}

type Recipient = { id: string; email: string; langue: 'fr' | 'en' }

/** Lists the owners of an acteur with a verified address, at most ten. */
async function listOwners(db: Database, acteurId: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id, u.email, u.langue from actor_users o join users u on u.id = o.user_id
    where o.acteur_id = ${acteurId} and o.role = 'owner' and u.actif and u.email_verified and u.email is not null
    order by o.created_at, u.id limit 10`.execute(db)
  return rows
}
