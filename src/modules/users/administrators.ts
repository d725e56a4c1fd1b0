import { sql } from 'kysely'
import Type from 'typebox'
import { ownIssuer } from '../../platform/access/tokens.ts'
import type { Database } from '../../platform/database/connect.ts'
import { messageIdOf } from '../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { directMails, oneMail, sendDirectMail } from '../../platform/mail/direct-mails.ts'
import type { Deps } from '../../platform/module.ts'

/** A notice for administrators. Its key determines the Message-ID, so that retries keep it. */
export type Notice = { key: string; fr: NoticeText; en: NoticeText }
type NoticeText = { subject: string; text: string }

export const mailAdministrator = defineJob(
  'users.mail-administrator',
  Type.Object({
    userId: Type.String(),
    key: Type.String({ pattern: '^[a-z0-9-]{1,100}$' }),
    subject: Type.String(),
    text: Type.String(),
  }),
  oneMail,
)

export const administratorMails = directMails({
  job: mailAdministrator,
  name: 'administrator_notice',
  title: { fr: 'Avis aux administrateurs', en: 'Notice to administrators' },
})

/** Enqueues one mail to each administrator, in their language, in the caller's transaction. */
export async function notifyAdministrators(tx: Database, { jobs }: Pick<Deps, 'jobs'>, notice: Notice) {
  const { key } = notice
  for (const { id: userId, langue } of await listAdministrators(tx)) {
    const singletonKey = `${key}-${userId}`
    await jobs.enqueue(tx, mailAdministrator, { key, ...notice[langue], userId }, { singletonKey })
  }
}

/** Sends the mail. Skips former administrators. */
export function mailAdministratorHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'log'>): Handler {
  const { db, config } = deps
  return handle(mailAdministrator, async ({ userId, key, subject, text }, context) => {
    const to = await findAdministratorEmail(db, userId)
    if (to === null) return
    const messageId = messageIdOf(`${key}-${userId}`, config.mail.from)
    await sendDirectMail(deps, administratorMails, { userId }, { messageId, to, subject, text }, context)
  })
}

/** Administrators whose address the identity provider verified or the service's own command set. */
const isAdministrator = sql<boolean>`
  actif and email is not null and (email_verified or issuer = ${sql.lit(ownIssuer)})
  and exists (select from user_roles where user_id = users.id and role in ('admin', 'platform_admin'))`

/** At most fifty: a service with more has other channels. */
async function listAdministrators(db: Database): Promise<{ id: string; langue: 'fr' | 'en' }[]> {
  const { rows } = await sql<{ id: string; langue: 'fr' | 'en' }>`
    select id, langue from users where ${isAdministrator} order by id limit 50`.execute(db)
  return rows
}

async function findAdministratorEmail(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${id} and ${isAdministrator}`.execute(db)
  return rows[0]?.email ?? null
}
