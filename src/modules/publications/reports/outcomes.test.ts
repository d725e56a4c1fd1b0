import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { groundsKit } from '../../grounds/grounds.test-kit.ts'
import { auditedValues, copyPublication } from '../publications.test-kit.ts'
import { contestable } from './cases.ts'
import { expireReports } from './expiring.ts'
import { mailDueHandler } from './mailing.ts'
import { reportsKit } from './reports.test-kit.ts'

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
const { db } = world
const { written } = groundsKit(world)
const { another, mailsOf, send } = reportsKit(world)
const admin = await world.as('admin')

type Written = Awaited<ReturnType<typeof written>>
let addresses = 0
/** A publication that two people and somebody without an address have reported, each of whom got a receipt. */
async function reported(values: object = {}): Promise<Written> {
  const one = await written(values, { can_publish: true })
  for (const email of [`a${++addresses}@example.org`, `b${addresses}@example.org`, undefined])
    await world.post(
      `/publications/${one.id}/report`,
      { category: 'wrong', ...(email && { email }) },
      another(),
    )
  await send()
  return one
}
const casesOf = (id: string) =>
  db
    .selectFrom('report_cases')
    .select(['outcome', 'ended_by', 'followed_by', sql<string | null>`ground->>'code'`.as('ground')])
    .where('publication_id', '=', id)
    .orderBy('opened_at')
    .execute()
const moderate = ({ at }: Written, body: object) => admin.patch(`${at}/moderate`, body)
const rejected = { moderation_status: 'rejected', ground: 'spam', reason: 'Entre nous' }
const undo = (decision: string) => admin.post(`/admin/decisions/${decision}/undo`)
const kindsOf = async (id: string) =>
  (await mailsOf(id)).map(({ kind }) => kind).filter((kind) => kind !== 'receipt')

const ways: [string, object, (one: Written) => Promise<unknown>][] = [
  ['kept', {}, (one) => moderate(one, { moderation_status: 'published' })],
  ['kept', {}, ({ at }) => admin.patch(`${at}/valide`, { valide: true })],
  ['rejected', { ground: 'spam' }, (one) => moderate(one, rejected)],
  [
    'rejected',
    { ground: 'autre' },
    ({ id }) =>
      admin.patch('/admin/publications/bulk/moderate', { ids: [id], moderation_status: 'rejected' }),
  ],
  ['hidden', { ground: 'date' }, ({ at }) => admin.patch(`${at}/valide`, { valide: false, ground: 'date' })],
  ['hidden', { ground: 'autre' }, (one) => moderate(one, { moderation_status: 'pending' })],
  ['deleted', { ground: 'spam' }, ({ at }) => admin.delete(`${at}?ground=spam`)],
  ['deleted', {}, ({ id }) => admin.patch('/admin/publications/bulk/delete', { ids: [id] })],
  [
    'withdrawn',
    { ended_by: 'author', ground: null },
    ({ id, asOwner }) => asOwner.delete(`/publications/${id}`),
  ],
  ['unfounded', { ground: null }, ({ at }) => admin.post(`${at}/reports/close`)],
  ['unfounded', { ground: 'donnees' }, ({ at }) => admin.post(`${at}/reports/close`, { ground: 'donnees' })],
  [
    'unfounded',
    { ground: 'spam' },
    ({ id }) => admin.patch('/admin/publications/bulk/close-reports', { ids: [id], ground: 'spam' }),
  ],
  ['kept', { ground: 'date' }, (one) => moderate(one, { moderation_status: 'published', ground: 'date' })],
  ['unfounded', {}, ({ id }) => admin.patch('/admin/publications/bulk/close-reports', { ids: [id] })],
  [
    'corrected',
    {},
    async ({ at }) => {
      await admin.patch(at, { title: 'Mardi' })
      await admin.post(`${at}/reports/close`)
    },
  ],
  [
    'corrected',
    {},
    async (one) => {
      await one.asOwner.patch(`/publications/${one.id}`, { title: 'Mardi' })
      await moderate(one, { moderation_status: 'published' })
    },
  ],
  [
    'duplicate',
    { ground: 'doublon' },
    async ({ id }) => {
      const [other] = await copyPublication(world, id, 1)
      await admin.post(`/admin/publications/${other}/keep`, { reject: [id] })
    },
  ],
  [
    'duplicate',
    { ground: 'spam' },
    async ({ id }) => {
      const [other] = await copyPublication(world, id, 1)
      await admin.post(`/admin/publications/${other}/keep`, { reject: [id], ground: 'spam' })
    },
  ],
  ['deactivated', {}, ({ acteur }) => admin.patch(`/admin/acteurs/${acteur.id}/active`, { active: false })],
  ['deactivated', {}, ({ acteur }) => admin.delete(`/admin/acteurs/${acteur.id}`)],
  [
    'expired',
    { ended_by: 'rule' },
    async ({ id }) => {
      await sql`update publications set date_debut = current_date - 40 where id = ${id}`.execute(db)
      await expireReports(db, 100)
    },
  ],
]

test.each(ways)('each reporter learns once that it was %s %j', async (outcome, facts, end) => {
  const one = await reported()
  await end(one)
  expect(await casesOf(one.id)).toEqual([
    expect.objectContaining({ outcome, ended_by: 'team', followed_by: null, ...facts }),
  ])
  const mails = await send()
  expect(mails).toHaveLength(2)
  expect(new Set(mails.map(({ to }) => to)).size).toBe(2)
  for (const { text } of mails) {
    expect(text).toContain(contestable.includes(outcome as never) ? '/reclamation/c' : '/contact')
    expect(text).not.toMatch(/Entre nous|@example/)
  }
  // Later decisions end no case that has ended.
  await moderate(one, { moderation_status: 'rejected', reason: 'Encore' })
  await moderate(one, { moderation_status: 'rejected', reason: 'Toujours' })
  expect(await send()).toEqual([])
})

test('a report that it is about the reader makes personal data the ground, unless another is given', async () => {
  const [given, hidden, unfounded] = [await reported(), await reported(), await reported()]
  for (const { id } of [given, hidden, unfounded])
    await world.post(`/publications/${id}/report`, { category: 'personal' }, another())
  await moderate(given, rejected)
  await admin.patch(`${hidden.at}/valide`, { valide: false })
  expect((await send()).map(({ text }) => /(?:Règle|Loi)[^:]*: [^.]*/.exec(text)?.[0]).sort()).toEqual([
    ...Array(2).fill(expect.stringMatching(/^Loi : Données personnelles/)),
    ...Array(2).fill(expect.stringMatching(/^Règle : /)),
  ])
  await admin.post(`${unfounded.at}/reports/close`, { ground: 'donnees' })
  for (const { text } of await send()) expect(text).toContain('Loi examinée : Données personnelles')
  expect((await casesOf(hidden.id)).map(({ ground }) => ground)).toEqual(['donnees'])
  const wrong = await admin.post(`${unfounded.at}/reports/close`, { ground: 'nothing' })
  expect(wrong).toBeError(422, 'validation_failed')
})

test('reporters learn that what was taken is public again, once', async () => {
  const one = await reported()
  await moderate(one, rejected)
  await send()
  for (const _ of [1, 2]) await moderate(one, { moderation_status: 'published' })
  const mails = await send()
  expect(mails.map(({ text }) => text.includes('de nouveau visible'))).toEqual([true, true])
  expect(await casesOf(one.id)).toMatchObject([{ outcome: 'rejected', followed_by: 'restored' }])
})

test('an outcome that has not left says itself that the publication is public again', async () => {
  const one = await reported()
  await moderate(one, rejected)
  await moderate(one, { moderation_status: 'published' })
  expect(await kindsOf(one.id)).toEqual(['outcome', 'outcome'])
  expect((await send()).every(({ text }) => text.includes('Depuis, elle est de nouveau visible'))).toBe(true)
})

test('an undo before the mail leaves nobody told; afterwards a second mail says that the report is open again', async () => {
  for (const isSent of [false, true]) {
    const one = await reported()
    const { decision_id } = (await moderate(one, rejected)).body.data
    if (isSent) await send()
    await undo(decision_id)
    const followed = isSent ? ['followed', 'followed'] : []
    expect((await kindsOf(one.id)).filter((kind) => kind === 'followed')).toEqual(followed)
    expect((await send()).every(({ text }) => text.includes('va relire'))).toBe(true)
    await moderate(one, { moderation_status: 'published' })
    expect((await casesOf(one.id)).map(({ outcome }) => outcome)).toEqual(['rejected', 'kept'])
    expect((await send()).map(({ text }) => text.includes('elle reste visible'))).toEqual([true, true])
  }
})

test('what its author restores is reported again: each has an outcome of both cases', async () => {
  const one = await reported()
  await one.asOwner.delete(`/publications/${one.id}`)
  await send()
  await one.asOwner.patch(`/publications/${one.id}/restore`)
  expect(await kindsOf(one.id)).toEqual(['outcome', 'outcome', 'followed', 'followed'])
  await send()
  await admin.post(`${one.at}/reports/close`)
  expect((await send()).map(({ text }) => text.includes('pas retenu'))).toEqual([true, true])
})

test('an acteur that is shown again opens the reports on its publications again', async () => {
  const one = await reported()
  const set = (active: boolean) => admin.patch(`/admin/acteurs/${one.acteur.id}/active`, { active })
  await set(false)
  await send()
  await set(true)
  expect(await send()).toHaveLength(2)
  expect(await casesOf(one.id)).toMatchObject([
    { outcome: 'deactivated', followed_by: 'reopened' },
    { outcome: null },
  ])
})

test('behind the limit of receipts, only a confirmed address has the outcome', async () => {
  const [first, second] = [await written(), await written()]
  const tell = (id: string, email: string) =>
    world.post(`/publications/${id}/report`, { category: 'spam', email }, another())
  for (const { id } of [first, second]) {
    await tell(id, 'stranger@example.org')
    await tell(id, 'known@example.org')
  }
  await send()
  await sql`
    update reporters set confirmed_at = now() where id in (
      select reporter_id from case_reporters f join report_cases c on c.id = f.case_id where c.publication_id = ${second.id}
      order by f.created_at desc limit 1)`.execute(db)
  for (const one of [first, second]) await moderate(one, rejected)
  expect((await send()).map(({ to }) => to).sort()).toEqual([
    'known@example.org',
    'known@example.org',
    'stranger@example.org',
  ])
})

test('a worker that dies after the mail server took the mail sends it no second time', async () => {
  const one = await reported()
  await moderate(one, rejected)
  let taken = 0
  await send(() => {
    taken += 1
    throw new Error('killed')
  })
  expect(taken).toBe(2)
  await db
    .updateTable('report_mails')
    .set({ email_status_at: sql<Date>`now() - interval '2 hours'` })
    .execute()
  expect(await send()).toEqual([])
  expect((await mailsOf(one.id)).filter(({ kind }) => kind === 'outcome')).toMatchObject([
    { email_status: 'sending' },
    { email_status: 'sending' },
  ])
})

test('the minutely job enqueues what an undo can no longer cancel, once', async () => {
  const one = await reported()
  await moderate(one, rejected)
  const enqueued: string[] = []
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, payload: { mailId: string }) =>
      enqueued.push(payload.mailId),
  }
  const { perform } = mailDueHandler({ db, jobs } as never)
  const run = () => perform({}, { id: one.id, attempt: 1, signal: new AbortController().signal })
  await run()
  const ours = (await mailsOf(one.id)).filter(({ kind }) => kind === 'outcome').map(({ id }) => id)
  expect(enqueued.filter((id) => ours.includes(id))).toEqual([])
  await sql`update report_mails set created_at = created_at - interval '31 seconds'`.execute(db)
  await run()
  expect(enqueued.filter((id) => ours.includes(id)).sort()).toEqual(ours.sort())
})

test('a report that says more than wrong or twice does not expire, nor one of an event to come', async () => {
  const [old, soon, grave] = [await reported(), await reported(), await reported()]
  await world.post(`/publications/${grave.id}/report`, { category: 'inappropriate' }, another())
  for (const [{ id }, days] of [
    [old, 31],
    [soon, 30],
    [grave, 31],
  ] as const)
    await sql`update publications set date_debut = current_date - ${days}::int where id = ${id}`.execute(db)
  await expireReports(db, 100)
  const outcomes = await Promise.all(
    [old, soon, grave].map(async ({ id }) => (await casesOf(id))[0]?.outcome),
  )
  expect(outcomes).toEqual(['expired', null, null])
  expect((await auditedValues(world, old.id)).at(-1)).toMatchObject({
    action: 'publication.close_reports',
    user_id: null,
    after: { reports_closed: 3 },
  })
  await send()
})

test('a decision on two publications whose acteur is hidden meanwhile ends each case once', async () => {
  for (let round = 0; round < (process.env.PARVIS_TEST_LONG ? 20 : 3); round++) {
    const one = await reported()
    const [other = ''] = await copyPublication(world, one.id, 1)
    await world.post(
      `/publications/${other}/report`,
      { category: 'spam', email: `r${round}@example.org` },
      another(),
    )
    await send()
    const answers = await Promise.all([
      admin.patch('/admin/publications/bulk/moderate', {
        ids: [other, one.id],
        moderation_status: 'rejected',
      }),
      admin.patch(`/admin/acteurs/${one.acteur.id}/active`, { active: false }),
      world.post(
        `/publications/${one.id}/report`,
        { category: 'spam', email: `m${round}@example.org` },
        another(),
      ),
    ])
    expect(answers.map(({ status }) => status).slice(0, 2)).toEqual([200, 200])
    expect([201, 404]).toContain(answers[2]?.status)
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from report_cases where publication_id in (${one.id}, ${other}) and ended_at is null`.execute(
      db,
    )
    expect(rows).toEqual([{ open: 0 }])
    const mails = await send()
    expect(new Set(mails.map(({ to, text }) => `${to} ${text}`)).size).toBe(mails.length)
  }
})

test('who reported while signed in is told in the language of the account, others in French', async () => {
  const one = await written({}, { can_publish: true })
  for (const [email, langue] of [
    ['english@example.org', 'en'],
    ['french@example.org', 'fr'],
  ] as const) {
    const { token } = await world.user({ langue })
    await world.client({ token }).post(`/publications/${one.id}/report`, { category: 'wrong', email })
  }
  const unknown = { category: 'wrong', email: 'unknown@example.org' }
  await world.post(`/publications/${one.id}/report`, unknown, another())
  const receipts = await send()
  await moderate(one, rejected)
  const subjectsTo = (mails: typeof receipts) =>
    Object.fromEntries(mails.map(({ to, subject }) => [to, subject.split(/\s?:/)[0]]))
  expect(subjectsTo(receipts)).toEqual({
    'english@example.org': 'Your report',
    'french@example.org': 'Votre signalement',
    'unknown@example.org': 'Votre signalement',
  })
  expect(subjectsTo(await send())).toEqual({
    'english@example.org': 'What became of your report',
    'french@example.org': 'Suite de votre signalement',
    'unknown@example.org': 'Suite de votre signalement',
  })
})
