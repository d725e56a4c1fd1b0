import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { uuidv7 } from '../formats/uuid.ts'
import type { Handler } from '../jobs/job.ts'
import type { Mail, MailOutcome } from './mail.ts'
import type { Mailer } from './mailer.ts'

/** Performs the jobs of a handler whose payload names one of these ids, and returns the mails that leave. */
export async function performed(
  db: Database,
  handlerWith: (mailer: Mailer) => Handler,
  ids: readonly string[],
  outcome: MailOutcome = { status: 'sent' },
): Promise<Mail[]> {
  const mails: Mail[] = []
  const send = async (mail: Mail) => {
    mails.push(mail)
    return outcome
  }
  const handler = handlerWith({ send, close: async () => {} })
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    select data from pgboss.job where name = ${handler.job.name} order by created_on, id`.execute(db)
  for (const { data } of rows)
    if (Object.values(data).some((value) => ids.includes(String(value))))
      await handler.perform(data, { id: uuidv7(), attempt: 1, signal: new AbortController().signal })
  return mails
}
