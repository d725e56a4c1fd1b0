import type { World } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Mail, MailOutcome } from '../../../platform/mail/mail.ts'
import { reporterAddresses } from './addresses.ts'
import { mailReporterHandler } from './mailing.ts'

const { signal } = new AbortController()

/** Reports from as many callers as there are calls, and sends the mails to reporters. The world trusts its proxy. */
export function reportsKit(world: World) {
  const { db, config } = world
  let callers = 0
  return {
    addresses: reporterAddresses(config.sessionKeys),
    /** A caller whom the service has not seen before. */
    another: () => {
      callers += 1
      return { headers: { 'x-forwarded-for': `198.51.${callers >> 8}.${callers & 255}` } }
    },
    mailsOf: (publicationId: string) =>
      db
        .selectFrom('report_mails as m')
        .innerJoin('report_cases as c', 'c.id', 'm.case_id')
        .selectAll('m')
        .where('c.publication_id', '=', publicationId)
        .orderBy('m.created_at')
        .orderBy('m.kind')
        .execute(),
    /** Attempts each queued mail once. Returns what the mail server accepted. */
    async send(answer: (mail: Mail) => MailOutcome = () => ({ status: 'sent' })): Promise<Mail[]> {
      const accepted: Mail[] = []
      const send = async (mail: Mail) => {
        const outcome = answer(mail)
        if (outcome.status === 'sent') accepted.push(mail)
        return outcome
      }
      const { perform } = mailReporterHandler({ db, config, mailer: { send, close: async () => {} } })
      const queued = await db
        .selectFrom('report_mails')
        .select('id')
        .where('email_status', '=', 'queued')
        .orderBy('created_at')
        .execute()
      for (const { id: mailId } of queued)
        await perform({ mailId }, { id: uuidv7(), attempt: 1, signal }).catch(() => {})
      return accepted
    },
  }
}
