import { sql } from 'kysely'
import Type from 'typebox'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import {
  deleteRowMail,
  type ListedMailKind,
  mailTries,
  sendRowMail,
} from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import type { ClaimRow } from '../queries.ts'
import { claimsSettings } from '../settings.ts'
import { receiptMail } from './mail.ts'
import { findReceipt, insertReceipt } from './queries.ts'

const mailReceipt = defineJob('claims.mail-receipt', Type.Object({ claimId: Type.String() }), mailTries)

export const receiptMails: ListedMailKind = {
  name: 'claim_receipt',
  named: 'claim-receipt-',
  table: 'claim_receipts',
  queue: mailReceipt.name,
  title: { fr: 'Accusé de réception d’une revendication', en: 'Receipt of a claim' },
  entity: 'claim',
  area: 'claims',
  recordId: sql`m.id`,
  recordName: sql`(select a.nom from claims c join acteurs a on a.id = c.acteur_id where c.id = m.id)`,
  recipient: sql`(
    select coalesce(c.email, u.email) from claims c left join users u on u.id = c.user_id where c.id = m.id)`,
  isNeeded: sql`exists (select from claims c where c.id = m.id and c.status = 'pending')`,
  enqueue: (tx, jobs, claimId) => jobs.enqueue(tx, mailReceipt, { claimId }),
}

export type EnqueuesReceipt = { jobs: Pick<Deps['jobs'], 'enqueue'> }

/** Enqueues the receipt of a claim that has just been made, to an address that was typed with it or is verified. */
export async function queueReceipt(tx: Database, { jobs }: EnqueuesReceipt, claim: ClaimRow): Promise<void> {
  if (await insertReceipt(tx, claim)) await jobs.enqueue(tx, mailReceipt, { claimId: claim.id })
}

/** Mails a receipt, unless the claim was decided or expired meanwhile. */
export function receiptHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { ttlDays } = settingsOf(config, claimsSettings)
  return handle(mailReceipt, async ({ claimId }, context) => {
    const receipt = await findReceipt(db, claimId, ttlDays)
    const to = receipt === null ? null : parseMailAddress(receipt.address)
    if (receipt === null || to === null) return deleteRowMail(db, receiptMails, claimId)
    const mail = receiptMail(receipt, { to, from: config.mail.from })
    await sendRowMail({ db, mailer }, receiptMails, claimId, mail, context)
  })
}
