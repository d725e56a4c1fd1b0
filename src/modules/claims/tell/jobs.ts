import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { type MailKind, mailTries, sendKept } from '../../../platform/mail/kept-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { decisionMail } from './mail.ts'
import { findDecision } from './queries.ts'

/** Tells a claimant what was decided. */
export const tellClaimant = defineJob(
  'claims.tell-claimant',
  Type.Object({ claimId: Type.String() }),
  mailTries,
)

export const decisionMails: MailKind = {
  name: 'claim_decision',
  label: 'décisions sur des demandes',
  table: 'claims',
}

export function tellClaimantHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(tellClaimant, async ({ claimId }, context) => {
    const decision = await findDecision(db, claimId)
    if (decision === null) return
    const mail = decisionMail(decision, decision.address ?? '', config.mail.from)
    await sendKept({ db, mailer }, decisionMails, claimId, mail, { ...context, job: tellClaimant })
  })
}
