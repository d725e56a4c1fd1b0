import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { performed } from '../../../platform/mail/performed.test-kit.ts'
import { claimsKit } from '../claims.test-kit.ts'
import { receiptHandler } from './jobs.ts'

const world = await openWorld()
const { acteur, as, commune, config, db, post, user } = world
const { claim, stored } = claimsKit(world)
const moderator = await as('moderator')

const receiptsOf = async (ids: string[]) =>
  (
    await sql<{ id: string; email_status: string }>`
      select id, email_status from claim_receipts where id = any(${ids}::uuid[]) order by id`.execute(db)
  ).rows

/** Performs the jobs that a claim has enqueued, and returns the receipts that leave. */
const sent = (claimId: string) => performed(db, (mailer) => receiptHandler({ db, config, mailer }), [claimId])

test('a claim is acknowledged once, to the address that was typed, with its reference', async () => {
  const boules = await acteur({ nom: 'Boule d’or' })
  const id = await claim({ acteur: boules, email: 'odile@example.org', nom: 'Odile' })
  const { reference } = await stored(id)
  const [mail, ...others] = await sent(id)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: 'odile@example.org',
    subject: 'Votre demande pour « Boule d’or » est arrivée',
  })
  expect(mail?.messageId).toMatch(`<claim-receipt-${id}@`)
  for (const part of ['Bonjour Odile,', reference ?? '?', 'Ignorez ce message'])
    expect(mail?.text).toContain(part)
  expect(mail?.text).not.toContain((await stored(id)).message)
  expect(await receiptsOf([id])).toEqual([{ id, email_status: 'sent' }])
})

test('an account gets it at its verified address, in its language', async () => {
  const verified = await user({ email_verified: true, langue: 'en' })
  const id = await claim({ token: verified.token })
  expect(await sent(id)).toMatchObject([
    { to: verified.email, subject: expect.stringMatching(/^We have received/) },
  ])
})

test.each([
  ['an account without a verified address', () => user({ email_verified: false })],
  ['somebody who leaves a telephone number', async () => ({ token: undefined })],
])('%s gets none', async (_whom, of) => {
  const { token } = await of()
  const id = await claim(token === undefined ? {} : { token })
  expect([await sent(id), await receiptsOf([id])]).toEqual([[], []])
})

test('the name of an acteur that is added with its claim is not quoted', async () => {
  const nom = 'GAGNEZ 1 000 € sur exemple.test'
  const { id: commune_id } = await commune()
  const answer = await post('/registrations', {
    acteur: { nom, type: 'association', commune_id },
    message: 'Je préside ce club.',
    email: 'registered@example.org',
  })
  const [mail] = await sent(answer.body.data.id)
  expect(mail?.subject).toBe('Votre demande d’inscription est arrivée')
  expect(mail?.text).not.toContain('GAGNEZ')
})

test('an address gets one an hour and three a day, however it is written and whoever claims', async () => {
  const ids: string[] = []
  const age = (hours: number) =>
    sql`update claim_receipts set created_at = created_at - make_interval(hours => ${hours}::int) where id = any(${ids}::uuid[])`.execute(
      db,
    )
  const ask = async (email: string, token?: string) =>
    ids.push(await claim({ email, ...(token && { token }) }))
  await ask('victim@example.org')
  await ask('VICTIM@example.org')
  expect(await receiptsOf(ids)).toHaveLength(1)
  const { token } = await user({ email_verified: true })
  for (const _ of [1, 2, 3]) {
    await age(2)
    await ask('victim@example.org', token)
  }
  expect(await receiptsOf(ids)).toHaveLength(3)
})

test('two claims at once with one address get one receipt', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => claim({ email: 'twice@example.org' })))
  expect(await receiptsOf(ids)).toHaveLength(1)
})

test('a claim that is decided before its receipt has left gets the decision alone', async () => {
  const id = await claim({ email: 'quick@example.org' })
  await moderator.patch(`/admin/claims/${id}`, { status: 'rejected', reason: 'Non.' })
  expect([await sent(id), await receiptsOf([id])]).toEqual([[], []])
})

test('a refused claim leaves none', async () => {
  const taken = await acteur()
  await claim({ acteur: taken, email: 'first@example.org' })
  const body = { acteur_id: taken.id, message: 'Moi aussi.', email: 'second@example.org' }
  expect((await post('/claims', body)).status).toBe(409)
  const { rows } = await sql`
    select from claim_receipts r join claims c on c.id = r.id where c.email = 'second@example.org'`.execute(
    db,
  )
  expect(rows).toEqual([])
})
