import Type from 'typebox'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { deleteRowMail, type MailKind, sendRowMail } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { digestMail } from './mail.ts'
import { findMail } from './queries.ts'
import { findWaiting } from './rules.ts'

/** Retried for a few hours only: yesterday's digest is useless. */
export const sendDigest = defineJob('digest.send', Type.Object({ mailId: Type.String() }), {
  retries: 12,
  backoffSeconds: 60,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 180,
})

/** Excluded from the mails that administrators manage: a lost digest does no harm and is not resent. */
const digestMails: MailKind = {
  name: 'digest',
  table: 'digest_mails',
  queue: sendDigest.name,
}

/** Sends a digest of the work that waits now, if the recipient should still get it. */
export function sendHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'clock' | 'modules'>): Handler {
  const { db, mailer, config, clock } = deps
  return handle(sendDigest, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null || found.day !== todayInParis(clock()))
      return deleteRowMail(db, digestMails, mailId)
    const waiting = await findWaiting({ ...deps, reads: db }, found.roles)
    if (Object.keys(waiting).length === 0) return deleteRowMail(db, digestMails, mailId)
    const mail = digestMail(found, waiting, { to: address, from: config.mail.from, url: config.publicUrl })
    await sendRowMail({ db, mailer }, digestMails, mailId, mail, context)
  })
}
