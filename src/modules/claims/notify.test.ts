import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import { claimsKit } from './claims.test-kit.ts'
import { decisionMails, notifyClaimant, notifyClaimantHandler } from './notify.ts'

const world = await openWorld()
const { as, acteur, user, db, config, runJobs } = world
const { claim, stored, mails } = claimsKit(world)
const admin = await as('admin')

const approve = { status: 'approved' }
const reject = { status: 'rejected', reason: 'Le club nous a indiqué un autre contact : Basile.' }
const emailOf = async (id: string) => (await stored(id)).email_status
const jobsOf = async (id: string) =>
  (
    await sql`select from pgboss.job where name = ${notifyClaimant.name} and data->>'claimId' = ${id}`.execute(
      db,
    )
  ).rows.length

/** Creates a decided claim with a queued mail; no jobs run yet. */
async function decided(body: object = approve, to = 'odile@example.org'): Promise<string> {
  const id = await claim({ email: to, nom: 'Odile' })
  expect((await admin.patch(`/admin/claims/${id}`, body)).body.data.email_status).toBe('queued')
  return id
}

/** Builds the handler with a mailer that returns these outcomes or runs these functions. */
function sender(...answers: (MailOutcome | (() => Promise<MailOutcome>))[]) {
  const sent: Mail[] = []
  const send = async (mail: Mail) => {
    sent.push(mail)
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? { status: 'sent' }
    return typeof answer === 'function' ? answer() : answer
  }
  const handler = notifyClaimantHandler({ db, config, mailer: { send, close: async () => {} } })
  const tell = async (claimId: string, attempt = 1, signal = new AbortController().signal) => {
    const { decision_id: decisionId } = await stored(claimId)
    return handler.perform({ claimId, decisionId }, { id: 'job', attempt, signal })
  }
  return { sent, tell }
}

const away: MailOutcome = { status: 'failed', retry: true, error: 'connection refused' }

test('retries a mail under the same Message-ID until the server accepts it', async () => {
  const id = await decided()
  const { sent, tell } = sender(away, away, { status: 'sent' })
  await expect(tell(id, 1)).rejects.toThrow('not sent: connection refused')
  expect(await emailOf(id)).toBe('queued')
  await expect(tell(id, 2)).rejects.toThrow('not sent')
  await tell(id, 3)
  expect(await emailOf(id)).toBe('sent')
  expect(new Set(sent.map(({ messageId }) => messageId))).toEqual(
    new Set([`<claim-decision-${id}@localhost.localdomain>`]),
  )
  await tell(id, 4)
  expect(sent).toHaveLength(3)
})

test('fails after the last attempt and is sent when an operator retries it', async () => {
  const id = await decided()
  const { tell } = sender(away, away, { status: 'sent' })
  await expect(tell(id, notifyClaimant.settings.retries)).rejects.toThrow('not sent')
  expect(await emailOf(id)).toBe('queued')
  await expect(tell(id, notifyClaimant.settings.retries + 1)).rejects.toThrow('not sent')
  expect(await emailOf(id)).toBe('failed')
  await tell(id)
  expect(await emailOf(id)).toBe('sent')
})

test('a mail that can never be sent fails immediately', async () => {
  const id = await decided()
  await sender({ status: 'failed', retry: false, error: 'no such mailbox' }).tell(id)
  expect(await emailOf(id)).toBe('failed')
})

test('a mail the server may have accepted is uncertain and is not sent again', async () => {
  const id = await decided()
  const { sent, tell } = sender({ status: 'uncertain', error: 'the connection ended' })
  await tell(id)
  expect(await emailOf(id)).toBe('uncertain')
  await tell(id, 2)
  expect(sent).toHaveLength(1)
})

test('the state sending is committed first; a crash then leaves the mail uncertain, never sent twice', async () => {
  const id = await decided()
  let before: string | null = null
  const crash = async () => {
    before = await emailOf(id)
    throw new Error('the process dies')
  }
  const { sent, tell } = sender(crash, { status: 'sent' })
  await expect(tell(id)).rejects.toThrow('the process dies')
  expect(before).toBe('sending')
  expect(await emailOf(id)).toBe('sending')
  await tell(id, 2)
  expect(await emailOf(id)).toBe('uncertain')
  await tell(id, 3)
  expect(sent).toHaveLength(1)
})

test('a job delivered twice concurrently sends one mail, finally recorded as sent', async () => {
  const id = await decided()
  const handed = Promise.withResolvers<void>()
  const accepted = Promise.withResolvers<MailOutcome>()
  const { sent, tell } = sender(() => {
    handed.resolve()
    return accepted.promise
  })
  const first = tell(id)
  await handed.promise
  await tell(id, 2)
  expect(await emailOf(id)).toBe('uncertain')
  accepted.resolve({ status: 'sent' })
  await first
  expect(await emailOf(id)).toBe('sent')
  expect(sent).toHaveLength(1)
})

test('ten concurrent deliveries send one mail', async () => {
  const id = await decided()
  const { sent, tell } = sender({ status: 'sent' })
  await Promise.all(Array.from({ length: 10 }, () => tell(id)))
  expect(sent).toHaveLength(1)
  expect(await emailOf(id)).toBe('sent')
})

test('a stopping service sends no more mail', async () => {
  const id = await decided()
  const { sent, tell } = sender({ status: 'sent' })
  await expect(tell(id, 1, AbortSignal.abort())).rejects.toThrow()
  expect([await emailOf(id), sent.length]).toEqual(['queued', 0])
})

test('a mail without a recorded outcome is uncertain after an hour', async () => {
  const [old, recent] = [await decided(), await decided()]
  for (const [id, minutes] of [
    [old, 61],
    [recent, 59],
  ] as const) {
    await sql`update claims set email_status = 'sending',
      email_status_at = now() - make_interval(mins => ${minutes}::int) where id = ${id}`.execute(db)
  }
  expect(await giveUpMails(db, decisionMails)).toBe(1)
  expect([await emailOf(old), await emailOf(recent)]).toEqual(['uncertain', 'sending'])
  expect((await stored(old)).version).toBe(2)
})

test('without an address no mail is sent and no job waits', async () => {
  const nameless = await claim()
  const claimant = await user({ email: 'not an address' })
  const unreadable = await claim({ token: claimant.token })
  for (const id of [nameless, unreadable]) {
    // The token's own e-mail is stored when it is used.
    await db.updateTable('users').set({ email: 'not an address' }).where('id', '=', claimant.id).execute()
    const answer = await admin.patch(`/admin/claims/${id}`, reject)
    expect(answer.body.data).toMatchObject({ status: 'rejected', email_status: null })
    expect(await jobsOf(id)).toBe(0)
  }
})

test("a signed-in claimant who gives an address gets mail there, not at the account's address", async () => {
  const claimant = await user()
  const id = await claim({ token: claimant.token, email: 'odile@example.org' })
  await db.updateTable('users').set({ email: 'not an address' }).where('id', '=', claimant.id).execute()
  expect((await admin.patch(`/admin/claims/${id}`, reject)).body.data.email_status).toBe('queued')
  const { sent, tell } = sender({ status: 'sent' })
  await tell(id)
  expect(sent.map(({ to }) => to)).toEqual(['odile@example.org'])
})

test('a refused decision sends no mail', async () => {
  const claimed = await acteur()
  const id = await claim({ acteur: claimed, email: 'odile@example.org' })
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', claimed.id).execute()
  expect(await admin.patch(`/admin/claims/${id}`, approve)).toBeError(409, 'conflict')
  expect(await jobsOf(id)).toBe(0)
})

test.each([
  ['https://evil.example/gagnez'],
  ['evil.example'],
  ['Odile\nVotre compte est bloqué'],
  ['Odile <eve@example.org>'],
  ['Appelez le 0899'],
  ['Odile, cliquez'],
  ['’- ’'],
  ['x'.repeat(61)],
])('a claimant named %j is greeted without the name, and nothing else they typed is quoted', async (nom) => {
  for (const body of [approve, reject]) {
    const email = `victime+www.evil.example/${nom.length}@example.org`
    const id = await claim({ email, telephone: '0899 evil', message: 'Voyez www.evil.example' })
    // Includes a name that only earlier versions accepted.
    await db.updateTable('claims').set({ nom }).where('id', '=', id).execute()
    await admin.patch(`/admin/claims/${id}`, body)
    const { sent, tell } = sender({ status: 'sent' })
    await tell(id)
    const { to, subject, text } = sent[0] ?? {}
    expect(to).toBe(email)
    expect(text).toMatch(/^Bonjour,\n/)
    expect(`${subject}${text}`).not.toMatch(/evil|0899|bloqué|cliquez|x{9}|victime/)
  }
})

test.each([['Zoé'], ["Jean-Noël d'Œuvrard"], ['Łukasz Đặng'], ['Odile e\u0301toile'], ['x'.repeat(60)]])(
  'a claimant named %s is greeted by name',
  async (nom) => {
    const id = await claim({ nom, email: 'odile@example.org' })
    await admin.patch(`/admin/claims/${id}`, reject)
    const { sent, tell } = sender({ status: 'sent' })
    await tell(id)
    expect(sent[0]?.text).toMatch(new RegExp(`^Bonjour ${nom.normalize('NFC')},\n`))
  },
)

/** Ends the delay of queued mails. */
const release = () =>
  sql`update pgboss.job set start_after = now() where name = ${notifyClaimant.name} and state < 'active'`.execute(
    db,
  )

describe('with running jobs', () => {
  beforeAll(runJobs)

  test('mails the approval once and says where to find the new permissions', async () => {
    const claimed = await acteur({ nom: 'Boule des Accoules' })
    const id = await claim({ acteur: claimed, email: 'odile@évry.example', nom: ' Odile d’Œuvrard-Zoé ' })
    await admin.patch(`/admin/claims/${id}`, approve)
    await release()
    await until('it is sent', async () => (await emailOf(id)) === 'sent')
    const [mail = '', ...more] = await mails(id)
    expect(more).toEqual([])
    const { headers, text } = readMessage(mail)
    expect(Object.fromEntries(headers)).toMatchObject({
      To: 'odile@xn--vry-9la.example',
      Subject: 'Bienvenue : « Boule des Accoules » est à vous',
      'Message-ID': `<claim-decision-${id}@localhost.localdomain>`,
    })
    expect(text).toMatch(/^Bonjour Odile d’Œuvrard-Zoé,\r\n\r\nBonne nouvelle/)
    expect(text).toContain('l’adresse à laquelle vous recevez ce message, puis confirmez-la')
  })

  test("mails the rejection with its reason, to a signed-in claimant's address and in their language", async () => {
    const claimant = await user()
    const id = await claim({ token: claimant.token })
    await admin.patch(`/admin/claims/${id}`, reject)
    await release()
    await until('it is sent', async () => (await emailOf(id)) === 'sent')
    const { headers, text } = readMessage((await mails(id))[0] ?? '')
    expect(headers.get('To')).toBe(claimant.email)
    expect(text).toMatch(/^Bonjour,\r\n/)
    expect(text).toContain(reject.reason)
    await db.updateTable('users').set({ langue: 'en' }).where('id', '=', claimant.id).execute()
    const signedIn = await claim({ token: claimant.token })
    await admin.patch(`/admin/claims/${signedIn}`, approve)
    await release()
    await until('it is sent', async () => (await emailOf(signedIn)) === 'sent')
    expect(readMessage((await mails(signedIn))[0] ?? '').text).toContain('Just sign in as usual')
  })
})
