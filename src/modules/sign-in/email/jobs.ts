import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { directMails, sendDirectMail } from '../../../platform/mail/direct-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { codeMail, signInMail } from './mail.ts'
import { findMail } from './queries.ts'
import { mailSecrets } from './secrets.ts'

/** Holds only the challenge; link and code are derived for each attempt. Retried until they expire. */
export const challengeMail = defineJob(
  'sign-in.mail-challenge',
  Type.Object({ challengeId: Type.String() }),
  { retries: 8, backoffSeconds: 15, maxBackoffSeconds: 120, timeoutSeconds: 120, concurrency: 4 },
)

export const challengeMails = directMails({
  job: challengeMail,
  name: 'sign_in_code',
  title: { fr: 'Code de connexion ou de confirmation', en: 'Code to sign in or confirm' },
})

/** Sends the mail of a challenge, if it has a recipient and is still open. */
export function challengeMailHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(challengeMail, async ({ challengeId }, context) => {
    const found = await findMail(db, challengeId)
    if (found === null) return
    const secrets = mailSecrets(config.sessionKeys)
    const code = secrets.code(challengeId)
    const link = `${config.publicUrl}/backoffice/sign-in#token=${secrets.linkToken(challengeId)}`
    const { purpose, langue, email, address, userId } = found
    const to = { to: address ?? email, from: config.mail.from, id: challengeId, langue }
    const mail = purpose === 'sign_in' ? signInMail(to, { code, link }) : codeMail(to, purpose, code)
    await sendDirectMail(deps, challengeMails, { userId }, mail, context)
  })
}
