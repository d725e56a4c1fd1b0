import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { jwtSecret } from '../../../../test/support/factories.ts'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { grantAndSign } from '../../users/tokens.ts'
import { closeChallengesOf } from '../confirmation.ts'
import { findMail } from '../email/queries.ts'
import { newestMail } from '../sign-in.test-kit.ts'

const world = await openWorld()
const { db, user, client } = world

let number = 0
const newAddress = () => `new-${++number}@example.org`

/** Creates an account as signing in by mail does, with its address as subject. */
async function own(values: Parameters<typeof user>[0] = {}) {
  const email = `own-${++number}@example.org`
  const person = await user({ email, subject: email, ...values })
  const { value } = await openSession(db, person.id)
  const who = createBrowser(client)
  who.cookies.set('parvis_session', value)
  return { ...person, email, who }
}

test('PATCH /me returns 200 with the new name and language, and keeps omitted fields', async () => {
  const { who } = await own()
  expect((await who.patch('/me', { nom: 'Zoé Lambert' })).body.data).toMatchObject({
    nom: 'Zoé Lambert',
    langue: 'fr',
  })
  expect((await who.patch('/me', { langue: 'en' })).body.data).toMatchObject({
    nom: 'Zoé Lambert',
    langue: 'en',
  })
  expect((await who.patch('/me', { nom: null })).body.data).toMatchObject({ nom: null, langue: 'en' })
  for (const body of [{ langue: 'de' }, { nom: '' }, { email: 'x@example.org' }, { roles: ['admin'] }])
    expect(await who.patch('/me', body)).toBeError(422, 'validation_failed')
})

test('POST /me/email returns 202; the new address replaces the old one once verified', async () => {
  const { id, email, who } = await own()
  const address = newAddress()
  const asked = await who.post('/me/email', { email: address.toUpperCase() })
  expect([asked.status, asked.body]).toEqual([202, { data: { sent: true } }])
  const { code } = await newestMail(db)
  expect((await who.get('/me')).body.data.email).toBe(email)
  const wrong = code === '000000' ? '000001' : '000000'
  expect(await who.post('/me/email/verify', { code: wrong })).toBeError(401, 'unauthenticated')
  const other = await own()
  expect(await other.who.post('/me/email/verify', { code })).toBeError(401, 'unauthenticated')
  expect((await who.post('/me/email/verify', { code })).body.data).toMatchObject({
    id,
    email: address,
    email_verified: true,
  })
  expect((await who.get('/me')).status).toBe(200)
  expect(await who.post('/me/email/verify', { code })).toBeError(401, 'unauthenticated')

  const phone = createBrowser(client)
  await phone.post('/auth/email', { email: address })
  expect((await phone.post('/auth/email/verify', { code: (await newestMail(db)).code })).status).toBe(200)
  expect((await phone.get('/me')).body.data.id).toBe(id)
  await phone.post('/auth/email', { email })
  const former = await newestMail(db)
  expect(await createBrowser(client).post('/auth/email/verify', { token: former.token })).toBeError(
    401,
    'unauthenticated',
  )
})

test('links and codes mailed before a change of address are refused after it', async () => {
  const { email, who } = await own()
  const [phone, tablet] = [createBrowser(client), createBrowser(client)]
  await phone.post('/auth/email', { email })
  const link = (await newestMail(db)).token
  await tablet.post('/auth/email', { email })
  const { code } = await newestMail(db)
  await who.post('/auth/confirm/email')
  const confirmation = (await newestMail(db)).code
  await who.post('/me/email', { email: newAddress() })
  const proof = { code: (await newestMail(db)).code }
  expect((await who.post('/me/email/verify', proof)).status).toBe(200)
  const fresh = createBrowser(client)
  expect(await fresh.post('/auth/email/verify', { token: link })).toBeError(401, 'unauthenticated')
  expect(await tablet.post('/auth/email/verify', { code })).toBeError(401, 'unauthenticated')
  expect(await who.post('/auth/confirm', { code: confirmation })).toBeError(401, 'unauthenticated')
})

test('a mail requested for the former address during a change of address is not sent', async () => {
  const { id, email } = await own()
  const address = newAddress()
  let asking = Promise.resolve<unknown>(null)
  await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${id} for update`.execute(tx)
    asking = createBrowser(client).post('/auth/email', { email })
    await untilWaiting(db)
    await sql`update users set email = ${address}, subject = ${address} where id = ${id}`.execute(tx)
    await closeChallengesOf(tx, id)
  })
  await asking
  expect(await findMail(db, (await newestMail(db)).id)).toBeNull()
})

test('tokens for the old address are refused and create no second account; the command finds the account', async () => {
  const { id, email, who } = await own({ roles: ['support'] })
  const secret = world.config.auth.jwtSecret ?? ''
  const now = () => new Date()
  const digests = identityDigests(world.config)
  const sign = (address: string) =>
    grantAndSign(db, { email: address, role: null, secret, digests, ttlS: 600, now: now() })
  const before = await sign(email)
  expect((await client({ token: before }).get('/me')).status).toBe(200)
  const address = newAddress()
  await who.post('/me/email', { email: address })
  expect((await who.post('/me/email/verify', { code: (await newestMail(db)).code })).status).toBe(200)
  expect(await client({ token: before }).get('/me')).toBeError(401, 'unauthenticated')
  const count = await db.selectFrom('users').select('id').where('subject', '=', email).execute()
  expect(count).toEqual([])
  expect((await client({ token: await sign(address) }).get('/me')).body.data).toMatchObject({
    id,
    roles: ['support'],
  })
})

test('the refusal of a taken address is only shown to a user who can read its mail', async () => {
  const [taken, mine] = [await own(), await own()]
  expect((await mine.who.post('/me/email', { email: taken.email })).status).toBe(202)
  const { code } = await newestMail(db)
  expect(await mine.who.post('/me/email/verify', { code })).toBeError(409, 'conflict')
  expect((await mine.who.get('/me')).body.data.email).toBe(mine.email)
})

test('an address of an account that a claim created is taken: its link still signs in to that account', async () => {
  const address = newAddress()
  const id = uuidv7()
  await db.insertInto('users').values({ id, email: address.toUpperCase() }).execute()
  const claimant = createBrowser(client)
  await claimant.post('/auth/email', { email: address })
  const { token } = await newestMail(db)
  const mine = await own()
  await mine.who.post('/me/email', { email: address })
  const { code } = await newestMail(db)
  expect(await mine.who.post('/me/email/verify', { code })).toBeError(409, 'conflict')
  expect((await claimant.post('/auth/email/verify', { token })).status).toBe(200)
  expect((await claimant.get('/me')).body.data).toMatchObject({ id, email_verified: true })
})

test('of two accounts that take one address concurrently one gets it', async () => {
  const address = newAddress()
  const [one, two] = [await own(), await own()]
  await one.who.post('/me/email', { email: address })
  const first = (await newestMail(db)).code
  await two.who.post('/me/email', { email: address })
  const second = (await newestMail(db)).code
  const answers = await Promise.all([
    one.who.post('/me/email/verify', { code: first }),
    two.who.post('/me/email/verify', { code: second }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('an account of an identity provider cannot change its address', async () => {
  const { who } = await own({ issuer: 'https://id.example' })
  const refused = await who.post('/me/email', { email: newAddress() })
  expect(refused).toBeError(409, 'address_set_elsewhere')
  expect(refused.body.message).toContain('change it there')
})

test('an account that its signer names otherwise than by its address cannot change the address', async () => {
  const { who } = await own({ subject: 'u-1' })
  expect(await who.post('/me/email', { email: newAddress() })).toBeError(409, 'address_set_elsewhere')
})

test('the account that a claim created is not doubled by the command of the operator', async () => {
  const [id, email] = [uuidv7(), newAddress()]
  await db.insertInto('users').values({ id, email }).execute()
  const { id: acteur_id } = await world.acteur()
  await db.insertInto('actor_users').values({ acteur_id, user_id: id, role: 'owner' }).execute()
  const [digests, now] = [identityDigests(world.config), new Date()]
  const token = await grantAndSign(db, { email, role: null, secret: jwtSecret, digests, ttlS: 60, now })
  const me = (await client({ token }).get('/me')).body.data
  expect(me).toMatchObject({ id, acteurs: [{ acteur_id, role: 'owner' }] })
  expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1)
})

test('POST /me/email and /me/email/verify return 422 for an invalid address or code', async () => {
  const { who } = await own()
  expect(await who.post('/me/email', { email: 'nowhere' })).toBeError(422, 'validation_failed')
  expect(await who.post('/me/email/verify', {})).toBeError(422, 'validation_failed')
})

test('POST /admin/users returns 201: the invited address signs in and has its roles', async () => {
  const admin = await world.as('admin')
  const email = newAddress()
  const made = await admin.post('/admin/users', {
    email: email.toUpperCase(),
    nom: 'Zoé',
    roles: ['moderator'],
  })
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({
    email,
    nom: 'Zoé',
    roles: ['moderator'],
    actif: true,
    email_verified: false,
  })
  const who = createBrowser(client)
  await who.post('/auth/email', { email })
  await who.post('/auth/email/verify', { code: (await newestMail(db)).code })
  expect((await who.get('/admin/publications')).status).toBe(200)
  expect(await admin.post('/admin/users', { email })).toBeError(409, 'conflict')
  for (const body of [{}, { email: 'x' }, { email, roles: ['emperor'] }, { email, actif: true }])
    expect(await admin.post('/admin/users', body)).toBeError(422, 'validation_failed')
})

test('an invitation reuses an account created by a claim, but not a disabled one', async () => {
  const admin = await world.as('admin')
  const [email, off] = [newAddress(), newAddress()]
  const id = uuidv7()
  await db.insertInto('users').values({ id, email, nom: 'Ada' }).execute()
  await db.insertInto('user_roles').values({ user_id: id, role: 'moderator' }).execute()
  await db.insertInto('users').values({ id: uuidv7(), email: off, actif: false }).execute()
  const made = await admin.post('/admin/users', { email, nom: 'Autre', roles: ['support'] })
  // It has signed nobody in, yet was given a role.
  expect(made.body.data).toMatchObject({ id, roles: ['moderator', 'support'] })
  expect(await admin.post('/admin/users', { email: off })).toBeError(409, 'conflict')
})

test('two concurrent invitations of one address create one account', async () => {
  const admin = await world.as('admin')
  const email = newAddress()
  const answers = await Promise.all([0, 1, 2].map(() => admin.post('/admin/users', { email })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})
