import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import type { Mail, MailOutcome } from '../../../platform/mail/mail.ts'
import { messagesKit } from '../messages.test-kit.ts'
import { replyHoldMs, sendReply, sendReplyHandler } from './jobs.ts'

const world = await openWorld()
const { db, as, user, client, config } = world
const support = await as('support')
const { thread, reply, read, messagesOf, ids, auditEntries, moveMail } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const at = (threadId: string, id: string) => `/admin/messages/threads/${threadId}/messages/${id}`
const undo = (threadId: string, id: string) => support.delete(at(threadId, id))

/** Performs the mail job of a reply and returns the mails that left. */
async function send(messageId: string, outcome: MailOutcome = { status: 'sent' }): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = {
    async send(mail: Mail) {
      sent.push(mail)
      return outcome
    },
    close: async () => {},
  }
  const context = { id: 'job', attempt: 1, signal: new AbortController().signal }
  await sendReplyHandler({ db, config, mailer })
    .perform({ messageId }, context)
    .catch(() => {})
  return sent
}

test('a reply is held for 10 s: its job starts later, and the message shows queued and can be deleted', async () => {
  const threadId = await thread()
  const { body } = await support.post(`/admin/messages/threads/${threadId}/reply`, { body: 'Bonjour' })
  expect(body.data).toMatchObject({ email_status: 'queued', can: ['delete'] })
  const { rows } = await sql<{ held: number }>`
    select extract(epoch from start_after - now())::float8 * 1000 as held from pgboss.job
    where name = ${sendReply.name} and data->>'messageId' = ${body.data.id}`.execute(db)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.held).toBeGreaterThan(replyHoldMs - 5_000)
  expect(rows[0]?.held).toBeLessThanOrEqual(replyHoldMs)
})

test('DELETE …/messages/{id} returns 200 with the deleted reply, which never leaves and becomes a draft', async () => {
  const threadId = await thread()
  const before = await read(threadId)
  const id = await reply(threadId, 'Un mot rarissime')
  expect(await ids('q=rarissime')).toEqual([threadId])
  const { status, body } = await undo(threadId, id.toUpperCase())
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id, body: 'Un mot rarissime', email_status: 'queued', can: [] })
  expect(await send(id)).toEqual([])
  expect(await messagesOf(threadId)).toHaveLength(1)
  expect(await ids('q=rarissime')).toEqual([])
  expect(await ids('q=puits')).toContain(threadId)
  const after = await read(threadId)
  const { version, draft } = after
  expect(after).toEqual({ ...before, version, draft })
  expect(draft).toEqual({ body: 'Un mot rarissime', updated_at: expect.any(String) })
  expect((await auditEntries(threadId)).at(-1)).toMatchObject({
    action: 'thread.delete_message',
    before: { body: '(personal)', message_id: id, messages_count: 2 },
    after: { messages_count: 1 },
  })
  expect(await undo(threadId, id)).toBeError(404, 'not_found')
})

test('an undo closes the thread again if the reply had reopened it, and not after a later reply', async () => {
  const closed = async () => {
    const id = await thread()
    await support.patch(`/admin/messages/threads/${id}/close`)
    return id
  }
  const [one, other] = [await closed(), await closed()]
  await undo(one, await reply(one))
  expect(await read(one)).toMatchObject({ status: 'closed', unread: true, messages_count: 1 })
  const first = await reply(other, 'Un')
  await reply(other, 'Deux')
  await undo(other, first)
  expect(await read(other)).toMatchObject({
    status: 'open',
    unread: false,
    messages_count: 2,
    excerpt: 'Deux',
  })
})

/** Retention counts from it. */
const closingTime = async (id: string) =>
  (await db.selectFrom('support_threads').select('closed_at').where('id', '=', id).executeTakeFirst())
    ?.closed_at
const closeDaysAgo = (id: string) =>
  sql`update support_threads set closed_at = now() - interval '9 days' where id = ${id}`.execute(db)

test.each([
  ['first to last', [0, 1, 2]],
  ['last to first', [2, 1, 0]],
  ['in another order', [1, 0, 2]],
])('undoing all held replies, %s, closes the thread again and leaves it unread', async (_, order) => {
  const threadId = await thread()
  await support.patch(`/admin/messages/threads/${threadId}/close`)
  await closeDaysAgo(threadId)
  const before = await closingTime(threadId)
  const replies = [await reply(threadId), await reply(threadId), await reply(threadId)]
  for (const [place, at] of order.entries()) {
    expect((await undo(threadId, replies[at] ?? '')).status).toBe(200)
    const isLast = place === order.length - 1
    const state = { status: isLast ? 'closed' : 'open', unread: isLast }
    expect(await read(threadId)).toMatchObject(state)
  }
  expect(await closingTime(threadId)).toEqual(before)
})

test('an undo leaves the time at which a colleague has closed the thread since', async () => {
  const threadId = await thread()
  const close = () => support.patch(`/admin/messages/threads/${threadId}/close`)
  await close()
  await closeDaysAgo(threadId)
  const id = await reply(threadId)
  await close()
  const since = await closingTime(threadId)
  await undo(threadId, id)
  expect(await closingTime(threadId)).toEqual(since)
})

test("an undo leaves a thread read that was read before the reply, and a colleague's flag", async () => {
  const threadId = await thread()
  await support.patch(`/admin/messages/threads/${threadId}/read`)
  const id = await reply(threadId)
  await support.patch(`/admin/messages/threads/${threadId}/flag`, { flag: 'red' })
  await undo(threadId, id)
  expect(await read(threadId)).toMatchObject({ unread: false, status: 'open', flag: 'red' })
})

test("a colleague's undo gives the draft to the author, also after a newer draft", async () => {
  const author = await user({ roles: ['support'], nom: 'Basile' })
  const its = client({ source: 'backoffice', token: author.token })
  const threadId = await thread()
  const path = `/admin/messages/threads/${threadId}`
  const first = (await its.post(`${path}/reply`, { body: 'Première version' })).body.data.id
  await undo(threadId, first)
  const draftOf = async (caller: typeof its) => (await caller.get(path)).body.data.draft
  expect(await draftOf(its)).toMatchObject({ body: 'Première version' })
  expect(await draftOf(support)).toBeNull()
  const second = (await its.post(`${path}/reply`, { body: 'Deuxième version' })).body.data.id
  await its.put(`${path}/draft`, { body: 'Déjà la suite' })
  await undo(threadId, second)
  expect(await draftOf(its)).toMatchObject({ body: 'Déjà la suite\n\nDeuxième version' })
  // After the author has left, the colleague who undoes the reply gets the draft.
  const third = (await its.post(`${path}/reply`, { body: 'Troisième version' })).body.data.id
  await db.updateTable('users').set({ actif: false }).where('id', '=', author.id).execute()
  await undo(threadId, third)
  expect(await draftOf(support)).toMatchObject({ body: 'Troisième version' })
})

test('an undone reply is cut where it would make the newer draft too long', async () => {
  const threadId = await thread()
  const path = `/admin/messages/threads/${threadId}`
  const id = await reply(threadId, 'y'.repeat(10_000))
  await support.put(`${path}/draft`, { body: '🙂'.repeat(6_000) })
  expect((await undo(threadId, id)).body.data.body).toBe('y'.repeat(10_000))
  const { draft } = await read(threadId)
  expect(draft.body).toBe(`${'🙂'.repeat(6_000)}\n\n${'y'.repeat(3_998)}`)
  expect((await support.put(`${path}/draft`, { body: draft.body })).status).toBe(200)
})

test.each(['sending', 'sent', 'failed', 'uncertain'])(
  'DELETE …/messages/{id} returns 409 for a reply that is %s',
  async (status) => {
    const threadId = await thread()
    const id = await reply(threadId)
    await moveMail(id, status)
    expect((await messagesOf(threadId)).at(-1).can).toEqual([])
    expect(await undo(threadId, id)).toBeError(409, 'conflict')
    expect(await messagesOf(threadId)).toHaveLength(2)
  },
)

test('a reply that may have arrived cannot be deleted, even when it is queued again', async () => {
  const threadId = await thread()
  const id = await reply(threadId)
  await moveMail(id, 'uncertain')
  await support.post(`/admin/messages/threads/${threadId}/reply`, { resend_of: id })
  expect((await messagesOf(threadId)).at(-1)).toMatchObject({ email_status: 'queued', can: [] })
  expect(await undo(threadId, id)).toBeError(409, 'conflict')
  expect(await send(id)).toHaveLength(1)
})

test('a reply that the mail server refused for now can be deleted', async () => {
  const threadId = await thread()
  const id = await reply(threadId)
  expect(await send(id, { status: 'failed', retry: true, error: 'connection refused' })).toHaveLength(1)
  expect((await messagesOf(threadId)).at(-1)).toMatchObject({ email_status: 'queued', can: ['delete'] })
  expect((await undo(threadId, id)).status).toBe(200)
  expect(await send(id)).toEqual([])
})

test('DELETE …/messages/{id} returns 409 for an inbound message, 404 for one of another thread, and 412', async () => {
  const [threadId, other] = [await thread(), await thread()]
  const [{ id: inbound }] = await messagesOf(threadId)
  expect(await undo(threadId, inbound)).toBeError(409, 'conflict')
  const id = await reply(threadId)
  expect(await undo(other, id)).toBeError(404, 'not_found')
  expect(await undo(nobody, id)).toBeError(404, 'not_found')
  expect(await undo(threadId, nobody)).toBeError(404, 'not_found')
  const stale = { headers: { 'if-match': '"1"' } }
  expect(await support.delete(at(threadId, id), stale)).toBeError(412, 'precondition_failed')
  expect(await messagesOf(threadId)).toHaveLength(2)
})

test('of a concurrent undo and mail job one wins: the reply is deleted and never leaves, or leaves once', async () => {
  const threadId = await thread()
  const outcomes = { undone: 0, sent: 0 }
  for (let round = 0; round < 25; round++) {
    const id = await reply(threadId, `Tour ${round}`)
    const sending = () => send(id)
    const undoing = () => undo(threadId, id)
    // The request takes longer to reach the message than the job does.
    const late = () => sleep(Math.random() * 60).then(sending)
    const [{ status }, mails] = await Promise.all([undoing(), late()])
    expect([status, mails.length]).toEqual(status === 200 ? [200, 0] : [409, 1])
    outcomes[status === 200 ? 'undone' : 'sent'] += 1
  }
  expect((await read(threadId)).messages_count).toBe(1 + outcomes.sent)
  const left = await db
    .selectFrom('support_messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .execute()
  expect(left).toHaveLength(1 + outcomes.sent)
})

test('of two concurrent undos one deletes the reply, and the other returns 404', async () => {
  const threadId = await thread()
  const id = await reply(threadId)
  const answers = await Promise.all([undo(threadId, id), undo(threadId, id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await read(threadId)).messages_count).toBe(1)
})
