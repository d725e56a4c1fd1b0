import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { performed } from '../../../platform/mail/performed.test-kit.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { acceptanceHandler } from './jobs.ts'

const world = await openWorld()
const { as, client, config, db, user } = world
const moderator = await as('moderator')
const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const

type Author = { id: string }
const write = (author: Author | null, title = 'Fête du port', values: object = {}) =>
  insertPublication(world, { ...pending, title, created_by: author?.id ?? null, ...values })
const decide = (id: string, moderation_status: string, more: object = {}) =>
  moderator.patch(`/admin/publications/${id}/moderate`, { moderation_status, ...more })
const accept = (id: string) => decide(id, 'published')
const mailsOf = async ({ id }: Author) =>
  (
    await sql<{
      id: string
    }>`select id from acceptance_mails where user_id = ${id} order by created_at`.execute(db)
  ).rows

/** Performs the jobs of an author's mails, and returns what leaves. */
const sent = async (author: Author) =>
  performed(
    db,
    (mailer) => acceptanceHandler({ db, config, mailer }),
    (await mailsOf(author)).map(({ id }) => id),
  )

test('an author is told that a publication was accepted, with its page and how to stop these mails', async () => {
  const author = await user({ email_verified: true, nom: 'Zoé' })
  const { id, slug } = await write(author)
  expect((await accept(id)).status).toBe(200)
  const [mail, ...others] = await sent(author)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: author.email, subject: '« Fête du port » est acceptée' })
  expect(mail?.text).toContain(`/publications/${slug}\n`)
  expect(mail?.text).toContain('/backoffice/account')
})

test('one that appears later names the day instead of a page that nobody sees yet', async () => {
  const author = await user({ email_verified: true })
  const { id, slug } = await write(author)
  await decide(id, 'approved', { publie_le: '2090-12-03T08:00:00.000Z' })
  const [mail] = await sent(author)
  expect(mail?.text).toContain('Elle paraîtra le 3 décembre 2090.')
  expect(mail?.text).not.toContain(slug)
})

test('a decision on several makes one mail for each author', async () => {
  const [zoe, max] = [
    await user({ email_verified: true }),
    await user({ email_verified: true, langue: 'en' }),
  ]
  const titles = Array.from({ length: 22 }, (_, index) => `Bal ${String(index).padStart(2, '0')}`)
  const ofZoe = await Promise.all(titles.map((title) => write(zoe, title)))
  const ofMax = await write(max, 'Ball')
  const ids = [...ofZoe, ofMax].map(({ id }) => id)
  await moderator.patch('/admin/publications/bulk/moderate', { ids, moderation_status: 'published' })
  const [mail, ...others] = await sent(zoe)
  expect([mail?.subject, others]).toEqual(['22 publications sont acceptées', []])
  expect(mail?.text).toContain('– « Bal 00 »')
  expect(mail?.text).toContain('Et 2 autres.')
  expect(await sent(max)).toMatchObject([{ subject: '“Ball” has been accepted' }])
})

test('each publication is told of once, however often it is accepted again', async () => {
  const author = await user({ email_verified: true })
  const { id } = await write(author)
  await accept(id)
  expect(await sent(author)).toHaveLength(1)
  await decide(id, 'pending')
  // A job that runs again, because its worker died before it was noted as done.
  expect(await sent(author)).toEqual([])
  await accept(id)
  expect(await mailsOf(author)).toHaveLength(1)
})

test('an acceptance that is taken back before the mail leaves is not told; the next one is', async () => {
  const author = await user({ email_verified: true })
  const [kept, undone] = [await write(author, 'Gardée'), await write(author, 'Annulée')]
  const ids = [kept.id, undone.id]
  await moderator.patch('/admin/publications/bulk/moderate', { ids, moderation_status: 'published' })
  await decide(undone.id, 'pending')
  expect(await sent(author)).toMatchObject([{ subject: '« Gardée » est acceptée' }])
  await accept(undone.id)
  expect(await sent(author)).toMatchObject([{ subject: '« Annulée » est acceptée' }])
})

test('an undo of the whole decision deletes the mail', async () => {
  const author = await user({ email_verified: true })
  const { id } = await write(author)
  const { decision_id } = (await accept(id)).body.data
  await moderator.post(`/admin/decisions/${decision_id}/undo`)
  expect([await sent(author), await mailsOf(author)]).toEqual([[], []])
})

test('nobody is told of a rejection, of what they accept themselves, or of a change of what was accepted', async () => {
  const author = await user({ email_verified: true })
  const own = await user({ email_verified: true, roles: ['moderator'] })
  await decide((await write(author)).id, 'rejected')
  await decide(
    (await write(author, 'Déjà vue', { moderation_status: 'approved', valide: true })).id,
    'published',
  )
  const mine = await write(own)
  const body = { moderation_status: 'published' }
  const asOwn = client({ token: own.token, source: 'backoffice' })
  expect((await asOwn.patch(`/admin/publications/${mine.id}/moderate`, body)).status).toBe(200)
  await accept((await write(null)).id)
  expect([await mailsOf(author), await mailsOf(own)]).toEqual([[], []])
})

test('those who switched it off, or whose address nobody verified, get none', async () => {
  const [quiet, unverified] = [await user({ email_verified: true }), await user({ email_verified: false })]
  const asQuiet = client({ token: quiet.token })
  expect((await asQuiet.patch('/me', { acceptance_mails: false })).body.data.acceptance_mails).toBe(false)
  for (const author of [quiet, unverified]) await accept((await write(author)).id)
  expect([await mailsOf(quiet), await mailsOf(unverified)]).toEqual([[], []])
  expect((await asQuiet.patch('/me', { acceptance_mails: true })).body.data.acceptance_mails).toBe(true)
})

test('a mail that waits is not sent once its author has switched it off', async () => {
  const author = await user({ email_verified: true })
  await accept((await write(author)).id)
  await client({ token: author.token }).patch('/me', { acceptance_mails: false })
  expect([await sent(author), await mailsOf(author)]).toEqual([[], []])
})
