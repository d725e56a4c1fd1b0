import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { oneMail, sendOrRetry } from '../../../platform/mail/send-one.ts'
import type { Deps } from '../../../platform/module.ts'
import { type Former, formerAddressMail } from './mail.ts'

/** Mails the former address that the account has a new address. */
export const mailFormerAddress = defineJob(
  'sign-in.mail-former-address',
  Type.Object({ challengeId: Type.String() }),
  oneMail,
)

export function formerAddressHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailFormerAddress, async ({ challengeId }, context) => {
    const found = await findFormer(db, challengeId)
    if (found === null) return
    await sendOrRetry(deps, formerAddressMail({ id: challengeId, ...found }, config.mail.from), context)
  })
}

async function findFormer(db: Database, challengeId: string): Promise<Former | null> {
  const { rows } = await sql<Former>`
    select c.address, u.langue from email_challenges c join users u on u.id = c.user_id
    where c.id = ${challengeId} and c.purpose = 'address' and c.closed_at is not null`.execute(db)
  return rows[0] ?? null
}
