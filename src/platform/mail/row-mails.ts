import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import type { Text } from '../errors.ts'
import type { JobAttempt } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Mail } from './mail.ts'
import type { Mailer } from './mailer.ts'

/**
 * A kind of mail that belongs to a row. The row stores the state of its mail in `email_status`,
 * `email_status_at`, `email_error` and `email_tries`:
 *
 *   queued → sending → sent, failed or uncertain; back to queued while a retry is due.
 *
 * `sending` is committed before the message is handed to the mail server. An attempt that finds `sending`,
 * because another worker died or seems dead, cannot know whether the mail was sent: the mail becomes
 * `uncertain` and is sent again only when a person asks for it; or a person settles it, because nothing is to be done. Every
 * `queued` mail has a job.
 */
export type MailKind = {
  /** Name in metrics. */
  name: string
  table: string
  /** Condition on its rows, where several kinds share a table. */
  only?: RawBuilder<boolean>
  /** The job that sends the mail. */
  queue: string
}

/**
 * A kind of mail that the back-office lists and resends. The expressions select from its row, named `m`: the record it
 * belongs to, the name of that record, the recipient's address, and whether the reason to send the mail still exists.
 */
export type ListedMailKind = MailKind & {
  /** Beginning of its Message-IDs, before the id of the row. */
  named: string
  /** Name shown to administrators. */
  title: Text
  entity: string
  /** The area of the record. Only its colleagues see name and recipient. */
  area: string
  /** Time during which an undo can still cancel the mail. */
  holdMs?: number
  recordId: RawBuilder<string>
  recordName: RawBuilder<string | null>
  recipient: RawBuilder<string | null>
  isNeeded: RawBuilder<boolean>
  /** Enqueues the job of a mail that is queued again. */
  enqueue(tx: Database, jobs: Jobs, id: string): Promise<unknown>
}

/** Fields of a listed kind that names neither its record nor its recipient, and that nobody sends again by hand. */
export const unnamed = {
  area: 'mails',
  recordName: sql<null>`null::text`,
  recipient: sql<null>`null::text`,
  isNeeded: sql<boolean>`false`,
  enqueue: () => Promise.reject(new Error('This kind of mail is not sent again by hand.')),
}

/** Condition: a row of its table is of this kind. */
export const isOfKind = ({ only }: MailKind): RawBuilder<boolean> => only ?? sql<boolean>`true`

/** Mails whose answers begin a support thread about a record. */
export type AnsweredMail = {
  /** Beginning of their Message-IDs, before an id. */
  named: string
  record: AnsweredRecord
  /** Where the row has the state of its mail, and administrators do not list it. */
  mail?: MailKind
  /** Finds the record, and the address that the mail went to, if it can be known; null: there is no such mail any more. */
  find(
    tools: { db: Database; config: Config },
    id: string,
  ): Promise<{ recordId: string; address: string | null } | null>
}

export const answeredRecords = ['acteur', 'claim', 'complaint', 'user'] as const
type AnsweredRecord = (typeof answeredRecords)[number]

export const emailStatuses = ['queued', 'sending', 'sent', 'failed', 'uncertain'] as const
export type EmailStatus = (typeof emailStatuses)[number]

/** Retries for a day and a half while the mail server is unavailable. */
export const mailTries = { retries: 40, backoffSeconds: 60, maxBackoffSeconds: 3_600, timeoutSeconds: 180 }

/** Delay of mails about a decision, so that an undo can cancel them. */
export const mailHoldMs = 30_000

type Tools = { db: Database; mailer: Mailer }

/** Sends the mail of a row unless it was sent or may have been sent. Throws when it should be retried. */
export async function sendRowMail(
  { db, mailer }: Tools,
  { table }: MailKind,
  id: string,
  mail: Mail,
  { signal, isLast }: Pick<JobAttempt, 'signal' | 'isLast'>,
): Promise<void> {
  signal.throwIfAborted()
  const number = await beginAttempt(db, table, id)
  if (number === null) {
    await leaveUncertain(db, table, id)
    return
  }
  const outcome = await mailer.send(mail)
  const move = (from: EmailStatus[], to: EmailStatus) =>
    endAttempt(db, table, { id, number, from, to, ...outcome })
  // The outcome of this attempt is certain, whatever a concurrent attempt has recorded.
  const known: EmailStatus[] = ['sending', 'uncertain']
  if (outcome.status !== 'failed') {
    await move(outcome.status === 'sent' ? known : ['sending'], outcome.status)
    return
  }
  const goesOn = outcome.retry && !isLast
  if (!(goesOn && (await move(['sending'], 'queued')))) await move(known, 'failed')
  if (outcome.retry) throw new Error(`not sent: ${outcome.error}`)
}

/** Returns the number of this attempt; null when the mail must not be sent or another attempt is running. */
async function beginAttempt(db: Database, table: string, id: string): Promise<number | null> {
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

/** Records the outcome of one attempt. Returns false when that attempt is already over. */
async function endAttempt(
  db: Database,
  table: string,
  { id, number, from, to, error }: End,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set email_status = ${to}, email_status_at = now(), email_error = ${error ?? null}
    where id = ${id} and email_tries = ${number} and email_status in (${sql.join(from)})`.execute(db)
  return numAffectedRows === 1n
}

/** Sets the mail of a locked row to queued again; the caller enqueues its job. */
export async function queueMailAgain(tx: Database, { table }: MailKind, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set email_status = 'queued', email_status_at = now(), email_settled_at = null
    where id = ${id}`.execute(tx)
}

/** Notes that a mail did not arrive, which its server reported after it was sent. */
export async function failSentMail(
  db: Database,
  { table }: MailKind,
  id: string,
  error: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set email_status = 'failed', email_status_at = now(), email_error = ${error}
    where id = ${id} and email_status in ('sent', 'uncertain')`.execute(db)
  return numAffectedRows === 1n
}

/** Settles the mail of a locked row. */
export async function settleMail(tx: Database, { table }: MailKind, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set email_settled_at = now() where id = ${id}`.execute(tx)
}

/** Cancels the queued mail of a row that stays: it is listed as failed, without an error of the mail server. */
export async function cancelRowMail(db: Database, { table }: MailKind, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)}
    set email_status = 'failed', email_status_at = now(), email_error = null
    where id = ${id} and email_status = 'queued'`.execute(db)
}

/** Deletes a row that exists only for its mail, unless the mail was already handed to the mail server. */
export async function deleteRowMail(db: Database, { table }: MailKind, id: string): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where id = ${id} and email_status in ('queued', 'failed')`.execute(db)
}

/** Marks mails whose worker died unnoticed as uncertain, and mails whose job no longer exists as failed. */
export async function giveUpMails(db: Database, kind: MailKind): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(kind.table)} set email_status_at = now(),
      email_status = case email_status when 'sending' then 'uncertain' else 'failed' end
    where ${isOfKind(kind)} and ((email_status = 'sending' and email_status_at < now() - interval '1 hour')
      or (email_status = 'queued' and email_status_at < now() - interval '2 days'))`.execute(db)
  return Number(numAffectedRows)
}
