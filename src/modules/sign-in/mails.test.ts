import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../test/support/browser-client.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'
import { challengeMailHandler } from './email/jobs.ts'
import { findNewDevice } from './sessions/queries.ts'
import { newestMail } from './sign-in.test-kit.ts'

const world = await openWorld()
const { db, user, client, config, outbox, log } = world
await world.runJobs()

/** The mail of this subject to an address, once it is there. A job may run twice, and so may its mail. */
async function mailOf(address: string, subject: RegExp) {
  const find = async () =>
    (await mailsTo(address, 0)).find(({ headers }) => subject.test(headers.get('Subject') ?? ''))
  await until(`a mail ${subject} to ${address}`, async () => (await find()) !== undefined)
  return find()
}

/** Mails to an address, once there are so many. */
async function mailsTo(address: string, count: number) {
  const found = () =>
    readdirSync(outbox)
      .sort()
      .map((file) => readMessage(readFileSync(join(outbox, file), 'utf8')))
      .filter(({ headers }) => headers.get('To') === address)
  await until(`${count} mails to ${address}`, () => found().length >= count)
  return found()
}

const signIn = async (email: string | null, who = createBrowser(client)) => {
  await who.post('/auth/email', { email })
  const { code } = await newestMail(db)
  expect((await who.post('/auth/email/verify', { code })).status).toBe(200)
  return who
}

test('the mail of a sign-in holds its link and its code; neither the job nor the row does', async () => {
  const { email } = await user()
  const zoe = createBrowser(client)
  await zoe.post('/auth/email', { email })
  const { id, token, code } = await newestMail(db)
  const [mail] = await mailsTo(email ?? '', 1)
  expect(mail?.headers.get('Subject')).toBe(`Votre code de connexion : ${code}`)
  expect(mail?.text).toContain(`http://localhost:3000/backoffice/sign-in#token=${token}`)
  expect(mail?.headers.get('Message-ID')).toContain(id)
  const { rows } = await run(
    world.database.superuser,
    `select data::text as text from pgboss.job where name = 'sign-in.mail-challenge'
     union all select row_to_json(email_challenges)::text from email_challenges`,
  )
  const stored = rows.map(({ text }) => text).join()
  expect(stored).toContain(id)
  for (const secret of [token, code]) expect(stored).not.toContain(secret)
})

test('nobody who is not known gets a mail, and a language that was chosen is used', async () => {
  const { email } = await user({ langue: 'en' })
  await createBrowser(client).post('/auth/email', { email: 'nobody@example.org' })
  await createBrowser(client).post('/auth/email', { email })
  const [mail] = await mailsTo(email ?? '', 1)
  expect(mail?.headers.get('Subject')).toMatch(/^Your sign-in code: \d{6}$/)
  expect(
    readdirSync(outbox)
      .map((file) => readFileSync(join(outbox, file), 'utf8'))
      .join(),
  ).not.toContain('nobody@')
})

test('a sign-in from a new device is reported by mail; one from a known device, or the very first, is not', async () => {
  const { id, email } = await user()
  const laptop = await signIn(email)
  await laptop.post('/auth/logout')
  await signIn(email, laptop)
  await signIn(email)
  const { rows } = await run(
    world.database.superuser,
    `select from pgboss.job j join sessions s on s.id::text = j.data->>'sessionId' where s.user_id = '${id}'`,
  )
  expect(rows).toHaveLength(1)
  const told = await mailOf(email ?? '', /^Connexion à Parvis depuis un nouvel appareil$/)
  expect(told?.text).toContain('http://localhost:3000/backoffice/account')
})

test('a sign-in from a new device is not reported to an address that its user has not verified', async () => {
  const values = { issuer: 'https://id.example', last_seen_at: new Date() }
  for (const email_verified of [false, true]) {
    const { id } = await user({ ...values, email_verified })
    expect((await findNewDevice(db, (await openSession(db, id)).id)) !== null).toBe(email_verified)
  }
})

test('an invitation contains no token, and the former address gets a notice of a new one', async () => {
  const admin = await world.as('admin')
  const email = `${uuidv7()}@example.org`
  const { id } = (await admin.post('/admin/users', { email })).body.data
  const [invitation] = await mailsTo(email, 1)
  expect(invitation?.text).toMatch(/^http:\/\/localhost:3000\/backoffice\/sign-in\r$/m)
  expect(invitation?.text).not.toContain('token')
  const who = createBrowser(client)
  who.cookies.set('parvis_session', (await openSession(db, id)).value)
  const address = `${uuidv7()}@example.org`
  await who.post('/me/email', { email: address })
  const { code } = await newestMail(db)
  expect((await mailsTo(address, 1))[0]?.text).toContain(code)
  await who.post('/me/email/verify', { code })
  const told = await mailOf(email, /^L’adresse de votre compte Parvis a changé$/)
  expect(told?.text).not.toContain(address)
})

test('a mail whose process died during the hand-over is sent again as the same mail', async () => {
  const { email } = await user()
  await createBrowser(client).post('/auth/email', { email })
  const { id: challengeId } = await newestMail(db)
  const sent: Mail[] = []
  const job = uuidv7()
  const perform = (outcome: Promise<MailOutcome> | MailOutcome) => {
    const mailer = {
      async send(mail: Mail) {
        sent.push(mail)
        return outcome
      },
    }
    const context = { id: job, attempt: 1, signal: new AbortController().signal }
    return challengeMailHandler({ db, config, log, mailer } as never).perform({ challengeId }, context)
  }
  void perform(new Promise(() => {}))
  await until('it is handed over', () => sent.length === 1)
  await perform({ status: 'uncertain', error: 'no answer' })
  expect(sent).toEqual([sent[0], sent[0]])
})

test('while the mail server is down the mail is tried again, until it expires with its code', async () => {
  const { email } = await user()
  const sent: Mail[] = []
  let outcome: MailOutcome = { status: 'failed', retry: true, error: 'nobody is there' }
  const mailer = {
    async send(mail: Mail) {
      sent.push(mail)
      return outcome
    },
    close: async () => {},
  }
  const handler = challengeMailHandler({ db, config, log, mailer } as never)
  const job = uuidv7()
  const perform = (challengeId: string) =>
    handler.perform({ challengeId }, { id: job, attempt: 1, signal: new AbortController().signal })
  const ask = async () => {
    expect((await createBrowser(client).post('/auth/email', { email })).status).toBe(202)
    return newestMail(db)
  }
  const { id, code } = await ask()
  await expect(perform(id)).rejects.toThrow('nobody is there')
  outcome = { status: 'sent' }
  await perform(id)
  // The same mail at each attempt, so that a server that got it twice can tell.
  expect(sent.map(({ messageId }) => messageId)).toEqual([sent[0]?.messageId, sent[0]?.messageId])
  expect(sent[1]?.text).toContain(code)

  const late = await ask()
  await sql`update email_challenges set expires_at = now() - interval '1 ms' where id = ${late.id}`.execute(
    db,
  )
  await perform(late.id)
  const disabled = await ask()
  await db.updateTable('users').set({ actif: false }).where('email', '=', email).execute()
  await perform(disabled.id)
  expect(sent).toHaveLength(2)
})
