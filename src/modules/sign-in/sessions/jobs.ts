import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import { directMails, oneMail, sendDirectMail } from '../../../platform/mail/direct-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { deviceMail } from './mail.ts'
import {
  deleteFinalChanges,
  deleteOldChallenges,
  deleteOldIdTokens,
  deleteOldSessions,
  deleteOldStates,
  deleteUsedChallenges,
  findNewDevice,
} from './queries.ts'

/** Mails a user about a sign-in from a new device. */
export const newDeviceMail = defineJob(
  'sign-in.mail-new-device',
  Type.Object({ sessionId: Type.String() }),
  oneMail,
)
export const deviceMails = directMails({
  job: newDeviceMail,
  name: 'new_device',
  title: { fr: 'Connexion depuis un nouvel appareil', en: 'Sign-in from a new device' },
})
const deleteOld = defineJob('sign-in.delete-old', Type.Object({}))

export function newDeviceHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(newDeviceMail, async ({ sessionId }, context) => {
    const found = await findNewDevice(db, sessionId)
    if (found === null) return
    const { userId, ...device } = found
    const mail = deviceMail(device, config.mail.from, `${config.publicUrl}/backoffice/account`)
    await sendDirectMail(deps, deviceMails, { userId }, mail, context)
  })
}

/**
 * Deletes sessions 30 days after they end, challenges and states a day after they expire, ID tokens when their session
 * ends, and changes of address that are final.
 */
export function deleteOldHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(deleteOld, async (_payload, { signal }) => {
    for (const deleteSome of deletions) await inBatches(500, signal, (batch) => deleteSome(db, batch))
  })
}

const deletions = [
  deleteOldChallenges,
  deleteUsedChallenges,
  deleteOldStates,
  deleteOldIdTokens,
  deleteOldSessions,
  deleteFinalChanges,
]

export const deleteOldSchedule: Schedule = schedule(deleteOld, '25 * * * *', {})
