import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { messagesKit } from './messages.test-kit.ts'

const threads = '/admin/messages/threads'

export function routeCalls({
  admin,
  author,
  reader,
  db,
  noted,
  personal,
  secret,
  address,
}: Stage): RouteCalls {
  const given = { nom: secret, email: address, subject: secret, body: secret }
  const { reply, moveMail } = messagesKit({ post: reader.client.post, db }, admin.client)
  const thread = async () => (await reader.client.post('/support/messages', given)).body.data.id as string
  const entity = 'thread'
  const change = (verb: string, before: object, after: object, body?: object) => async () => {
    const id = await thread()
    const row = noted(`thread.${verb}`, before, after)
    return {
      by: admin,
      path: `${threads}/${id}/${verb}`,
      ...(body && { body }),
      rows: [{ ...row, entity, entity_id: id }],
    }
  }
  return {
    'POST /support/messages': async () => {
      const kept = { nom: personal, email: personal, subject: personal, body: personal }
      const begun = { status: 'open', unread: true, messages_count: 1, last_message_at: expect.any(String) }
      const ids = { id: expect.any(String), number: expect.any(Number), user_id: author.id }
      const row = noted('thread.create', null, { ...ids, ...kept, ...begun })
      return { by: author, path: '/support/messages', body: given, rows: [{ ...row, entity }] }
    },
    [`GET ${threads}`]: async () => ({ by: admin, path: `${threads}?status=open&unread=true` }),
    [`GET ${threads}?q`]: async () => ({ by: admin, path: `${threads}?q=bac&flag=none` }),
    [`GET ${threads}/{id}`]: async () => ({ by: admin, path: `${threads}/${await thread()}` }),
    [`GET ${threads}/{id}/messages`]: async () => ({
      by: admin,
      path: `${threads}/${await thread()}/messages`,
    }),
    [`POST ${threads}/{id}/reply`]: async () => {
      const id = await thread()
      const at = expect.any(String)
      const before = { unread: true, messages_count: 1, last_message_at: at }
      const said = { message_id: at, body: personal }
      const row = noted('thread.reply', before, {
        unread: false,
        messages_count: 2,
        last_message_at: at,
        ...said,
      })
      return {
        by: admin,
        path: `${threads}/${id}/reply`,
        body: { body: secret },
        rows: [{ ...row, entity, entity_id: id }],
      }
    },
    [`POST ${threads}/{id}/reply?resend_of`]: async () => {
      const id = await thread()
      const message_id = await reply(id)
      await moveMail(message_id, 'failed')
      const row = noted('thread.reply', { email_status: 'failed' }, { email_status: 'queued', message_id })
      return {
        by: admin,
        path: `${threads}/${id}/reply`,
        body: { resend_of: message_id },
        rows: [{ ...row, entity, entity_id: id }],
      }
    },
    [`DELETE ${threads}/{threadId}/messages/{id}`]: async () => {
      const id = await thread()
      const message = await reply(id, secret)
      const at = expect.any(String)
      const said = { messages_count: 2, last_message_at: at, message_id: message, body: personal }
      const row = noted(
        'thread.delete_message',
        { unread: false, ...said },
        { unread: true, messages_count: 1, last_message_at: at },
      )
      return {
        by: admin,
        path: `${threads}/${id}/messages/${message}`,
        rows: [{ ...row, entity, entity_id: id }],
      }
    },
    'GET /admin/messages/colleagues': async () => ({ by: admin, path: '/admin/messages/colleagues' }),
    [`PUT ${threads}/{id}/assignee`]: async () => {
      const id = await thread()
      const row = noted('thread.assign', { assignee_id: null }, { assignee_id: admin.id })
      return {
        by: admin,
        path: `${threads}/${id}/assignee`,
        body: { user_id: admin.id },
        rows: [{ ...row, entity, entity_id: id }],
      }
    },
    [`PUT ${threads}/{id}/draft`]: async () => ({
      by: admin,
      path: `${threads}/${await thread()}/draft`,
      body: { body: secret },
    }),
    [`PATCH ${threads}/bulk`]: async () => {
      const ids = [await thread(), await thread()]
      const closed = noted('thread.close', { status: 'open' }, { status: 'closed' })
      return {
        by: admin,
        path: `${threads}/bulk`,
        body: { ids, closed: true },
        rows: ids.map((entity_id) => ({ ...closed, entity, entity_id })),
      }
    },
    [`PATCH ${threads}/{id}/read`]: change('read', { unread: true }, { unread: false }),
    [`PATCH ${threads}/{id}/unread`]: async () => {
      const id = await thread()
      await admin.client.patch(`${threads}/${id}/read`)
      const row = noted('thread.unread', { unread: false }, { unread: true })
      return { by: admin, path: `${threads}/${id}/unread`, rows: [{ ...row, entity, entity_id: id }] }
    },
    [`PATCH ${threads}/{id}/flag`]: change('flag', { flag: null }, { flag: 'red' }, { flag: 'red' }),
    [`PATCH ${threads}/{id}/close`]: change(
      'close',
      { status: 'open', closed_at: null },
      { status: 'closed', closed_at: expect.any(String) },
    ),
  }
}
