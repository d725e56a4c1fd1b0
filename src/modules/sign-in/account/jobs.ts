import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { directMails, oneMail, sendDirectMail } from '../../../platform/mail/direct-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { mailSecrets } from '../email/secrets.ts'
import { type Former, formerAddressMail } from './mail.ts'

/** Mails the former address that the account has a new address, and how to undo that. */
export const mailFormerAddress = defineJob(
  'sign-in.mail-former-address',
  Type.Object({ challengeId: Type.String() }),
  oneMail,
)

export const formerAddressMails = directMails({
  job: mailFormerAddress,
  name: 'former_address',
  title: { fr: 'Avis à l’ancienne adresse', en: 'Notice to the former address' },
  // The account has another address by now.
  recipient: sql`null::text`,
})

export function formerAddressHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailFormerAddress, async ({ challengeId }, context) => {
    const found = await findFormer(db, challengeId)
    if (found === null) return
    const { userId, can_undo, ...former } = found
    const token = mailSecrets(config.sessionKeys).undoToken(challengeId)
    const link = can_undo ? `${config.publicUrl}/backoffice/undo-address#token=${token}` : null
    const mail = formerAddressMail({ id: challengeId, ...former, link }, config.mail.from)
    await sendDirectMail(deps, formerAddressMails, { userId }, mail, context)
  })
}

type FormerAccount = Former & { userId: string; can_undo: boolean }

async function findFormer(db: Database, challengeId: string): Promise<FormerAccount | null> {
  const { rows } = await sql<FormerAccount>`
    select c.address, u.langue, u.id as "userId", exists (select from address_changes where id = c.id) as can_undo
    from email_challenges c join users u on u.id = c.user_id
    where c.id = ${challengeId} and c.purpose = 'address' and c.closed_at is not null`.execute(db)
  return rows[0] ?? null
}
