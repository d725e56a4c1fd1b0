import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Job, JobAttempt } from '../jobs/job.ts'
import type { Mail } from './mail.ts'
import type { Mailer } from './mailer.ts'
import type { ListedMailKind } from './row-mails.ts'

/** Options of jobs that send one mail: they retry for a day. */
export const oneMail = { retries: 20, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 120 }

/**
 * Mails that belong to no row of their own: codes, invitations, notices. The first attempt makes a row of `direct_mails` with the id of
 * the job, which has the states of row mails and lets administrators see what became of it. Who asked for a mail that has no
 * recipient leaves no row.
 */
type Direct = Pick<ListedMailKind, 'name' | 'title'> & Partial<Listed> & { job: Job<unknown> }
type Listed = Pick<
  ListedMailKind,
  'entity' | 'area' | 'recordId' | 'recordName' | 'recipient' | 'isNeeded' | 'enqueue'
>

/** Lists a kind of direct mail. By default it is about the user who gets it, and is not sent again: its job was the reason. */
export function directMails({ job, ...listed }: Direct): ListedMailKind {
  return {
    table: 'direct_mails',
    only: sql`mail_kind = ${sql.lit(listed.name)}`,
    queue: job.name,
    // Its Message-IDs name what it is about, not its row.
    named: `direct-${listed.name}-`,
    entity: 'user',
    area: 'users',
    recordId: sql`m.record_id`,
    recordName: sql`(select u.nom from users u where u.id = m.record_id)`,
    recipient: sql`(select u.email from users u where u.id = m.user_id)`,
    isNeeded: sql`false`,
    enqueue: () => Promise.reject(new Error(`${listed.name} is not sent again`)),
    ...listed,
  }
}

type Tools = { db: Database; mailer: Mailer; log: Pick<FastifyBaseLogger, 'warn'> }
type About = {
  /** The recipient; null: nobody with an account. */
  userId: string | null
  /** The record; the user, if it is absent. */
  recordId?: string
  /** The row of a mail that is sent again. */
  mailId?: string | undefined
}

/**
 * Sends a mail unless it was sent or may have been sent; or throws, so that the job is retried. If the process dies before the
 * outcome is known, the same mail is sent again: a code that came twice is better than none.
 */
export async function sendDirectMail(
  { db, mailer, log }: Tools,
  kind: ListedMailKind,
  about: About,
  mail: Mail,
  { signal, isLast, job, id: jobId }: JobAttempt,
): Promise<void> {
  signal.throwIfAborted()
  const id = about.mailId ?? jobId
  if (!(await beginAttempt(db, id, kind, about))) return
  const outcome = await mailer.send(mail)
  const isRetried = outcome.status === 'failed' && outcome.retry && !isLast
  const error = outcome.status === 'sent' ? null : outcome.error
  await sql`
    update direct_mails set email_status = ${isRetried ? 'queued' : outcome.status}, email_status_at = now(),
      email_error = ${error} where id = ${id}`.execute(db)
  if (isRetried) throw new Error(`not sent: ${error}`)
  if (error !== null) log.warn({ ...outcome, job: job.name }, 'a mail may not have been sent')
}

/** Notes an attempt; false if the mail was sent, or may have been. */
async function beginAttempt(
  db: Database,
  id: string,
  { name }: ListedMailKind,
  { userId, recordId }: About,
): Promise<boolean> {
  const { rows } = await sql`
    insert into direct_mails as m (id, mail_kind, record_id, user_id, email_status, email_tries)
    values (${id}, ${name}, ${recordId ?? userId}, ${userId}, 'sending', 1)
    on conflict (id) do update set email_status = 'sending', email_status_at = now(), email_tries = m.email_tries + 1
    where m.email_status in ('queued', 'sending', 'failed') returning id`.execute(db)
  return rows.length > 0
}

/** The record of a direct mail that is sent again. */
export async function recordOfDirectMail(tx: Database, id: string): Promise<string> {
  const { rows } = await sql<{
    record_id: string
  }>`select record_id from direct_mails where id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('no such mail')
  return row.record_id
}
