import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { maxBody } from '../schema.ts'
import type { Draft } from './schema.ts'

/** Reads the draft of a colleague; null if there is none. */
export async function findDraft(db: Database, threadId: string, userId: string): Promise<Draft | null> {
  const { rows } = await sql<Draft>`
    select body, updated_at from support_drafts where thread_id = ${threadId} and user_id = ${userId}`.execute(
    db,
  )
  return rows[0] ?? null
}

type Colleague = { id: string; nom: string | null }

/** Lists the other colleagues who have a draft in the thread, the latest first. */
export async function listDrafting(db: Database, threadId: string, userId: string): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, u.nom from support_drafts d join users u on u.id = d.user_id
    where d.thread_id = ${threadId} and d.user_id <> ${userId}
    order by d.updated_at desc, u.id limit 20`.execute(db)
  return rows
}

export async function putDraft(tx: Database, threadId: string, userId: string, body: string): Promise<Draft> {
  const { rows } = await sql<Draft>`
    insert into support_drafts (thread_id, user_id, body) values (${threadId}, ${userId}, ${body})
    on conflict on constraint support_drafts_pkey do update set body = excluded.body, updated_at = now()
    returning body, updated_at`.execute(tx)
  return rows[0] as Draft
}

/**
 * Stores the text of an undone reply as a draft. A draft that its author has begun since keeps its text, followed by
 * a blank line and as much of the undone text as fits.
 */
export async function restoreDraft(
  tx: Database,
  threadId: string,
  userId: string,
  body: string,
): Promise<void> {
  await sql`
    insert into support_drafts (thread_id, user_id, body) values (${threadId}, ${userId}, ${body})
    on conflict on constraint support_drafts_pkey do update
    set body = left(support_drafts.body || E'\\n\\n' || excluded.body, ${sql.lit(maxBody)}), updated_at = now()`.execute(
    tx,
  )
}

export async function deleteDraft(tx: Database, threadId: string, userId: string): Promise<void> {
  await sql`delete from support_drafts where thread_id = ${threadId} and user_id = ${userId}`.execute(tx)
}
