import type { World } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { groundsKit } from '../grounds/grounds.test-kit.ts'
import { mailComplaintHandler } from './mailing.ts'

const { signal } = new AbortController()

export const why = 'La fête a bien lieu dans la commune.'

/** Decides on publications, complains about it, and sends the mails of complaints. */
export function complaintsKit(world: World) {
  const { db, config } = world
  const { written, statementsOf } = groundsKit(world)
  return {
    written,
    statementsOf,
    /** The newest statement about a publication. */
    statementOf: async (recordId: string) => {
      const all = await statementsOf(recordId)
      return all.at(-1)?.id ?? ''
    },
    complaintsOf: (recordId: string) =>
      db.selectFrom('complaints').selectAll().where('record_id', '=', recordId).orderBy('id').execute(),
    publicationOf: (id: string) =>
      db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Sends what is queued. */
    async send(): Promise<Mail[]> {
      const sent: Mail[] = []
      const send = async (mail: Mail) => {
        sent.push(mail)
        return { status: 'sent' as const }
      }
      const { perform } = mailComplaintHandler({ db, config, mailer: { send, close: async () => {} } })
      const queued = await db
        .selectFrom('complaint_mails')
        .select('id')
        .where('email_status', '=', 'queued')
        .orderBy('id')
        .execute()
      for (const { id: mailId } of queued) await perform({ mailId }, { id: uuidv7(), attempt: 1, signal })
      return sent
    },
  }
}
