import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { messageIdOf } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { sendOrRetry } from '../send.ts'
import { invitationText } from './mail.ts'

/** Invites a user by mail. The mail holds no token: its reader still has to prove the address. */
export const invitationMail = defineJob('sign-in.mail-invitation', Type.Object({ userId: Type.String() }), {
  retries: 20,
  backoffSeconds: 60,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 120,
})

export function invitationHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(invitationMail, async ({ userId }, context) => {
    const invited = await findInvited(db, userId)
    if (invited === null) return
    const messageId = messageIdOf(`invitation-${userId}`, config.mail.from)
    const text = invitationText(invited.langue, `${config.publicUrl}/backoffice/sign-in`)
    await sendOrRetry(deps, { messageId, to: invited.email, ...text }, context)
  })
}

type Invited = { email: string; langue: 'fr' | 'en' }

async function findInvited(db: Database, userId: string): Promise<Invited | null> {
  const { rows } = await sql<Invited>`
    select email, langue from users where id = ${userId} and actif and email is not null`.execute(db)
  return rows[0] ?? null
}
