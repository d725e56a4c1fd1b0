import { createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { OTHER_CERTIFICATE, TEST_CERTIFICATE, TEST_KEY } from './certificate.test-kit.ts'
import type { Mail } from './mail.ts'
import {
  type Mood,
  readMessage,
  type Step,
  startMoodyServer,
  startSmtpServer,
} from './mail-servers.test-kit.ts'
import { createMailer } from './mailer.ts'

const MAIL: Mail = { messageId: '<m1@parvis.test>', to: 'zoe@example.fr', subject: 'Bonjour', text: 'Oui.' }
const TLS = { key: TEST_KEY, cert: TEST_CERTIFICATE }
const PATIENT = { connectMs: 10_000, greetingMs: 10_000, idleMs: 10_000, wholeMs: 15_000, keepIdleMs: 50 }
// Timeouts for silent servers, much longer than a responsive one takes per step.
const SHORT = { connectMs: 1_500, greetingMs: 1_500, idleMs: 1_500, wholeMs: 15_000, keepIdleMs: 50 }

afterEach(() => void vi.useRealTimers())

/** Freezes time until `vi.advanceTimersByTime`; silence on a socket is still measured. */
function stopTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

test('an accepting server gets the message once, for one recipient', async () => {
  const { received, port } = await startSmtpServer()
  expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ status: 'sent' })
  expect(received).toHaveLength(1)
  expect(received[0]?.session.envelope.mailFrom).toMatchObject({ address: 'parvis@example.fr' })
  expect(received[0]?.session.envelope.rcptTo.map(({ address }) => address)).toEqual(['zoe@example.fr'])
  expect(readMessage(received[0]?.content ?? '').headers.get('Message-ID')).toBe('<m1@parvis.test>')
})

test('a text with dots, accents and long lines arrives unchanged', async () => {
  const { received, port } = await startSmtpServer()
  const text = `Été à la mairie 🙂\n.\n..\n.x\nfin d'espace  \n${'é'.repeat(3000)}\n\n日本語`
  await send(`smtp://127.0.0.1:${port}`, { text })
  expect(
    readMessage(received[0]?.content ?? '')
      .text.replaceAll('\r\n', '\n')
      .trimEnd(),
  ).toBe(text)
})

test.for<[string, Mood, boolean]>([
  ['hangs up before the greeting', { connection: null }, true],
  ['greets with 554', { connection: '554 go away' }, true],
  ['greets with 421', { connection: '421 later' }, true],
  ['hangs up on EHLO', { EHLO: null }, true],
  ['refuses the sender for now', { MAIL: '451 later' }, true],
  ['wants authentication', { MAIL: '530 log in first' }, true],
  ['refuses the sender', { MAIL: '550 not you' }, false],
  ['greylists the recipient', { RCPT: '451 greylisted' }, true],
  ['refuses the recipient', { RCPT: '550 no such user' }, false],
  ['hangs up after RCPT', { RCPT: null }, true],
  ['says 421 at RCPT', { RCPT: '421 shutting down' }, true],
  ['refuses DATA for now', { DATA: '451 later' }, true],
  ['refuses DATA', { DATA: '554 no' }, false],
  ['hangs up on DATA', { DATA: null }, true],
  ['refuses the message', { dot: '554 spam' }, false],
  ['is full', { dot: '452 full' }, true],
  ['says 421 after the dot', { dot: '421 not taken' }, true],
])('a server that %s has not accepted the message', async ([, mood, retry]) => {
  const { steps, port } = await startMoodyServer(mood)
  expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ status: 'failed', retry })
  expect(steps.filter((step) => step === 'connection')).toHaveLength(1)
  const pipelining = await startMoodyServer({ EHLO: '250-moody\r\n250 PIPELINING', ...mood })
  expect(await send(`smtp://127.0.0.1:${pipelining.port}`)).toMatchObject({ status: 'failed', retry })
})

test.for<[string, Mood]>([
  ['hangs up on the content', { content: null }],
  ['hangs up after the final dot', { dot: null }],
  ['closes quietly after the final dot', { dot: { cut: '' } }],
  ['breaks off its acceptance', { dot: { cut: '250 que' } }],
  ['breaks off its refusal', { dot: { cut: '554 sp' } }],
  ['answers the final dot with nonsense', { dot: 'hello' }],
])('a server that %s leaves the message uncertain', async ([, mood]) => {
  const { port } = await startMoodyServer(mood)
  expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ status: 'uncertain' })
})

test('a connection lost before the final dot is a failure, however much was sent', async () => {
  const { steps, port } = await startMoodyServer({ content: null })
  const text = 'une ligne parmi tant d’autres\n'.repeat(400_000)
  expect(await send(`smtp://127.0.0.1:${port}`, { text })).toMatchObject({ status: 'failed', retry: true })
  expect(steps).toContain('content')
  expect(steps).not.toContain('dot')
})

test('an unresponsive server times out: the mail is retried, or uncertain after the final dot', async () => {
  const fallSilent = async (step: Step) => {
    const { steps, port } = await startMoodyServer({ [step]: '' })
    const outcome = await send(`smtp://127.0.0.1:${port}`, {}, { timeouts: SHORT })
    expect(steps).toContain(step)
    return outcome
  }
  const moments: Step[] = ['connection', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'dot']
  const outcomes = await Promise.all(moments.map(fallSilent))
  const failed = { status: 'failed', retry: true }
  expect(outcomes).toMatchObject([failed, failed, failed, failed, failed, { status: 'uncertain' }])
})

test('a server that keeps sending times out at the limit for the whole attempt', async () => {
  let drops = 0
  const slow = createServer((socket) => {
    const drip = setInterval(() => {
      socket.write('220-wait\r\n')
      if (++drops === 10) vi.advanceTimersByTime(200)
    }, 20)
    socket.on('error', () => undefined).on('close', () => clearInterval(drip))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as { port: number }
  stopTime()
  const outcome = await send(`smtp://127.0.0.1:${port}`, {}, { timeouts: { ...PATIENT, wholeMs: 200 } })
  expect(outcome).toEqual({ status: 'failed', retry: true, error: 'Not done within 200 ms' })
  slow.close()
})

test('the overall timeout makes a handed-over message uncertain', async () => {
  const { port } = await startMoodyServer({ dot: () => vi.advanceTimersByTime(200) })
  stopTime()
  const timeouts = { ...PATIENT, wholeMs: 200 }
  const outcome = await send(`smtp://127.0.0.1:${port}`, {}, { timeouts })
  expect(outcome).toEqual({ status: 'uncertain', error: 'Not done within 200 ms' })
})

test('a server that never replies to QUIT does not delay the outcome', async () => {
  const { steps, open, port } = await startMoodyServer({ QUIT: '' })
  expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ status: 'sent' })
  expect(open()).toBe(1)
  await vi.waitFor(() => expect(steps).toContain('QUIT'), { timeout: 60_000 })
})

test('a closed port and an unknown name are failures to retry', async () => {
  const { port } = await closedPort()
  expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ status: 'failed', retry: true })
  const nowhere = await send('smtp://nowhere.invalid:25', {}, { timeouts: SHORT })
  expect(nowhere).toMatchObject({ status: 'failed', retry: true })
})

test('uses STARTTLS when offered with a trusted certificate', async () => {
  const { received, port } = await startSmtpServer(TLS)
  expect(await send(`smtp://localhost:${port}`, {}, { ca: TEST_CERTIFICATE })).toEqual({ status: 'sent' })
  expect(received[0]?.session.secure).toBe(true)
})

test.for(['smtp', 'smtps'])('%s sends nothing to a server with an untrusted certificate', async (scheme) => {
  const { received, port } = await startSmtpServer({ ...TLS, secure: scheme === 'smtps' })
  const error = expect.stringContaining('self-signed certificate')
  expect(await send(`${scheme}://localhost:${port}`)).toEqual({ status: 'failed', retry: true, error })
  expect(received).toEqual([])
})

test.for(['smtp', 'smtps'])(
  '%s sends nothing to a server with a certificate for another name',
  async (scheme) => {
    const cert = OTHER_CERTIFICATE
    const { received, port } = await startSmtpServer({ ...TLS, cert, secure: scheme === 'smtps' })
    const error = expect.stringContaining("does not match certificate's altnames")
    const refused = { status: 'failed', retry: true, error }
    expect(await send(`${scheme}://localhost:${port}`, {}, { ca: cert })).toEqual(refused)
    expect(received).toEqual([])
  },
)

test('?tls=required sends nothing to a server without STARTTLS', async () => {
  const { received, port } = await startSmtpServer()
  const outcome = await send(`smtp://localhost:${port}?tls=required`)
  expect(outcome).toMatchObject({ status: 'failed', retry: true })
  expect(received).toEqual([])
})

test('?tls=required accepts STARTTLS; smtps uses TLS from the start', async () => {
  const starttls = await startSmtpServer(TLS)
  const smtps = await startSmtpServer({ ...TLS, secure: true })
  const ca = TEST_CERTIFICATE
  expect(await send(`smtp://localhost:${starttls.port}?tls=required`, {}, { ca })).toEqual({ status: 'sent' })
  expect(await send(`smtps://127.0.0.1:${smtps.port}`, {}, { ca })).toEqual({ status: 'sent' })
  expect([starttls.received[0], smtps.received[0]].map((each) => each?.session.secure)).toEqual([true, true])
})

test('decodes credentials; wrong ones are a failure to retry that does not disclose them', async () => {
  const { received, port } = await startSmtpServer({
    ...TLS,
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'zoé@x' && password === 'p:/é%') done(null, { user: 'zoe' })
      else done(new Error('Invalid username or password'))
    },
  })
  const ca = TEST_CERTIFICATE
  const good = `smtp://${encodeURIComponent('zoé@x')}:${encodeURIComponent('p:/é%')}@localhost:${port}`
  expect(await send(good, {}, { ca })).toEqual({ status: 'sent' })
  const outcome = await send(`smtp://zoe:wrongsecret@localhost:${port}`, {}, { ca })
  expect(outcome).toMatchObject({ status: 'failed', retry: true })
  expect(JSON.stringify(outcome)).not.toContain('wrongsecret')
  expect(received).toHaveLength(1)
})

test('credentials for a server without authentication are a failure to retry', async () => {
  const { port } = await startMoodyServer({})
  expect(await send(`smtp://a:b@127.0.0.1:${port}`)).toMatchObject({ status: 'failed', retry: true })
})

test('a non-ASCII address needs a server that supports it; a non-ASCII domain does not', async () => {
  const able = await startSmtpServer()
  const unable = await startSmtpServer({ hideSMTPUTF8: true })
  const to = 'zoé@mairie-évry.fr'
  expect(await send(`smtp://127.0.0.1:${able.port}`, { to })).toEqual({ status: 'sent' })
  expect(await send(`smtp://127.0.0.1:${unable.port}`, { to })).toMatchObject({
    status: 'failed',
    retry: false,
  })
  const plain = await startMoodyServer({})
  expect(await send(`smtp://127.0.0.1:${plain.port}`, { to: 'zoe@mairie-évry.fr' })).toEqual({
    status: 'sent',
  })
  expect(plain.lines).toContain('RCPT TO:<zoe@xn--mairie-vry-h7a.fr>')
})

test("a message above the server's announced size fails for good", async () => {
  const { port } = await startSmtpServer({ size: 500 })
  const outcome = await send(`smtp://127.0.0.1:${port}`, { text: 'x'.repeat(1000) })
  expect(outcome).toMatchObject({ status: 'failed', retry: false })
})

test("reports a server's reply in one line without the recipient", async () => {
  const { port } = await startMoodyServer({ RCPT: '550-5.1.1 <zoe@example.fr>:\r\n550 unknown to us' })
  const outcome = await send(`smtp://127.0.0.1:${port}`)
  expect(outcome).toMatchObject({ error: expect.stringMatching(/^[^\n@]*\(address\)[^\n@]*unknown to us$/) })
})

const KEPT = { timeouts: { ...PATIENT, keepIdleMs: 10_000 } }

test('several messages share one connection, one login and one handshake', async () => {
  let logins = 0
  const { received, port } = await startSmtpServer({
    ...TLS,
    authOptional: false,
    onAuth(_auth, _session, done) {
      logins += 1
      done(null, { user: 'zoe' })
    },
  })
  const mailer = mailerTo(`smtp://zoe:secret@localhost:${port}`, { ...KEPT, ca: TEST_CERTIFICATE })
  for (let n = 0; n < 5; n++)
    expect(await mailer.send({ ...MAIL, messageId: `<${n}@parvis.test>` })).toEqual({ status: 'sent' })
  expect(new Set(received.map(({ session }) => session.id)).size).toBe(1)
  expect([received.length, logins]).toEqual([5, 1])
  await mailer.close()
})

test('replaces a connection after a hundred messages', async () => {
  const { received, port } = await startSmtpServer()
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`, KEPT)
  for (let n = 0; n < 101; n++) await mailer.send({ ...MAIL, messageId: `<${n}@parvis.test>` })
  expect(new Set(received.map(({ session }) => session.id)).size).toBe(2)
  await mailer.close()
})

test('concurrent messages use separate connections, some of which stay idle; close ends them', async () => {
  const { steps, open, port } = await startMoodyServer({})
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`, KEPT)
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => mailer.send(MAIL)))
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'sent' })))
  await vi.waitFor(() => expect(steps.filter((step) => step === 'QUIT')).toHaveLength(4), { timeout: 60_000 })
  await mailer.close()
  await vi.waitFor(() => expect(open()).toBe(0), { timeout: 60_000 })
})

/** Replies to the n-th occurrence of a step as given, and normally otherwise. */
function only(n: number, step: Step, reply: Mood[Step]): Mood {
  let times = 0
  return Object.defineProperty({}, step, {
    get: () =>
      ++times === n ? reply : { MAIL: '250 ok', RCPT: '250 ok', dot: '250 queued' }[step as string],
  })
}

test.for<[string, Mood]>([
  ['ends the connection after a message', only(1, 'dot', { cut: '250 queued\r\n' })],
  ['says 421 to the next message', only(2, 'MAIL', '421 too long')],
  ['hangs up on the next message', only(2, 'MAIL', null)],
  ['hangs up on its recipient', only(2, 'RCPT', null)],
])('a server that %s gets it over a new connection, once', async ([, mood]) => {
  const { steps, port } = await startMoodyServer(mood)
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`, KEPT)
  expect([await mailer.send(MAIL), await mailer.send(MAIL)]).toEqual([{ status: 'sent' }, { status: 'sent' }])
  const count = (wanted: Step) => steps.filter((step) => step === wanted).length
  expect([count('connection'), count('dot')]).toEqual([2, 2])
  await mailer.close()
})

test.for<[string, Mood, object]>([
  ['refuses the next message', only(2, 'MAIL', '451 later'), { status: 'failed', retry: true }],
  ['refuses its recipient', only(2, 'RCPT', '550 no such user'), { status: 'failed', retry: false }],
  ['hangs up after its final dot', only(2, 'dot', null), { status: 'uncertain' }],
])('a server that %s on a connection that was kept is not asked again', async ([, mood, outcome]) => {
  const { steps, port } = await startMoodyServer(mood)
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`, KEPT)
  await mailer.send(MAIL)
  expect(await mailer.send(MAIL)).toMatchObject(outcome)
  expect(steps.filter((step) => step === 'connection')).toHaveLength(1)
  // The next one has a new connection.
  expect(await mailer.send(MAIL)).toEqual({ status: 'sent' })
  await mailer.close()
})

test('close waits for the running attempt and refuses the next', async () => {
  const { received, port } = await startSmtpServer()
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`)
  const sending = mailer.send(MAIL)
  await mailer.close()
  expect(received).toHaveLength(1)
  expect(await sending).toEqual({ status: 'sent' })
  expect(await mailer.send(MAIL)).toMatchObject({ status: 'failed', retry: true })
})

type Given = { ca?: string; timeouts?: typeof PATIENT }

function mailerTo(url: string, { ca, timeouts = PATIENT }: Given = {}) {
  const from = 'Parvis <parvis@example.fr>'
  return createMailer({ url, from, outboxDir: '/nowhere', timeouts, ...(ca ? { ca } : {}) })
}

function send(url: string, mail: Partial<Mail> = {}, given: Given = {}) {
  return mailerTo(url, given).send({ ...MAIL, ...mail })
}

async function closedPort() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return { port }
}
