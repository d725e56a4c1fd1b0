import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../../platform/errors.ts'
import { restoreDraft } from '../drafts.ts'
import type { ThreadValues } from '../queries.ts'
import { getMessage } from '../reading.ts'
import { thread } from '../record.ts'
import { type Message, messageActions } from '../schema.ts'
import {
  deleteMessage,
  findActiveUser,
  findReplyForUpdate,
  type HeldReply,
  passOnChanges,
} from './queries.ts'

/**
 * Deletes a reply whose mail has not begun to leave. Its row lock decides against the mail job: either the job
 * finds no message, or this finds the mail under way and returns 409. The thread becomes closed and unread
 * again if the reply had changed that and no later reply is left.
 */
export function undoReply(
  db: Database,
  caller: SignedIn,
  { threadId, id }: { threadId: string; id: string },
): Promise<Message> {
  let deleted: Message | null = null
  const asked = {
    id: threadId,
    action: 'thread.delete_message',
    read: async () => deleted ?? raise(notFound()),
  }
  return change(db, caller, thread, asked, async (tx, before, note) => {
    const reply = (await findReplyForUpdate(tx, before.id, id)) ?? raise(notFound())
    if (!messageActions.delete(reply)) throw conflict()
    deleted = { ...(await getMessage(tx, id)), can: [] }
    await deleteMessage(tx, id)
    if (before.email !== null) {
      // Nobody would see the draft of a colleague who has left.
      const author = await findActiveUser(tx, reply.author_id)
      await restoreDraft(tx, before.id, author ?? caller.user.id, reply.body)
    }
    note({}, { message_id: id, body: reply.body })
    return { hasRemovedMessage: true as const, ...(await stateBefore(tx, before.id, id, reply)) }
  })
}

async function stateBefore(
  tx: Database,
  threadId: string,
  id: string,
  reply: HeldReply,
): Promise<Pick<ThreadValues, 'status' | 'closedAt' | 'unread'>> {
  if (!(reply.reopened_thread || reply.read_thread)) return {}
  if (await passOnChanges(tx, threadId, id, reply)) return {}
  return {
    ...(reply.reopened_thread && { status: 'closed' as const, closedAt: reply.thread_closed_at }),
    ...(reply.read_thread && { unread: true }),
  }
}
