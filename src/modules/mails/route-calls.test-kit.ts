import { sql } from 'kysely'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

export function routeCalls({ admin, author, db, club, noted }: Stage): RouteCalls {
  /** A mail about a rejection: one that the mail server refused, or in another state. */
  async function failed(email_status = 'failed') {
    const { id: publication_id } = await insertPublication(
      { db },
      {
        acteur_id: club.id,
        created_by: author.id,
        moderation_status: 'rejected',
        valide: false,
        publie_le: null,
      },
    )
    const id = uuidv7()
    await sql`update users set email_verified = true where id = ${author.id}`.execute(db)
    await db
      .insertInto('publication_mails')
      .values({ id, publication_id, kind: 'rejected', email_status, email_tries: 1 })
      .execute()
    return { id, publication_id }
  }
  return {
    'GET /admin/mails': async () => ({ by: admin, path: '/admin/mails' }),
    'POST /admin/mails/{id}/settle': async () => {
      const { id, publication_id } = await failed('uncertain')
      const row = noted('mail.settle', null, { mail: 'publication_decision', mail_id: id, reason: 'Vu' })
      return {
        by: admin,
        path: `/admin/mails/${id}/settle`,
        body: { reason: 'Vu' },
        rows: [{ ...row, entity: 'publication', entity_id: publication_id }],
      }
    },
    'POST /admin/mails/{id}/resend': async () => {
      const { id, publication_id } = await failed()
      const after = { email_status: 'queued', mail: 'publication_decision', mail_id: id }
      const row = noted('mail.resend', { email_status: 'failed' }, after)
      return {
        by: admin,
        path: `/admin/mails/${id}/resend`,
        rows: [{ ...row, entity: 'publication', entity_id: publication_id }],
      }
    },
  }
}
