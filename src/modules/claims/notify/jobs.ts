import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { type MailKind, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { decisionMail } from './mail.ts'
import { findDecision } from './queries.ts'

/** Mails the decision to the claimant. */
export const notifyClaimant = defineJob(
  'claims.tell-claimant',
  // Jobs enqueued by the previous version have no decision id.
  Type.Object({ claimId: Type.String(), decisionId: Type.Optional(Type.String()) }),
  mailTries,
)

export const decisionMails: MailKind = {
  name: 'claim_decision',
  label: 'décisions sur des demandes',
  table: 'claims',
  queue: notifyClaimant.name,
}

export function notifyClaimantHandler({
  db,
  mailer,
  config,
}: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(notifyClaimant, async ({ claimId, decisionId = null }, context) => {
    const decision = await findDecision(db, claimId, decisionId)
    if (decision === null) return
    const mail = decisionMail(decision, decision.address ?? '', config.mail.from)
    await sendRowMail({ db, mailer }, decisionMails, claimId, mail, { ...context, job: notifyClaimant })
  })
}
