import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { messageIdOf } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { sendOrRetry } from '../send.ts'
import { formerAddressText } from './mail.ts'

/** Mails the former address that the account has a new address. */
export const formerAddressMail = defineJob(
  'sign-in.mail-former-address',
  Type.Object({ challengeId: Type.String() }),
  { retries: 20, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 120 },
)

export function formerAddressHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(formerAddressMail, async ({ challengeId }, context) => {
    const found = await findFormer(db, challengeId)
    if (found === null) return
    const messageId = messageIdOf(`former-address-${challengeId}`, config.mail.from)
    const mail = { messageId, to: found.address, ...formerAddressText(found.langue) }
    await sendOrRetry(deps, mail, context)
  })
}

type Former = { address: string; langue: 'fr' | 'en' }

async function findFormer(db: Database, challengeId: string): Promise<Former | null> {
  const { rows } = await sql<Former>`
    select c.address, u.langue from email_challenges c join users u on u.id = c.user_id
    where c.id = ${challengeId} and c.purpose = 'address' and c.closed_at is not null`.execute(db)
  return rows[0] ?? null
}
