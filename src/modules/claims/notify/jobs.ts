import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { type ListedMailKind, mailHoldMs, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { decisionMail } from './mail.ts'
import { findDecision, findDecisionId } from './queries.ts'

/** Mails the decision to the claimant. */
export const notifyClaimant = defineJob(
  'claims.tell-claimant',
  // Jobs enqueued by the previous version have no decision id.
  Type.Object({ claimId: Type.String(), decisionId: Type.Optional(Type.String()) }),
  mailTries,
)

export const decisionMails: ListedMailKind = {
  name: 'claim_decision',
  table: 'claims',
  queue: notifyClaimant.name,
  title: { fr: 'Décision sur une revendication', en: 'Decision on a claim' },
  entity: 'claim',
  area: 'claims',
  holdMs: mailHoldMs,
  recordId: sql`m.id`,
  recordName: sql`(select a.nom from acteurs a where a.id = m.acteur_id)`,
  recipient: sql`coalesce(m.email, (select u.email from users u where u.id = m.user_id))`,
  isNeeded: sql`(m.status in ('approved', 'rejected'))`,
  async enqueue(tx, jobs, claimId) {
    const decisionId = await findDecisionId(tx, claimId)
    await jobs.enqueue(tx, notifyClaimant, { claimId, ...(decisionId !== null && { decisionId }) })
  },
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
    await sendRowMail({ db, mailer }, decisionMails, claimId, mail, context)
  })
}
