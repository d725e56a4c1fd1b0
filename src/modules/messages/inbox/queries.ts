import { sql } from 'kysely'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Attachment } from './body.ts'

/** Where a mail lies. */
export type Place = { mailbox: string; uidValidity: bigint; uid: number }
/** `same`: the address of the thread; `other`: another one; `forged`: its server says that it is not the sender's. */
export type Sender = 'same' | 'other' | 'forged'
export type Outcome = 'message' | 'report' | 'auto_reply' | 'loop' | 'unmatched' | 'flood' | 'repeated'
type Contents = {
  message_id: string
  sender: Sender
  from_address: string | null
  quoted: string | null
  attachments: Attachment[]
  problem: 'too_large' | 'unreadable' | null
}

/** Reads which of these mails are handled, and how. */
export async function listHandled(
  db: Database,
  { mailbox, uidValidity }: Omit<Place, 'uid'>,
  uids: number[],
): Promise<Map<number, Outcome>> {
  const { rows } = await sql<{ uid: number; outcome: Outcome }>`
    select uid::float8 as uid, outcome from received_mails
    where mailbox = ${mailbox} and uid_validity = ${uidValidity} and uid = any(${uids}::bigint[])`.execute(db)
  return new Map(rows.map(({ uid, outcome }) => [uid, outcome]))
}

/** Stores how a mail was handled. Returns false if it was handled before, or arrived before. */
export async function insertReceived(
  tx: Database,
  { mailbox, uidValidity, uid }: Place,
  outcome: Outcome,
  fingerprint: Buffer | null,
  contents: Contents | null = null,
): Promise<boolean> {
  const { attachments = [], ...rest } = contents ?? {}
  const row = await tx
    .insertInto('received_mails')
    .values({
      ...{ id: uuidv7(), mailbox, uid_validity: uidValidity, uid, outcome, fingerprint },
      ...rest,
      attachments: JSON.stringify(attachments),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes how mails without a message were handled a month ago: the mailbox is not read so far back. */
export async function deleteOld(db: Database): Promise<void> {
  await sql`
    delete from received_mails where id in (
      select id from received_mails where message_id is null and created_at < now() - interval '30 days'
      order by created_at limit 5000)`.execute(db)
}

/** Finds the thread of a message of the support, in either direction, that can be answered. */
export async function findThreadOfMessage(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select t.id from support_messages m join support_threads t on t.id = m.thread_id
    where m.id = ${id} and t.email is not null`.execute(db)
  return rows[0]?.id ?? null
}

export type About = { kind: string; id: string }

/** Finds the thread of a person's earlier answers about a record. */
export async function findThreadAbout(
  db: Database,
  { kind, id }: About,
  email: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from support_threads
    where about_id = ${id} and about_kind = ${kind} and ${foldedEmail} = ${foldMailAddress(email)}`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/** Counts what arrived by mail in the last hour: messages of a thread. */
export async function countRecent(tx: Database, threadId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from support_messages
    where thread_id = ${threadId} and direction = 'inbound' and created_at > now() - interval '1 hour'`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Counts the threads that answers about a record began in the last hour. */
export async function countRecentAbout(tx: Database, { id }: About): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from support_threads
    where about_id = ${id} and created_at > now() - interval '1 hour'`.execute(tx)
  return rows[0]?.count ?? 0
}
