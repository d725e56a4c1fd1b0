import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import type { Role } from '../../platform/access/areas.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts'
import { waitingIn } from '../dashboard/counts.ts'
import { texts } from './mail.ts'
import { digestOfPerson, isWorkingDay, queueDigests, sendHandler } from './module.ts'

const world = await openWorld()
const { user, client, acteur, post, db, jobs, config } = world
const signal = new AbortController().signal
const friday = '2026-11-20T07:30:00.000Z'
let time = friday
const setClock = (now: string) => {
  time = now
  world.setClock(now)
}
const claimed = await acteur()
await post('/claims', { acteur_id: claimed.id, message: 'Bonjour', telephone: '01 99 00 12 34' })

beforeEach(async () => {
  setClock(friday)
  await sql`delete from digest_mails`.execute(db)
  await sql`delete from digests`.execute(db)
})

/** Somebody who asked for digests. */
async function subscriber(roles: Role[] = ['moderator'], values: object = {}) {
  const one = await user({ roles, email_verified: true, last_seen_at: new Date(), ...values })
  await db.insertInto('digests').values({ user_id: one.id, daily: true }).execute()
  return one
}
const queue = (now = friday, batch = 100) => queueDigests({ db, jobs }, new Date(now), signal, batch)
const mailsOf = (userId: string) =>
  db.selectFrom('digest_mails').selectAll().where('user_id', '=', userId).orderBy('day').execute()

/** Sends all queued mails with a mailer that returns these outcomes or runs these functions. */
function sender(...answers: (MailOutcome | (() => Promise<MailOutcome>))[]) {
  const sent: Mail[] = []
  const send = async (mail: Mail) => {
    sent.push(mail)
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? { status: 'sent' as const }
    return typeof answer === 'function' ? answer() : answer
  }
  const mailer = { send, close: async () => {} }
  const handler = sendHandler({ db, config, mailer, modules, clock: () => new Date(time) })
  const perform = (mailId: string, attempt = 1) => handler.perform({ mailId }, { id: 'job', attempt, signal })
  return { sent, perform }
}
async function sentTo(userId: string): Promise<Mail[]> {
  const { sent, perform } = sender()
  for (const { id } of await mailsOf(userId)) await perform(id)
  return sent
}

test('POST /me/digest returns 200, and GET /me shows the choice', async () => {
  const { token } = await user()
  const mine = client({ token })
  const shown = async () => (await mine.get('/me')).body.data.digest
  expect(await shown()).toEqual({ daily: false })
  for (const daily of [true, true, false]) {
    const { status, body } = await mine.post('/me/digest', { daily })
    expect([status, body]).toEqual([200, { data: { daily } }])
    expect(await shown()).toEqual({ daily })
  }
})

test.each([{}, { daily: 'yes' }, { daily: true, weekly: true }])(
  'POST /me/digest returns 422 for %j',
  async (body) => {
    const { token } = await user()
    expect(await client({ token }).post('/me/digest', body)).toBeError(422, 'validation_failed')
  },
)

test('a digest lists the waiting work of the areas that its reader may open', async () => {
  const [moderator, admin] = [await subscriber(), await subscriber(['admin'])]
  await post('/support/messages', { email: 'zoe@example.org', subject: 'Bac', body: 'Bonjour' })
  expect(await queue()).toBe(2)
  const [mail] = await sentTo(moderator.id)
  expect(mail?.to).toBe(moderator.email)
  expect(mail?.subject).toBe('À traiter aujourd’hui : 1')
  expect(mail?.text).toMatch(/^- 1 revendication à décider, depuis le /m)
  expect(mail?.text).not.toContain('échange')
  expect((await sentTo(admin.id))[0]?.text).toMatch(/^- 1 échange non lu/m)
})

test('nobody gets a digest twice on a day, whatever runs twice', async () => {
  const { id } = await subscriber()
  expect((await Promise.all([queue(), queue(), queue()])).reduce((sum, count) => sum + count)).toBe(1)
  expect(await queue('2026-11-20T09:30:00.000Z')).toBe(0)
  const [mail] = await mailsOf(id)
  const { sent, perform } = sender()
  await Promise.all(Array.from({ length: 5 }, () => perform(mail?.id ?? '')))
  await perform(mail?.id ?? '')
  expect(sent).toHaveLength(1)
  // Even if the mark were lost.
  await sql`update digests set handled_on = null`.execute(db)
  await queue()
  expect(await mailsOf(id)).toHaveLength(1)
  setClock('2026-11-23T07:30:00.000Z')
  expect(await queue('2026-11-23T07:30:00.000Z')).toBe(1)
  expect(await mailsOf(id)).toHaveLength(2)
})

test('a crash while a mail is handed over does not repeat it; a refusal for now is retried', async () => {
  const { id } = await subscriber()
  await queue()
  const [mail] = await mailsOf(id)
  const away = { status: 'failed', retry: true, error: 'nobody is there' } as const
  const crash = () => Promise.reject(new Error('the process dies'))
  const { sent, perform } = sender(away, crash)
  await expect(perform(mail?.id ?? '')).rejects.toThrow('nobody is there')
  await expect(perform(mail?.id ?? '', 2)).rejects.toThrow('the process dies')
  await perform(mail?.id ?? '', 3)
  await perform(mail?.id ?? '', 4)
  expect(sent.map(({ messageId }) => messageId)).toEqual([sent[0]?.messageId, sent[0]?.messageId])
  expect((await mailsOf(id))[0]?.email_status).toBe('uncertain')
})

test('a crash while digests are queued leaves neither a mark without a mail nor a mail without a job', async () => {
  const { id } = await subscriber()
  const broken = { ...jobs, enqueue: () => Promise.reject(new Error('the process dies')) }
  await expect(queueDigests({ db, jobs: broken }, new Date(friday), signal)).rejects.toThrow('dies')
  expect(await mailsOf(id)).toEqual([])
  expect(await queue()).toBe(1)
  expect(await mailsOf(id)).toHaveLength(1)
})

test('more digests than a batch are all queued', async () => {
  for (let count = 0; count < 5; count++) await subscriber()
  expect(await queue(friday, 2)).toBe(5)
})

test.each([
  ['a disabled user', 'update users set actif = false where id = $1'],
  ['an address that is not verified', 'update users set email_verified = false where id = $1'],
  ['somebody without a role', 'delete from user_roles where user_id = $1'],
  ['somebody who wants none any more', 'update digests set daily = false where user_id = $1'],
])('%s gets no digest, neither a new one nor one that is queued', async (_who, change) => {
  const [before, after] = [await subscriber(), await subscriber()]
  await world.pool.query(change, [before.id])
  await queue()
  await world.pool.query(change, [after.id])
  expect([await sentTo(before.id), await sentTo(after.id)]).toEqual([[], []])
  expect([await mailsOf(before.id), await mailsOf(after.id)]).toEqual([[], []])
})

test('a role that changed since counts: nothing waits there, and no mail is sent', async () => {
  const { id } = await subscriber()
  await queue()
  await sql`update user_roles set role = 'support' where user_id = ${id}`.execute(db)
  await sql`update support_threads set unread = false`.execute(db)
  expect(await sentTo(id)).toEqual([])
  expect(await mailsOf(id)).toEqual([])
  expect(await queue('2026-11-20T10:30:00.000Z')).toBe(0)
})

test('a digest that could not be sent on its day is dropped', async () => {
  const { id } = await subscriber()
  await queue()
  setClock('2026-11-21T07:30:00.000Z')
  expect(await sentTo(id)).toEqual([])
  expect(await mailsOf(id)).toEqual([])
})

test('digests are queued on working days, and old records go', async () => {
  const { id } = await subscriber()
  await queue('2026-11-21T07:30:00.000Z')
  await queue('2026-11-11T07:30:00.000Z')
  expect(await mailsOf(id)).toEqual([])
  await queue('2026-11-12T07:30:00.000Z')
  await queue('2027-01-04T07:30:00.000Z')
  expect(await mailsOf(id)).toHaveLength(1)
  const days = [
    '2026-04-03',
    '2026-04-06',
    '2026-05-14',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-12-25',
  ]
  expect(days.map(isWorkingDay)).toEqual([true, false, false, true, false, false, false])
})

test('an export contains the choice and the days, and an erasure deletes them', async () => {
  const { id } = await subscriber()
  await queue()
  const person = { userIds: [id], emails: [] }
  expect(await Array.fromAsync(digestOfPerson.read(db, person))).toMatchObject([
    { daily: true, days: ['2026-11-20'] },
  ])
  const [mail] = await mailsOf(id)
  expect(await db.transaction().execute(async (tx) => digestOfPerson.erase?.(tx, person))).toEqual([
    id,
    mail?.id,
  ])
  const { sent, perform } = sender()
  await perform(mail?.id ?? '')
  expect(sent).toEqual([])
})

test('the mail names every kind of waiting work, in both languages', () => {
  const keys = waitingIn(modules).map(({ key }) => key)
  for (const { kinds } of Object.values(texts)) expect(Object.keys(kinds).sort()).toEqual(keys.toSorted())
})

test('a queued digest leaves as a mail', async () => {
  const { id } = await subscriber()
  await queue()
  await world.runJobs()
  await until('it is sent', async () => (await mailsOf(id))[0]?.email_status === 'sent')
})
