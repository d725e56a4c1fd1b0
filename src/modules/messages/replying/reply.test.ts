import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { messagesKit } from '../messages.test-kit.ts'
import { sendReply } from './jobs.ts'

const world = await openWorld()
const { db, as, user, client } = world
const support = await as('support')
const { thread, reply, read, messagesOf, auditEntries, moveMail } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const at = (id: string) => `/admin/messages/threads/${id}/reply`
const jobsOf = async (id: string) =>
  (
    await sql`select from pgboss.job where name = ${sendReply.name} and data->>'messageId' = ${id}`.execute(
      db,
    )
  ).rows.length

test('POST …/reply returns 201 with the message and a queued mail; the thread is read and open', async () => {
  const id = await thread()
  await support.patch(`/admin/messages/threads/${id}/close`)
  const operator = await user({ roles: ['support'], nom: 'Basile' })
  const its = client({ source: 'backoffice', token: operator.token })
  const answer = await its.post(at(id), { body: ' Bonjour,\r\nc’est fait.\u202e ' })
  expect(answer.status).toBe(201)
  const { data } = answer.body
  expect(data).toMatchObject({
    thread_id: id,
    direction: 'outbound',
    body: 'Bonjour,\nc’est fait.',
    author: { id: operator.id, nom: 'Basile' },
    email_status: 'queued',
    email_error: null,
  })
  expect(await jobsOf(data.id)).toBe(1)
  const after = await read(id)
  expect(after).toMatchObject({ unread: false, status: 'open', messages_count: 2, version: 3 })
  expect(after.last_message_at).toBe(data.created_at)
  expect((await messagesOf(id)).at(-1)).toEqual(data)
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual([
    'thread.create',
    'thread.close',
    'thread.reply',
  ])
})

test.each<[string, unknown]>([
  ['body', {}],
  ['resend_of', { body: 'Oui', resend_of: nobody }],
  ['body', { body: '' }],
  ['body', { body: '\u2066\n' }],
  ['body', { body: 'x'.repeat(10_001) }],
  ['body', { body: '\u0958'.repeat(10_000) }],
  ['body', { body: null }],
  ['resend_of', { resend_of: 'x' }],
  ['resend_of', { resend_of: nobody }],
  ['to', { body: 'Oui', to: 'victime@example.org' }],
])('POST …/reply answers 422 that names %s: %j', async (field, body) => {
  const id = await thread()
  const answer = await support.post(at(id), body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
  expect((await read(id)).messages_count).toBe(1)
})

test('POST …/reply returns 404 for an unknown thread', async () => {
  expect(await support.post(at(nobody), { body: 'Oui' })).toBeError(404, 'not_found')
  expect(await support.post(at(nobody), { resend_of: nobody })).toBeError(404, 'not_found')
  expect(await support.post(at('x'), { body: 'Oui' })).toBeError(404, 'not_found')
})

test('POST …/reply returns 412 when another operator replied since the given version', async () => {
  const id = await thread()
  const call = { headers: { 'if-match': '"1"' } }
  expect((await support.post(at(id), { body: 'Un' }, call)).status).toBe(201)
  expect(await support.post(at(id), { body: 'Deux' }, call)).toBeError(412, 'precondition_failed')
  expect((await read(id)).messages_count).toBe(2)
})

test.each(['failed', 'uncertain'])(
  'resend_of enqueues the same message again when it is %s',
  async (status) => {
    const id = await thread()
    const message = await reply(id)
    await moveMail(message, status)
    await support.patch(`/admin/messages/threads/${id}/close`)
    const before = await read(id)
    const answer = await support.post(at(id), { resend_of: message.toUpperCase() })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ id: message, email_status: 'queued' })
    expect(await jobsOf(message)).toBe(2)
    expect(await read(id)).toEqual(before)
    expect((await auditEntries(id)).at(-1)).toMatchObject({
      action: 'thread.reply',
      before: { email_status: status },
      after: { email_status: 'queued', message_id: message },
    })
  },
)

test.each(['queued', 'sending', 'sent'])('resend_of returns 409 for a message that is %s', async (status) => {
  const id = await thread()
  const message = await reply(id)
  await moveMail(message, status)
  expect(await support.post(at(id), { resend_of: message })).toBeError(409, 'conflict')
  expect(await jobsOf(message)).toBe(1)
})

test('POST …/reply returns 409 when no address is left', async () => {
  const id = await thread()
  await db.updateTable('support_threads').set({ email: null }).where('id', '=', id).execute()
  expect(await support.post(at(id), { body: 'Bonjour' })).toBeError(409, 'conflict')
  expect(await messagesOf(id)).toHaveLength(1)
})

test('resend_of returns 409 for an inbound message and 422 for a message of another thread', async () => {
  const [id, other] = [await thread(), await thread()]
  const [{ id: inbound }] = await messagesOf(id)
  expect(await support.post(at(id), { resend_of: inbound })).toBeError(409, 'conflict')
  const message = await reply(other)
  await moveMail(message, 'failed')
  expect(await support.post(at(id), { resend_of: message })).toBeError(422, 'validation_failed')
})

test('of two concurrent resends one takes effect', async () => {
  const id = await thread()
  const message = await reply(id)
  await moveMail(message, 'failed')
  const answers = await Promise.all([1, 2].map(() => support.post(at(id), { resend_of: message })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(await jobsOf(message)).toBe(2)
})

test('concurrent replies are all stored and counted, in the order of their timestamps', async () => {
  const id = await thread()
  const bodies = Array.from({ length: 10 }, (_, n) => `Réponse ${n}`)
  await Promise.all(bodies.map((body) => reply(id, body)))
  expect((await read(id)).messages_count).toBe(11)
  const times = (await messagesOf(id)).map(({ created_at }: { created_at: string }) => created_at)
  expect(times).toEqual(times.toSorted())
  expect((await read(id)).last_message_at).toBe(times.at(-1))
})
