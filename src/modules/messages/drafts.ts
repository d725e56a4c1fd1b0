import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  nullable,
  ResponseTimestamp,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getThreadForUpdate } from './queries.ts'
import { ById, exampleResponse, maxBody, threadActions } from './schema.ts'

export const Draft = titled('SupportDraft', {
  body: Type.String({ examples: [exampleResponse] }),
  updated_at: ResponseTimestamp(),
})
export type Draft = Static<typeof Draft>

const DraftBody = strictObject({
  body: text(maxBody, {
    description: 'Plain text; without a letter or another sign, the draft is deleted',
    examples: [exampleResponse],
  }),
})

/** The stored draft; null if it was deleted. */
const SavedDraft = titled('SavedSupportDraft', { data: nullable(Draft) })

export function draftRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.put(
    '/admin/messages/threads/:id/draft',
    {
      config: { refusals: ['conflict'] },
      schema: {
        operationId: 'saveSupportDraft',
        summary: "Store one's own draft of a reply; an empty one is deleted",
        params: ById,
        body: DraftBody,
        response: { 200: SavedDraft },
      },
    },
    async ({ params, body, caller }) => ({ data: await saveDraft(db, caller, params.id, body.body) }),
  )
}

/**
 * Stores the caller's own draft, spaces at its end included, because the caller is still typing. Locks the
 * thread, so that the erasure of its author leaves no draft behind. Not audited: a draft changes nothing for
 * others, and the reply is audited.
 */
function saveDraft(db: Database, caller: SignedIn, id: string, given: string): Promise<Draft | null> {
  const body = given.replaceAll(/\r\n?/g, '\n')
  return db.transaction().execute(async (tx) => {
    const thread = await getThreadForUpdate(tx, id)
    if (!threadActions.draft(thread)) throw conflict()
    if (body.trim() === '') {
      await deleteDraft(tx, id, caller.user.id)
      return null
    }
    return putDraft(tx, id, caller.user.id, body)
  })
}

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

async function putDraft(tx: Database, threadId: string, userId: string, body: string): Promise<Draft> {
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
