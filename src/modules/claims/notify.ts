import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { type ListedMailKind, mailHoldMs, mailTries, sendRowMail } from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { type DecisionRow, decisionMail } from './notify.mail.ts'

/** Mails the decision to the claimant. */
export const notifyClaimant = defineJob(
  'claims.tell-claimant',
  // Jobs enqueued by the previous version have no decision id.
  Type.Object({ claimId: Type.String(), decisionId: Type.Optional(Type.String()) }),
  mailTries,
)

export const decisionMails: ListedMailKind = {
  name: 'claim_decision',
  named: 'claim-decision-',
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
    const mail = decisionMail(decision, decision.address ?? '', {
      from: config.mail.from,
      space: spaceAddress(config, decision.acteur_id),
    })
    await sendRowMail({ db, mailer }, decisionMails, claimId, mail, context)
  })
}

/** Reads the data for the mail of this decision; null if the decision was undone or replaced. */
async function findDecision(
  db: Database,
  id: string,
  decisionId: string | null,
): Promise<DecisionRow | null> {
  const { rows } = await sql<DecisionRow>`
    select c.id, c.status, c.reason, c.nom, c.acteur_id, a.nom as acteur_nom, coalesce(c.email, u.email) as address,
      coalesce(u.langue, 'fr') as langue,
      case when c.status = 'approved' then case when u.issuer is null then 'to_be_opened' else 'theirs' end end as account
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${id} and c.status in ('approved', 'rejected')
      and c.decision_id is not distinct from ${decisionId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** Returns the id of the current decision on a claim; null if an earlier version made it. */
async function findDecisionId(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('claims').select('decision_id').where('id', '=', id).executeTakeFirst()
  return row?.decision_id ?? null
}
