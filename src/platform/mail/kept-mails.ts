import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isLastTry, type Job, type JobContext } from '../jobs/job.ts'
import type { Mail } from './mail.ts'
import type { Mailer } from './mailer.ts'

/**
 * Mails that each belong to a row, which keeps what became of its mail in `email_status`, `email_status_at`,
 * `email_error` and `email_tries`:
 *
 *   queued → sending → sent, failed or uncertain; back to queued while it will be tried again.
 *
 * `sending` is committed before anything is handed over. Whoever finds it there, in another attempt or beside a sender
 * that seemed dead, cannot know whether the mail went: it is `uncertain`, and goes again only when a person asks. A mail
 * that is `queued` has a job.
 */
export type MailKind = {
  /** As metrics have it. */
  name: string
  /** As administrators read it. */
  label: string
  table: string
}

export const emailStatuses = ['queued', 'sending', 'sent', 'failed', 'uncertain'] as const
export type EmailStatus = (typeof emailStatuses)[number]

/** Tried for a day and a half, should the mail server be away that long. */
export const mailTries = { retries: 40, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 180 }

type Tools = { db: Database; mailer: Mailer }
type Attempt = JobContext & { job: Job<unknown> }

/** Sends the mail of a row, unless it is sent already or may have been. Throws when it should be tried again. */
export async function sendKept(
  { db, mailer }: Tools,
  { table }: MailKind,
  id: string,
  mail: Mail,
  attempt: Attempt,
): Promise<void> {
  attempt.signal.throwIfAborted()
  const number = await beginTry(db, table, id)
  if (number === null) {
    await leaveUncertain(db, table, id)
    return
  }
  const outcome = await mailer.send(mail)
  const move = (from: EmailStatus[], to: EmailStatus) =>
    endTry(db, table, { id, number, from, to, ...outcome })
  // What this try did is known for sure, whatever another has thought meanwhile.
  const known: EmailStatus[] = ['sending', 'uncertain']
  if (outcome.status !== 'failed') {
    await move(outcome.status === 'sent' ? known : ['sending'], outcome.status)
    return
  }
  const goesOn = outcome.retry && !isLastTry(attempt.job, attempt)
  if (!(goesOn && (await move(['sending'], 'queued')))) await move(known, 'failed')
  if (outcome.retry) throw new Error(`not sent: ${outcome.error}`)
}

/** The number of this try; null when the mail is not to be sent, or somebody else is at it. */
async function beginTry(db: Database, table: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ number: number }>`
    update ${sql.table(table)} set email_status = 'sending', email_status_at = now(), email_tries = email_tries + 1
    where id = ${id} and email_status in ('queued', 'failed') returning email_tries as number`.execute(db)
  return rows[0]?.number ?? null
}

async function leaveUncertain(db: Database, table: string, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set email_status = 'uncertain', email_status_at = now()
    where id = ${id} and email_status = 'sending'`.execute(db)
}

type End = { id: string; number: number; from: EmailStatus[]; to: EmailStatus; error?: string }

/** A late outcome ends only the try that it is of. False when that is over already. */
async function endTry(db: Database, table: string, { id, number, from, to, error }: End): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set email_status = ${to}, email_status_at = now(), email_error = ${error ?? null}
    where id = ${id} and email_tries = ${number} and email_status in (${sql.join(from)})`.execute(db)
  return numAffectedRows === 1n
}

/** Mails whose sender has died without another attempt that would have noted it, and those whose job is gone. */
export async function giveUpMails(db: Database, { table }: MailKind): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set email_status_at = now(),
      email_status = case email_status when 'sending' then 'uncertain' else 'failed' end
    where (email_status = 'sending' and email_status_at < now() - interval '1 hour')
      or (email_status = 'queued' and email_status_at < now() - interval '2 days')`.execute(db)
  return Number(numAffectedRows)
}
