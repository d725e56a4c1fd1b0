import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { isWhole } from '../../../../test/support/sample.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../../platform/mail/certificate.test-kit.ts'
import type { Mail, MailOutcome } from '../../../platform/mail/mail.ts'
import {
  type Mood,
  readMessage,
  startMoodyServer,
  startSmtpServer,
} from '../../../platform/mail/mail-servers.test-kit.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { giveUpMails } from '../../../platform/mail/row-mails.ts'
import { messagesKit } from '../messages.test-kit.ts'
import { threadsOfPerson } from '../personal.ts'
import { replyMails, sendReply, sendReplyHandler } from './jobs.ts'

const world = await openWorld()
const { db, as, config } = world
const support = await as('support')
const { thread, reply, read, messagesOf } = messagesKit(world, support)
const timeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 10_000, wholeMs: 15_000, keepIdleMs: 50 }
const from = config.mail.from

/** Creates a queued reply and returns how its state reads. */
async function queued(body?: string) {
  const threadId = await thread()
  const id = await reply(threadId, body)
  const state = async () => {
    const { email_status, email_error } = (await messagesOf(threadId)).at(-1)
    return { email_status, email_error }
  }
  return { threadId, id, state }
}

function sendBy(mailer: { send(mail: Mail): Promise<MailOutcome> }, replyTo?: string) {
  const settings = {
    ...config,
    modules: new Map([...config.modules, ['messages', { inbox: null, replyTo: replyTo ?? null }]]),
  }
  const handler = sendReplyHandler({ db, config: settings, mailer: { close: async () => {}, ...mailer } })
  return (messageId: string, attempt = 1, signal = new AbortController().signal) =>
    handler.perform({ messageId }, { id: 'job', attempt, signal })
}

const sendTo = (url: string, given: { ca?: string; replyTo?: string } = {}) => {
  const { replyTo, ...more } = given
  return sendBy(createMailer({ url, from, outboxDir: '/nowhere', timeouts, ...more }), replyTo)
}

const resend = (threadId: string, id: string) =>
  support.post(`/admin/messages/threads/${threadId}/reply`, { resend_of: id })

test('sends a reply once, as text and HTML, threaded after earlier messages', async () => {
  const { received, port } = await startSmtpServer()
  const send = sendTo(`smtp://127.0.0.1:${port}`)
  const { threadId, id, state } = await queued('Bonjour,\nla réponse est là : https://exemple.fr')
  await send(id)
  await send(id, 2)
  expect(await state()).toEqual({ email_status: 'sent', email_error: null })
  const second = await reply(threadId, 'Et voici la suite.')
  await send(second)
  expect(received).toHaveLength(2)
  const [first, next] = received.map(({ content }) => readMessage(content))
  const { number } = await read(threadId)
  const [{ id: inbound }] = await messagesOf(threadId)
  const idOf = (message: string) => `<support-${message}@localhost.localdomain>`
  expect(Object.fromEntries(first?.headers ?? [])).toMatchObject({
    To: 'odile@example.org',
    Subject: `Réponse à votre message [n° ${number}]`,
    'Message-ID': idOf(id),
    'In-Reply-To': idOf(inbound),
    References: idOf(inbound),
  })
  expect(Object.fromEntries(next?.headers ?? [])).toMatchObject({
    'Message-ID': idOf(second),
    'In-Reply-To': idOf(id),
    References: `${idOf(inbound)} ${idOf(id)}`,
  })
  expect(first?.text).toContain('Bonjour,\r\nla réponse est là')
  expect(first?.text).toContain('<a href="https://exemple.fr">')
  expect(received[0]?.session.envelope.rcptTo.map(({ address }) => address)).toEqual(['odile@example.org'])
})

test('a reply to a person with an account is in the language of the account', async () => {
  const { received, port } = await startSmtpServer()
  const { threadId, id } = await queued()
  const { id: user_id } = await world.user({ langue: 'en' })
  await db.updateTable('support_threads').set({ user_id }).where('id', '=', threadId).execute()
  await sendTo(`smtp://127.0.0.1:${port}`)(id)
  const [mail] = received.map(({ content }) => readMessage(content))
  expect(mail?.headers.get('Subject')).toBe(`Reply to your message [no. ${(await read(threadId)).number}]`)
  expect(mail?.text).toContain('Replies to this mail are not read.')
  expect(mail?.text).toContain('<html lang="en">')
})

test('sets Reply-To to SUPPORT_REPLY_TO; without it the mail says that replies are not read and what to do', async () => {
  const { received, port } = await startSmtpServer()
  const [one, other] = [await queued(), await queued()]
  await sendTo(`smtp://127.0.0.1:${port}`, { replyTo: 'support@mairie.example' })(one.id)
  await sendTo(`smtp://127.0.0.1:${port}`)(other.id)
  const [answered, unread] = received.map(({ content }) => readMessage(content))
  expect(answered?.headers.get('Reply-To')).toBe('support@mairie.example')
  expect(answered?.text).not.toContain('ne sont pas lues')
  expect(unread?.names).not.toContain('Reply-To')
  expect(unread?.text).toContain('ne sont pas lues')
  expect(unread?.text).toContain(`message n° ${(await read(other.threadId)).number}`)
})

test('quotes no text of the sender, and no text of an operator becomes a header', async () => {
  const { received, port } = await startSmtpServer()
  const threadId = await thread({
    nom: 'evil.example',
    subject: 'Visitez evil.example',
    body: 'evil.example',
  })
  const id = await reply(threadId, 'Bcc: eve@example.org\n\n.\nRCPT TO:<eve@example.org>\n=?utf-8?q?x?=')
  await sendTo(`smtp://127.0.0.1:${port}`)(id)
  const { names, text, head } = readMessage(received[0]?.content ?? '')
  expect(`${head}${text}`).not.toContain('evil.example')
  expect(names).not.toContain('Bcc')
  expect(received[0]?.session.envelope.rcptTo).toHaveLength(1)
})

test('limits the References header of a long thread', async () => {
  const { received, port } = await startSmtpServer()
  const threadId = await thread()
  for (let n = 0; n < 30; n++) await reply(threadId, `Réponse ${n}`)
  const messages = (await support.get(`/admin/messages/threads/${threadId}/messages?per_page=100`)).body.data
  await sendTo(`smtp://127.0.0.1:${port}`)(messages.at(-1).id)
  const { headers } = readMessage(received[0]?.content ?? '')
  const references = headers.get('References')?.split(' ') ?? []
  const kept = [messages[0], ...messages.slice(-20, -1)]
  expect(references).toEqual(kept.map(({ id }: { id: string }) => `<support-${id}@localhost.localdomain>`))
})

test.for<[string, Mood, string]>([
  ['refuses the recipient for now', { RCPT: '451 4.7.1 greylisted' }, 'greylisted'],
  ['is full', { dot: '452 4.3.1 full' }, 'full'],
  ['hangs up before the data', { DATA: null }, ''],
  ['hangs up before the greeting', { connection: null }, ''],
])(
  'a server that %s has it later: queued meanwhile, with the words of the server',
  async ([, mood, words]) => {
    const { port } = await startMoodyServer(mood)
    const { id, state } = await queued()
    await expect(sendTo(`smtp://127.0.0.1:${port}`)(id)).rejects.toThrow('not sent')
    expect(await state()).toEqual({ email_status: 'queued', email_error: expect.stringContaining(words) })
    const good = await startSmtpServer()
    await sendTo(`smtp://127.0.0.1:${good.port}`)(id, 2)
    expect(await state()).toEqual({ email_status: 'sent', email_error: null })
    expect(good.received).toHaveLength(1)
  },
)

test.for<[string, Mood, string]>([
  [
    'does not know the recipient',
    { RCPT: '550 5.1.1 <odile@example.org> no such user' },
    '(address)> no such user',
  ],
  ['refuses the message', { dot: '554 5.7.1 looks like spam' }, 'looks like spam'],
])(
  'a server that %s ends it: failed with its words, until an operator sends it again',
  async ([, mood, words]) => {
    const { port } = await startMoodyServer(mood)
    const { threadId, id, state } = await queued()
    await sendTo(`smtp://127.0.0.1:${port}`)(id)
    expect(await state()).toEqual({ email_status: 'failed', email_error: expect.stringContaining(words) })
    expect((await resend(threadId, id)).status).toBe(201)
    expect((await state()).email_status).toBe('queued')
    const good = await startSmtpServer()
    await sendTo(`smtp://127.0.0.1:${good.port}`)(id)
    expect(await state()).toEqual({ email_status: 'sent', email_error: null })
    const { headers } = readMessage(good.received[0]?.content ?? '')
    expect(headers.get('Message-ID')).toBe(`<support-${id}@localhost.localdomain>`)
  },
)

test.for<[string, Mood]>([
  ['drops the connection after the data', { dot: null }],
  ['breaks off its answer', { dot: { cut: '250 ok' } }],
])(
  'a server that %s leaves it uncertain: it goes again when an operator says so, and not before',
  async ([, mood]) => {
    const { port } = await startMoodyServer(mood)
    const { threadId, id, state } = await queued()
    await sendTo(`smtp://127.0.0.1:${port}`)(id)
    expect(await state()).toMatchObject({ email_status: 'uncertain', email_error: expect.any(String) })
    const good = await startSmtpServer()
    const send = sendTo(`smtp://127.0.0.1:${good.port}`)
    await send(id, 2)
    expect(good.received).toHaveLength(0)
    await resend(threadId, id)
    await send(id)
    expect((await state()).email_status).toBe('sent')
    expect(good.received).toHaveLength(1)
  },
)

test('a slow server gets the mail; meanwhile the operator sees that it is being sent', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const { received, port } = await startSmtpServer({
    onData(stream, _session, done) {
      stream.resume().on('end', async () => {
        asked.resolve()
        await answer.promise
        done()
      })
    },
  })
  const { id, state } = await queued()
  const sending = sendTo(`smtp://127.0.0.1:${port}`)(id)
  await asked.promise
  expect((await state()).email_status).toBe('sending')
  answer.resolve()
  await sending
  expect((await state()).email_status).toBe('sent')
  expect(received).toEqual([])
})

test('a server without STARTTLS gets nothing when it is required', async () => {
  const plain = await startSmtpServer()
  const { id, state } = await queued()
  await expect(sendTo(`smtp://localhost:${plain.port}?tls=required`)(id)).rejects.toThrow('not sent')
  expect((await state()).email_status).toBe('queued')
  expect(plain.received).toHaveLength(0)
  const refusing = await startMoodyServer({ EHLO: '250-moody\r\n250 STARTTLS', STARTTLS: '454 not now' })
  await expect(sendTo(`smtp://localhost:${refusing.port}`)(id)).rejects.toThrow('not sent')
  expect(refusing.steps).not.toContain('MAIL')
  const able = await startSmtpServer({ key: TEST_KEY, cert: TEST_CERTIFICATE })
  await sendTo(`smtp://localhost:${able.port}?tls=required`, { ca: TEST_CERTIFICATE })(id)
  expect(able.received[0]?.session.secure).toBe(true)
})

const away: MailOutcome = { status: 'failed', retry: true, error: 'connection refused' }

test('fails after the last attempt', async () => {
  const { id, state } = await queued()
  const last = sendReply.settings.retries + 1
  await expect(sendBy({ send: async () => away })(id, last)).rejects.toThrow('not sent')
  expect(await state()).toEqual({ email_status: 'failed', email_error: 'connection refused' })
})

test('a late result ends only its own attempt', async () => {
  const { threadId, id, state } = await queued()
  const handed = Promise.withResolvers<void>()
  const late = Promise.withResolvers<MailOutcome>()
  const first = sendBy({
    send: () => {
      handed.resolve()
      return late.promise
    },
  })(id)
  await handed.promise
  // Its worker seems dead; then an operator resends, and that attempt is running.
  await sendBy({ send: async () => ({ status: 'sent' }) })(id, 2)
  expect((await state()).email_status).toBe('uncertain')
  await resend(threadId, id)
  const again = Promise.withResolvers<MailOutcome>()
  const second = sendBy({ send: () => again.promise })(id)
  await until('it is being sent again', async () => (await state()).email_status === 'sending')
  late.resolve(away)
  await expect(first).rejects.toThrow('not sent')
  expect((await state()).email_status).toBe('sending')
  again.resolve({ status: 'sent' })
  await second
  expect((await state()).email_status).toBe('sent')
})

test("a definite failure is recorded regardless of a concurrent attempt's result", async () => {
  const { id, state } = await queued()
  const send = sendBy({
    send: async () => {
      await sendBy({ send: async () => ({ status: 'sent' }) })(id, 2)
      return away
    },
  })
  await expect(send(id)).rejects.toThrow('not sent')
  expect((await state()).email_status).toBe('failed')
})

test('a mail without an outcome is uncertain after an hour; one whose job was lost has failed', async () => {
  const [old, recent, orphan, waiting] = [await queued(), await queued(), await queued(), await queued()]
  const age = (id: string, status: string, ago: string) =>
    sql`update support_messages set email_status = ${status}, email_status_at = now() - ${ago}::interval
      where id = ${id}`.execute(db)
  await age(old.id, 'sending', '61 minutes')
  await age(recent.id, 'sending', '59 minutes')
  await age(orphan.id, 'queued', '49 hours')
  await age(waiting.id, 'queued', '47 hours')
  expect(await giveUpMails(db, replyMails)).toBe(2)
  const states = await Promise.all([old, recent, orphan, waiting].map(({ state }) => state()))
  expect(states.map(({ email_status }) => email_status)).toEqual(['uncertain', 'sending', 'failed', 'queued'])
})

test('deleting a thread deletes its mails', async () => {
  const { threadId, id } = await queued()
  await db.deleteFrom('support_threads').where('id', '=', threadId).execute()
  await sendBy({ send: () => expect.fail('it is gone') })(id)
})

test('a stopping service sends no more mail', async () => {
  const { id, state } = await queued()
  await expect(sendBy({ send: () => expect.fail('it stops') })(id, 1, AbortSignal.abort())).rejects.toThrow()
  expect((await state()).email_status).toBe('queued')
})

const eraseThreadsOf = (email: string) =>
  db.transaction().execute(async (tx) => threadsOfPerson.erase?.(tx, { userIds: [], emails: [email] }))

test('after its author is erased a thread accepts no reply, and a queued mail is not sent', async () => {
  const { received, port } = await startSmtpServer()
  const threadId = await thread({ email: 'partie@example.org' })
  const id = await reply(threadId)
  await eraseThreadsOf('partie@example.org')
  await sendTo(`smtp://127.0.0.1:${port}`)(id)
  expect(received).toEqual([])
  expect((await messagesOf(threadId)).at(-1)).toMatchObject({ body: '(erased)', email_status: 'failed' })
  const refused = await support.post(`/admin/messages/threads/${threadId}/reply`, { body: 'Encore là ?' })
  expect(refused).toBeError(409, 'conflict')
  expect(await resend(threadId, id)).toBeError(409, 'conflict')
})

test('a reply written during the erasure of the author is erased too', async () => {
  const threadId = await thread({ email: 'pendant@example.org' })
  const held = await db.startTransaction().execute()
  const id = uuidv7()
  const queued = { email_status: 'queued', email_status_at: new Date(), message_id: `<${id}@example.org>` }
  await held.selectFrom('support_threads').select('id').where('id', '=', threadId).forUpdate().execute()
  await held
    .insertInto('support_messages')
    .values({ id, thread_id: threadId, direction: 'outbound', body: 'Chère Odile', ...queued })
    .execute()
  const erasure = eraseThreadsOf('pendant@example.org')
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(1)
  }, 50_000)
  await held.commit().execute()
  expect(await erasure).toContain(id)
  expect((await messagesOf(threadId)).at(-1)).toMatchObject({ body: '(erased)', email_status: 'failed' })
})

// Last test of the file, because its workers also run the jobs that other tests enqueue.
test.runIf(isWhole)('without MAIL_URL a reply is a file in the outbox and shown as sent', async () => {
  await world.runJobs()
  const { state } = await queued()
  await until('it is sent', async () => (await state()).email_status === 'sent')
})
