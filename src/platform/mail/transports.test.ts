import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/support/world.ts'
import { connect } from '../database/connect.ts'
import { createLog } from '../log/log.ts'
import type { Mail } from './mail.ts'
import { type Mood, startMoodyServer, startSmtpServer } from './mail-servers.test-kit.ts'
import { createMailer } from './mailer.ts'
import { areMailsDelayed, listTransportFailures, watchTransport } from './transports.ts'

const database = await cloneDatabase()
const lines: { level: number; msg: string; [field: string]: unknown }[] = []
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const { db } = connect(database.service, log)

const mail: Mail = { messageId: '<m1@parvis.test>', to: 'zoe@example.fr', subject: 'Bonjour', text: 'Oui.' }
const timeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 10_000, wholeMs: 15_000, keepIdleMs: 50 }

/** Sends a mail by an instance of its own, which knows nothing of the others. */
async function send(port: number, to = mail.to) {
  const noteAttempts = watchTransport({ db, log }, 'mail')
  const mailer = createMailer({
    ...{ url: `smtp://127.0.0.1:${port}`, from: 'parvis@example.fr', outboxDir: '/nowhere' },
    ...{ timeouts, noteAttempts },
  })
  const outcome = await mailer.send({ ...mail, to })
  await mailer.close()
  return outcome
}

const stateOf = async () => ({
  delayed: await areMailsDelayed(db),
  failures: await listTransportFailures(db),
})
const works = { delayed: false, failures: [] }

test('two refusals in a row make the mails delayed, on all instances, and the first success ends it', async () => {
  const good = await startSmtpServer()
  expect(await stateOf()).toEqual(works)
  await send(1)
  const [first] = (await stateOf()).failures
  expect([first?.refusals, (await stateOf()).delayed]).toEqual([1, false])
  await send(1)
  expect(await stateOf()).toEqual({
    delayed: true,
    failures: [
      { kind: 'mail', refusals: 2, since: first?.since, last_error: expect.stringContaining('ECONNREFUSED') },
    ],
  })
  expect(await send(good.port)).toEqual({ status: 'sent' })
  expect(await stateOf()).toEqual(works)
})

test('a success in between begins the count anew', async () => {
  const good = await startSmtpServer()
  for (const port of [1, good.port, 1]) await send(port)
  expect(await stateOf()).toMatchObject({ delayed: false, failures: [{ refusals: 1 }] })
  await send(good.port)
})

test.for<[string, Mood]>([
  ['closes at the final dot', { dot: null }],
  ['refuses the sender', { MAIL: '550 not you' }],
  ['wants authentication', { MAIL: '530 log in first' }],
  ['takes no mail for others', { RCPT: '554 5.7.1 <zoe@example.fr>: Relay access denied' }],
  ['refuses each message', { dot: '554 5.7.1 spam of zoe@example.fr' }],
])('a relay that %s leaves a line in the log, and counts', async ([, mood]) => {
  lines.length = 0
  const { port } = await startMoodyServer(mood)
  await send(port)
  expect(lines).toMatchObject([
    { level: 40, msg: 'a message does not get through', transport: 'mail', refusals: 1 },
  ])
  await send(port)
  expect(lines[1]).toMatchObject({ level: 50, msg: 'messages do not get through', refusals: 2 })
  const { delayed, failures } = await stateOf()
  expect([delayed, failures.length]).toEqual([true, 1])
  expect(JSON.stringify([failures, lines])).not.toContain('zoe')
  await send((await startSmtpServer()).port)
  expect(lines[2]).toMatchObject({ level: 30, msg: 'messages get through again' })
})

test('an address that a server refuses for good neither counts nor ends a failure', async () => {
  const { port } = await startMoodyServer({ RCPT: '550 5.1.1 no such user' })
  for (let times = 0; times < 3; times++) await send(port)
  expect(await stateOf()).toEqual(works)
  await send(1)
  await send(port)
  expect((await stateOf()).failures).toMatchObject([{ refusals: 1 }])
  await sql`delete from transport_failures`.execute(db)
})

test('of attempts that end together, those after the last success count', async () => {
  const note = watchTransport({ db, log }, 'push')
  await note(['503', null, '500', '502'])
  expect(await listTransportFailures(db)).toMatchObject([{ kind: 'push', refusals: 2, last_error: '502' }])
  expect(await areMailsDelayed(db)).toBe(false)
  await note(['503', null])
  expect(await listTransportFailures(db)).toEqual([])
})

test('a mail is sent although its state cannot be stored', async () => {
  const good = await startSmtpServer()
  const broken = connect({ ...database.service, port: 1 }, createLog('silent'), { connectTimeoutMs: 500 })
  const noteAttempts = watchTransport({ db: broken.db, log }, 'mail')
  const mailer = createMailer({
    ...{ url: `smtp://127.0.0.1:${good.port}`, from: 'parvis@example.fr', outboxDir: '/nowhere' },
    ...{ timeouts, noteAttempts },
  })
  expect(await mailer.send(mail)).toEqual({ status: 'sent' })
  await mailer.close()
  await broken.close()
})
