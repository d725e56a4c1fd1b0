import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { claimsKit, rounds } from '../claims.test-kit.ts'
import { expireClaimOf, expireClaims } from '../expire.ts'
import { claimsOfPerson, pseudonymiseClaims } from '../module.ts'
import { maxQuestions } from '../schema.ts'
import { questionHandler } from './jobs.ts'

const world = await openWorld({ env: { SUPPORT_REPLY_TO: 'aide@example.org', CLAIM_TTL_DAYS: '30' } })
const { as, client, acteur, user, db, config } = world
const { claim, stored, auditEntries, age } = claimsKit(world)
const moderator = await as('moderator')
const admin = await as('admin')
const signal = new AbortController().signal

const question = { body: ' Qui préside le club ?\r\nDepuis quand ? ' }
const reachable = () => claim({ email: `${uuidv7()}@example.org` })
const ask = (id: string, by = moderator) => by.post(`/admin/claims/${id}/question`, question)
const resume = (id: string) => moderator.post(`/admin/claims/${id}/resume`)
const read = async (id: string) => (await moderator.get(`/admin/claims/${id}`)).body.data
const statusOf = async (id: string) => (await read(id)).status
const days = (count: number) => count * 86_400_000
/** Moves a claim with its wait into the past. */
const shift = (id: string, count: number) =>
  sql`update claims set created_at = created_at - make_interval(days => ${count}::int),
    asked_at = asked_at - make_interval(days => ${count}::int),
    waits_until = waits_until - make_interval(days => ${count}::int) where id = ${id}`.execute(db)
const questionsOf = (id: string) =>
  db.selectFrom('claim_questions').selectAll().where('claim_id', '=', id).execute()

/** Performs the mail job of a question. */
async function mailsOf(questionId: string): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = {
    async send(mail: Mail) {
      sent.push(mail)
      return { status: 'sent' as const }
    },
    close: async () => {},
  }
  await questionHandler({ db, config, mailer }).perform({ questionId }, { id: 'job', attempt: 1, signal })
  return sent
}

test('POST /admin/claims/{id}/question returns 201; the claim shows it and waits 14 days longer', async () => {
  const id = await reachable()
  const asker = await user({ roles: ['moderator'], nom: 'Zoé' })
  const { status, body, headers } = await ask(id, client({ source: 'backoffice', token: asker.token }))
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/v1/admin/claims/${id}`)
  const asked = {
    id: expect.any(String),
    claim_id: id,
    body: 'Qui préside le club ?\nDepuis quand ?',
    asked_by: asker.id,
    asked_by_user: { id: asker.id, nom: 'Zoé' },
    email_status: 'queued',
    email_error: null,
    created_at: expect.stringMatching(/Z$/),
  }
  expect(body).toEqual({ data: asked })
  const now = await read(id)
  expect(now).toMatchObject({ status: 'pending', awaits_answer: true, questions_count: 1, version: 2 })
  expect(now.questions).toEqual([asked])
  expect(Date.parse(now.waits_until) - Date.parse(now.asked_at)).toBe(days(14))
  expect(Date.parse(now.expires_at) - Date.parse(now.created_at)).toBe(days(44))
  const [row] = (await moderator.get(`/admin/claims?ids=${id}`)).body.data
  expect(row).toMatchObject({ awaits_answer: true, waits_until: now.waits_until })
  expect((await auditEntries(id)).at(-1)).toMatchObject({
    action: 'claim.question',
    user_id: asker.id,
    after: { question: '(personal)', waits_until: now.waits_until },
  })
})

test('an asked claim expires after the time it has waited, and is decidable until then', async () => {
  const [waiting, over] = [await reachable(), await reachable()]
  for (const id of [waiting, over]) {
    await age(id, 29)
    expect((await ask(id)).status).toBe(201)
  }
  await shift(waiting, 13)
  await shift(over, 16)
  expect(await read(waiting)).toMatchObject({ status: 'pending', awaits_answer: true })
  expect(await read(over)).toMatchObject({ status: 'expired', awaits_answer: false, expires_at: null })
  expect(await expireClaims(db, 30, signal)).toBe(1)
  expect((await stored(over)).status).toBe('expired')
  const listed = async (status: string) => {
    const { body } = await moderator.get(`/admin/claims?ids=${waiting},${over}&status=${status}`)
    return body.data.map((row: { id: string }) => row.id)
  }
  expect([await listed('pending'), await listed('expired')]).toEqual([[waiting], [over]])
  expect((await admin.get('/admin/counts')).body.data.claims.count).toBeGreaterThan(0)
  expect((await moderator.patch(`/admin/claims/${waiting}`, { status: 'rejected' })).status).toBe(200)
  expect(await read(waiting)).toMatchObject({ awaits_answer: false, expires_at: null })
})

test('POST /admin/claims/{id}/resume returns 200, and the claim expires after the remaining time', async () => {
  const id = await reachable()
  await age(id, 20)
  await ask(id)
  await shift(id, 4)
  const { status, body } = await resume(id)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ status: 'pending', awaits_answer: false, version: 5 })
  const left = Date.parse(body.data.expires_at) - Date.now()
  expect(left).toBeGreaterThan(days(9.99))
  expect(left).toBeLessThan(days(10.01))
  expect(await resume(id)).toBeError(409, 'conflict')
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual([
    'claim.create',
    'claim.question',
    'claim.resume',
  ])
})

test('a further question is mailed and lets nothing wait; the eleventh returns 409', async () => {
  const id = await reachable()
  await ask(id)
  const { waits_until, asked_at } = (await resume(id)).body.data
  for (let number = 2; number <= maxQuestions; number++) expect((await ask(id)).status).toBe(201)
  expect(await read(id)).toMatchObject({ waits_until, asked_at, awaits_answer: false, questions_count: 10 })
  expect((await read(id)).questions).toHaveLength(maxQuestions)
  expect(await ask(id)).toBeError(409, 'conflict')
})

test('POST /admin/claims/{id}/resume returns 409 if not waiting or already decided', async () => {
  const id = await reachable()
  expect(await resume(id)).toBeError(409, 'conflict')
  await ask(id)
  await moderator.patch(`/admin/claims/${id}`, { status: 'rejected' })
  expect(await resume(id)).toBeError(409, 'claim_already_decided')
})

test('POST /admin/claims/{id}/question returns 409 for a claim that was decided or is overdue, and without an address', async () => {
  const [decided, overdue, silent] = [await reachable(), await reachable(), await claim()]
  await moderator.patch(`/admin/claims/${decided}`, { status: 'rejected' })
  await age(overdue, 31)
  for (const id of [decided, overdue]) expect(await ask(id)).toBeError(409, 'claim_already_decided')
  expect(await ask(silent)).toBeError(409, 'claim_unreachable')
  for (const id of [decided, overdue, silent]) expect(await questionsOf(id)).toEqual([])
})

// The last one: a letter that becomes three.
const wrongBodies = [' ', '\u2060', 'x'.repeat(5_001), '\ufb2c'.repeat(5_000)]

test.each(['question', 'resume'])(
  'POST /admin/claims/{id}/%s returns 403 for one’s own claim, 404, 412 and 422',
  async (action) => {
    const body = action === 'question' ? question : {}
    // Seen just now: the token's own address is not taken over.
    const seen = { last_seen_at: new Date() }
    const own = await user({ roles: ['moderator'], email: `${uuidv7()}@example.org`, ...seen })
    const mine = client({ source: 'backoffice', token: own.token })
    for (const id of [await claim({ token: own.token }), await claim({ email: own.email ?? '' })])
      expect(await mine.post(`/admin/claims/${id}/${action}`, body)).toBeError(403, 'forbidden')
    for (const id of [uuidv7(), '12'])
      expect(await moderator.post(`/admin/claims/${id}/${action}`, body)).toBeError(404, 'not_found')
    const path = `/admin/claims/${await reachable()}/${action}`
    const stale = await moderator.send('POST', path, body, { headers: { 'if-match': '"7"' } })
    expect(stale).toBeError(412, 'precondition_failed')
    for (const wrong of [{ text: 'x' }, ...wrongBodies.map((text) => ({ ...body, body: text }))])
      expect(await moderator.post(path, wrong)).toBeError(422, 'validation_failed')
  },
)

test('a request repeated with its Idempotency-Key asks the claimant once', async () => {
  const path = `/admin/claims/${await reachable()}/question`
  const headers = { 'idempotency-key': uuidv7() }
  const [one, other] = [
    await moderator.send('POST', path, question, { headers }),
    await moderator.send('POST', path, question, { headers }),
  ]
  expect([one.status, other.status, other.body]).toEqual([201, 201, one.body])
  expect(await questionsOf(one.body.data.claim_id)).toHaveLength(1)
})

test('the mail is in the language of the claimant, with SUPPORT_REPLY_TO as Reply-To', async () => {
  const claimant = await user()
  await db.updateTable('users').set({ langue: 'en' }).where('id', '=', claimant.id).execute()
  const signedIn = await claim({ token: claimant.token, acteur: await acteur({ nom: 'Boule' }) })
  const anonymous = await claim({ email: 'odile@évry.example', nom: 'Odile', message: 'Voyez evil.example' })
  const [inEnglish] = await mailsOf((await ask(signedIn)).body.data.id)
  expect(inEnglish).toMatchObject({ to: claimant.email, subject: 'A question about your claim to “Boule”' })
  const asked = (await ask(anonymous)).body.data.id
  const [inFrench] = await mailsOf(asked)
  expect(inFrench).toMatchObject({
    to: 'odile@xn--vry-9la.example',
    replyTo: 'aide@example.org',
    messageId: `<claim-question-${asked}@localhost.localdomain>`,
  })
  expect(inFrench?.text).toMatch(/^Bonjour Odile,\n/)
  expect(inFrench?.text).not.toContain('evil')
  const { waits_until } = await read(anonymous)
  const lastDay = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })
  expect(inFrench?.text).toContain(`pourra expirer après le ${lastDay.format(new Date(waits_until))}.`)
  expect((await questionsOf(anonymous))[0]?.email_status).toBe('sent')
  expect(await mailsOf(asked)).toEqual([])
})

test('a question is not mailed once its claim is decided, and again not after an undo', async () => {
  const id = await reachable()
  const asked = (await ask(id)).body.data.id
  const { decision_id } = (await moderator.patch(`/admin/claims/${id}`, { status: 'rejected' })).body.data
  expect(await mailsOf(asked)).toEqual([])
  expect(await questionsOf(id)).toMatchObject([{ email_status: 'failed', email_error: null }])
  expect((await moderator.post(`/admin/decisions/${decision_id}/undo`)).status).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'pending', awaits_answer: true })
  expect((await ask(id)).status).toBe(201)
})

test('a question and a decision at once: the question comes first or finds the claim decided', async () => {
  for (let round = 0; round < 3 * rounds; round++) {
    const id = await reachable()
    const [asked, decided] = await Promise.all([
      ask(id),
      moderator.patch(`/admin/claims/${id}`, { status: 'rejected' }),
    ])
    expect(decided.status).toBe(200)
    expect([201, 409]).toContain(asked.status)
    expect(await questionsOf(id)).toHaveLength(asked.status === 201 ? 1 : 0)
    expect(await statusOf(id)).toBe('rejected')
  }
})

test('an expiry that waited for a question finds that the claim waits', async () => {
  const claimed = await acteur()
  const id = await claim({ acteur: claimed, email: 'odile@example.org' })
  await expireClaims(db, 30, signal)
  await age(id, 31)
  const asking = await db.startTransaction().execute()
  await sql`update claims set questions_count = 1, asked_at = now() - interval '2 days',
    waits_until = now() + interval '12 days' where id = ${id}`.execute(asking)
  const expiring = db.transaction().execute((tx) => expireClaimOf(tx, claimed.id, 30))
  await untilWaiting(db)
  expect(await expireClaims(db, 30, signal)).toBe(0)
  await asking.commit().execute()
  await expiring
  expect((await stored(id)).status).toBe('pending')
})

test('an export contains the questions; an erasure deletes them and ends the claim', async () => {
  const email = `${uuidv7()}@example.org`
  const id = await claim({ email })
  const asked = (await ask(id)).body.data.id
  const person = { userIds: [], emails: [email] }
  const told = await Array.fromAsync(claimsOfPerson.read(db, person))
  expect(told).toMatchObject([{ id, questions: [{ body: 'Qui préside le club ?\nDepuis quand ?' }] }])
  expect(await db.transaction().execute(async (tx) => claimsOfPerson.erase?.(tx, person))).toEqual([
    id,
    asked,
  ])
  expect(await questionsOf(id)).toEqual([])
  expect(await mailsOf(asked)).toEqual([])
  expect(await ask(id)).toBeError(409, 'claim_already_decided')
})

test('retention deletes the questions of an old claim', async () => {
  const id = await reachable()
  await ask(id)
  await moderator.patch(`/admin/claims/${id}`, { status: 'rejected' })
  await sql`update claims set ended_at = now() - interval '25 months' where id = ${id}`.execute(db)
  expect(await pseudonymiseClaims(db, 24, 100)).toBe(1)
  expect(await questionsOf(id)).toEqual([])
  expect(await stored(id)).toMatchObject({ message: '', questions_count: 1 })
})
