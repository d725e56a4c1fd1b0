import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { oneMail, sendOrRetry } from '../send.ts'
import { type Invited, invitationMail } from './mail.ts'

/** Invites a user by mail. The mail holds no token: its reader still has to prove the address. */
export const mailInvitation = defineJob(
  'sign-in.mail-invitation',
  Type.Object({ userId: Type.String() }),
  oneMail,
)

export function invitationHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailInvitation, async ({ userId }, context) => {
    const invited = await findInvited(db, userId)
    if (invited === null) return
    const page = `${config.publicUrl}/backoffice/sign-in`
    await sendOrRetry(deps, invitationMail({ id: userId, ...invited }, config.mail.from, page), context)
  })
}

async function findInvited(db: Database, userId: string): Promise<Invited | null> {
  const { rows } = await sql<Invited>`
    select email, langue from users where id = ${userId} and actif and email is not null`.execute(db)
  return rows[0] ?? null
}
