import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { withCanOf } from '../../../platform/access/rules.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import {
  conflict,
  invalid,
  notFound,
  type Problem,
  raise,
  validationFailed,
} from '../../../platform/errors.ts'
import { cleanText, textProblems } from '../../../platform/formats/clean-text.ts'
import { messageIdOf } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { filledText, Id, record, strictObject } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { deleteDraft, restoreDraft } from '../drafts.ts'
import { insertMessage, type ThreadValues } from '../queries.ts'
import { getMessage } from '../reading.ts'
import { thread } from '../record.ts'
import {
  ById,
  ByThreadAndId,
  exampleResponse,
  Message,
  maxBody,
  messageActions,
  threadActions,
} from '../schema.ts'
import { replyHoldMs, sendReply } from './jobs.ts'
import {
  deleteMessage,
  findActiveUser,
  findEmailStatusForUpdate,
  findReplyForUpdate,
  type HeldReply,
  passOnChanges,
  queueAgain,
} from './queries.ts'

const ReplyBody = strictObject(
  {
    body: Type.Optional(filledText(maxBody, { description: 'Plain text', examples: [exampleResponse] })),
    resend_of: Type.Optional(
      Id('A message of the thread whose mail failed, or may have: it is sent again, as the same mail'),
    ),
  },
  { description: 'Exactly one of the two', examples: [{ body: exampleResponse }] },
)
type ReplyBody = Static<typeof ReplyBody>

export function replyRoutes(scope: SignedInScope, { db, jobs, config }: Deps): void {
  const tools = { db, jobs, mailFrom: config.mail.from }

  scope.post(
    '/admin/messages/threads/:id/reply',
    {
      config: {
        audits: 'thread.reply',
        refusals: ['conflict', 'precondition_failed'],
        location: '/admin/messages/threads/:id/messages',
      },
      schema: {
        operationId: 'replyToSupportThread',
        summary: 'Reply by e-mail, which marks the thread as read and opens it; or send a message again',
        params: ById,
        body: ReplyBody,
        response: { 201: record(Message) },
      },
    },
    async ({ params, body, caller }, answer) =>
      answer.code(201).send({ data: await reply(tools, caller, params.id, body) }),
  )

  scope.delete(
    '/admin/messages/threads/:threadId/messages/:id',
    {
      config: { audits: 'thread.delete_message', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'deleteSupportMessage',
        summary:
          'Undo a reply whose mail is still queued: it never leaves, and becomes a draft of its author',
        description:
          'A draft that the author has begun since keeps its text, followed by a blank line and the text of the reply, which is cut where the draft would be too long. The response has all of it.',
        params: ByThreadAndId,
        response: { 200: record(Message) },
      },
    },
    async ({ params, caller }) => ({ data: await undoReply(db, caller, params) }),
  )
}

type Tools = Pick<Deps, 'db' | 'jobs'> & { mailFrom: string }

const withCan = withCanOf(messageActions)

/** Writes a new reply or resends an existing one; requires exactly one of the two. */
async function reply(
  tools: Tools,
  caller: SignedIn,
  threadId: string,
  { body, resend_of }: ReplyBody,
): Promise<Message> {
  if (body !== undefined && resend_of === undefined) return writeReply(tools, caller, threadId, body)
  if (body === undefined && resend_of !== undefined) return resend(tools, caller, threadId, resend_of)
  throw validationFailed([body === undefined ? problems.missing : problems.both])
}

/**
 * Stores the reply, enqueues its mail with a delay, deletes the draft, and sets the thread to open and read, in
 * one transaction.
 */
async function writeReply(
  { db, jobs, mailFrom }: Tools,
  caller: SignedIn,
  threadId: string,
  given: string,
): Promise<Message> {
  const body = cleanText(given)
  const wrong = textProblems('body', body, maxBody)
  if (wrong.length > 0) throw validationFailed(wrong)
  const id = uuidv7()
  return change(db, caller, thread, { id: threadId, action: 'thread.reply' }, async (tx, before, save) => {
    if (!threadActions.reply(before)) throw conflict()
    const message = await insertMessage(tx, {
      id,
      thread_id: before.id,
      direction: 'outbound',
      body,
      author_id: caller.user.id,
      message_id: messageIdOf(`support-${id}`, mailFrom),
      email_status: 'queued',
      email_status_at: sql`now()`,
      reopened_thread: before.status === 'closed',
      thread_closed_at: before.closed_at,
      read_thread: before.unread,
      // Read while the thread is locked, so that the times of its messages increase.
      created_at: sql`clock_timestamp()`,
    })
    await jobs.enqueue(tx, sendReply, { messageId: id }, { startAfter: new Date(Date.now() + replyHoldMs) })
    await deleteDraft(tx, before.id, caller.user.id)
    const addedMessage = { body, at: message.created_at }
    await save({ status: 'open', unread: false, addedMessage }, { after: { message_id: id, body } })
    return withCan(await getMessage(tx, id))
  })
}

/** Enqueues the mail of a reply again, without a delay; does not change the thread. */
async function resend({ db, jobs }: Tools, caller: SignedIn, threadId: string, id: string): Promise<Message> {
  return change(db, caller, thread, { id: threadId, action: 'thread.reply' }, async (tx, before, save) => {
    if (!threadActions.reply(before)) throw conflict()
    const message = await findEmailStatusForUpdate(tx, before.id, id)
    const { email_status } = message ?? raise(invalid('resend_of', unknown))
    if (email_status !== 'failed' && email_status !== 'uncertain') throw conflict()
    await queueAgain(tx, id)
    await jobs.enqueue(tx, sendReply, { messageId: id })
    await save({}, { before: { email_status }, after: { message_id: id, email_status: 'queued' } })
    return withCan(await getMessage(tx, id))
  })
}

const unknown = { en: 'is not a message of this thread', fr: 'n’est pas un message de cet échange' }
const problems = {
  missing: {
    field: 'body',
    message: { en: 'is required, unless resend_of is given', fr: 'est requis, sauf si resend_of est donné' },
  },
  both: {
    field: 'resend_of',
    message: { en: 'cannot be combined with body', fr: 'ne peut pas être combiné avec body' },
  },
} satisfies Record<string, Problem>

/**
 * Deletes a reply whose mail has not begun to leave. Its row lock decides against the mail job: either the job
 * finds no message, or this finds the mail under way and returns 409. The thread becomes closed and unread
 * again if the reply had changed that and no later reply is left.
 */
function undoReply(
  db: Database,
  caller: SignedIn,
  { threadId, id }: { threadId: string; id: string },
): Promise<Message> {
  const asked = { id: threadId, action: 'thread.delete_message' }
  return change(db, caller, thread, asked, async (tx, before, save) => {
    const reply = (await findReplyForUpdate(tx, before.id, id)) ?? raise(notFound())
    if (!messageActions.delete(reply)) throw conflict()
    const deleted = { ...(await getMessage(tx, id)), can: [] }
    await deleteMessage(tx, id)
    if (before.email !== null) {
      // Nobody would see the draft of a colleague who has left.
      const author = await findActiveUser(tx, reply.author_id)
      await restoreDraft(tx, before.id, author ?? caller.user.id, reply.body)
    }
    const values = { hasRemovedMessage: true as const, ...(await stateBefore(tx, before.id, id, reply)) }
    await save(values, { before: { message_id: id, body: reply.body } })
    return deleted
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
