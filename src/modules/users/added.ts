import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { directMails, oneMail, sendDirectMail } from '../../platform/mail/direct-mails.ts'
import { mailHoldMs } from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { addedMail } from './added.mail.ts'
import { findAdded } from './queries.ts'

export const tellAdded = defineJob(
  'users.tell-of-membership',
  Type.Object({ key: Type.String(), userId: Type.String(), acteurIds: Type.Array(Type.String()) }),
  oneMail,
)

export const addedMails = directMails({
  job: tellAdded,
  name: 'membership',
  title: { fr: 'Ajout à une équipe', en: 'New membership' },
})

type Addition = { userId: string; acteurIds: string[] }

/** Enqueues one mail about new memberships, with a delay in which an administrator can take them back. */
export async function queueAdded(
  tx: Database,
  jobs: Pick<Deps['jobs'], 'enqueue'>,
  addition: Addition,
): Promise<void> {
  if (addition.acteurIds.length === 0) return
  const startAfter = new Date(Date.now() + mailHoldMs)
  await jobs.enqueue(tx, tellAdded, { key: uuidv7(), ...addition }, { startAfter })
}

/** Tells somebody of the memberships that they still have. */
export function addedHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'log'>): Handler {
  const { db, config } = deps
  return handle(tellAdded, async ({ key, userId, acteurIds }, context) => {
    const found = await findAdded(db, userId, acteurIds)
    const to = found === null ? null : parseMailAddress(found.address)
    if (found === null || to === null) return
    const [one, ...others] = found.acteurs
    const space =
      one !== undefined && others.length === 0 ? spaceAddress(config, one.id) : spaceAddress(config)
    const mail = addedMail(found, to, { key, from: config.mail.from, space })
    await sendDirectMail(deps, addedMails, { userId }, mail, context)
  })
}
