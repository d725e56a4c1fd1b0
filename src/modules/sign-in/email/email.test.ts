import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { jwtSecret } from '../../../../test/support/factories.ts'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { lockIdentity } from '../../../platform/access/users.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { newestMail, secrets } from '../sign-in.test-kit.ts'
import { insertOperatorLink } from './queries.ts'
import { mailSecrets } from './secrets.ts'

const world = await openWorld()
const { db, user, client } = world
const browser = () => createBrowser(client)
type Browser = ReturnType<typeof browser>

async function ask(who: Browser, email: string) {
  expect((await who.post('/auth/email', { email })).status).toBe(202)
  return newestMail(db)
}
const refused = async (who: Browser, proof: object) =>
  expect(await who.post('/auth/email/verify', proof)).toBeError(401, 'unauthenticated')
const auditedValues = async (action: string, userId: string) =>
  (
    await db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', action)
      .where('user_id', '=', userId)
      .execute()
  ).length
const isSignedIn = async (who: Browser) => (await who.get('/me')).status === 200

test('GET /auth/methods returns 200 with the available sign-in methods', async () => {
  expect((await browser().get('/auth/methods')).body).toEqual({
    data: { email: true, passkey: true, mail: 'files', mails_delayed: false, oidc: null },
  })
})

test('POST /auth/email returns 202, and its code signs in once, in the requesting browser', async () => {
  const { id, email } = await user({ roles: ['moderator'] })
  const zoe = browser()
  const asked = await zoe.post('/auth/email', { email: email?.toUpperCase() })
  expect([asked.status, asked.body]).toEqual([202, { data: { sent: true } }])
  const { code } = await newestMail(db)
  await refused(browser(), { code })
  const answer = await zoe.post('/auth/email/verify', { code: `${code}` })
  expect(answer.body).toEqual({ data: { status: 'signed_in' } })
  expect((await zoe.get('/me')).body.data).toMatchObject({
    email,
    email_verified: true,
    roles: ['moderator'],
  })
  expect((await zoe.get('/admin/publications')).status).toBe(200)
  await refused(zoe, { code })
  expect(await auditedValues('session.create', id)).toBe(1)
  expect((await zoe.post('/auth/logout')).body).toEqual({ data: { redirect: null } })
  expect(await zoe.get('/me')).toBeError(401, 'unauthenticated')
  expect(await auditedValues('session.end', id)).toBe(1)
})

test('POST /auth/email/verify returns 200 for the link once, in any browser', async () => {
  const { email } = await user()
  const { token } = await ask(browser(), email ?? '')
  const phone = browser()
  expect((await phone.post('/auth/email/verify', { token })).status).toBe(200)
  expect(await isSignedIn(phone)).toBe(true)
  await refused(browser(), { token })
})

test('the cookie is HttpOnly and SameSite: no script reads it, no other site sends it', async () => {
  const { email } = await user()
  const zoe = browser()
  const asked = await zoe.post('/auth/email', { email })
  expect(asked.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^parvis_attempt=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  const { code } = await newestMail(db)
  const answer = await zoe.post('/auth/email/verify', { code })
  expect(answer.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^parvis_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('with https the cookies are bound to the host and to TLS', async () => {
  const secure = await openWorld({ env: { PUBLIC_URL: 'https://parvis.example.org' } })
  const { email } = await secure.user()
  const zoe = createBrowser(secure.client)
  const asked = await zoe.post('/auth/email', { email })
  expect(asked.headers.getSetCookie()[0]).toMatch(/^__Host-parvis_attempt=.*; Secure; SameSite=Strict$/)
  const { code } = await newestMail(secure.db)
  expect((await zoe.post('/auth/email/verify', { code })).status).toBe(200)
  expect([...zoe.cookies.keys()].sort()).toEqual([
    '__Host-parvis_device',
    '__Host-parvis_known',
    '__Host-parvis_session',
  ])
  expect((await zoe.get('/me')).status).toBe(200)
})

test('an unknown, disabled or foreign address gets the same response, and cannot sign in', async () => {
  const off = await user({ actif: false })
  const foreign = await user({ issuer: 'https://id.example', email: 'foreign@example.org' })
  const known = await user()
  const responses = []
  for (const email of [known.email, 'nobody@example.org', off.email, foreign.email]) {
    const who = browser()
    const answer = await who.post('/auth/email', { email })
    const cookies = answer.headers.getSetCookie().map((line) => line.replace(/=[\w-]{43};/, '=…;'))
    responses.push({ status: answer.status, body: answer.body, cookies })
    if (email === known.email) continue
    const { code, token, id } = await newestMail(db)
    const row = await db.selectFrom('email_challenges').selectAll().where('id', '=', id).executeTakeFirst()
    expect(row).toMatchObject({ user_id: null, address: null })
    await refused(who, { code })
    await refused(who, { token })
  }
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
})

test('signing in binds an account created by a claim for this address, but not one with a role', async () => {
  const insert = async (email: string) => {
    const id = uuidv7()
    await db.insertInto('users').values({ id, email }).execute()
    return id
  }
  const plain = await insert('claimant@example.org')
  const zoe = browser()
  await zoe.post('/auth/email/verify', { code: (await ask(zoe, 'claimant@example.org')).code })
  expect((await zoe.get('/me')).body.data).toMatchObject({ id: plain, email: 'claimant@example.org' })
  expect(
    await db
      .selectFrom('users')
      .select(['issuer', 'subject', 'email_verified'])
      .where('id', '=', plain)
      .execute(),
  ).toEqual([{ issuer: 'parvis', subject: 'claimant@example.org', email_verified: true }])
  expect(await auditedValues('user.bind', plain)).toBe(1)

  const officer = await insert('officer@example.org')
  const eve = browser()
  const before = await ask(eve, 'officer@example.org')
  // The role is granted before the code is used.
  await db.insertInto('user_roles').values({ user_id: officer, role: 'admin' }).execute()
  await refused(eve, { code: before.code })
  const after = await ask(eve, 'officer@example.org')
  await refused(eve, { code: after.code })
})

test('five wrong codes invalidate only that sign-in attempt, including its link', async () => {
  const { email } = await user()
  const zoe = browser()
  const eve = browser()
  const hers = await ask(zoe, email ?? '')
  const guessed = await ask(eve, email ?? '')
  const wrong = guessed.code === '000000' ? '000001' : '000000'
  for (let n = 0; n < 5; n++) await refused(eve, { code: wrong })
  await refused(eve, { code: guessed.code })
  await refused(eve, { token: guessed.token })
  expect((await zoe.post('/auth/email/verify', { code: hers.code })).status).toBe(200)
})

test('concurrent guesses of a code count, at most five are checked', async () => {
  const { email } = await user()
  const eve = browser()
  const { id, code } = await ask(eve, email ?? '')
  const wrong = Array.from({ length: 30 }, (_, n) => String(n).padStart(6, '0')).filter((one) => one !== code)
  await Promise.all(wrong.map((one) => eve.copy().post('/auth/email/verify', { code: one })))
  const row = await db.selectFrom('email_challenges').selectAll().where('id', '=', id).executeTakeFirst()
  expect(row?.wrong_codes).toBe(5)
  await refused(eve, { code })
})

test('the right code still signs in at the fifth attempt', async () => {
  const { email } = await user()
  const zoe = browser()
  const { code } = await ask(zoe, email ?? '')
  const wrong = code === '000000' ? '000001' : '000000'
  for (let n = 0; n < 4; n++) await refused(zoe, { code: wrong })
  expect((await zoe.post('/auth/email/verify', { code })).status).toBe(200)
})

test('of many concurrent verifications of one token one succeeds, also on two instances', async () => {
  const other = await openWorld({ database: world.database })
  const { id, email } = await user()
  const { token } = await ask(browser(), email ?? '')
  const browsers = Array.from({ length: 8 }, (_, n) => createBrowser(n % 2 ? client : other.client))
  const answers = await Promise.all(browsers.map((who) => who.post('/auth/email/verify', { token })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
  expect(await auditedValues('session.create', id)).toBe(1)
})

test('code and link expire after 15 minutes; an operator’s link after 30', async () => {
  const { id: userId, email } = await user()
  const zoe = browser()
  const { id, code, token } = await ask(zoe, email ?? '')
  const age = (challenge: string, minutes: number) =>
    sql`update email_challenges set created_at = created_at - make_interval(mins => ${minutes}::int),
      expires_at = expires_at - make_interval(mins => ${minutes}::int) where id = ${challenge}`.execute(db)
  await age(id, 15)
  await refused(zoe, { code })
  await refused(zoe, { token })
  const link = uuidv7()
  await insertOperatorLink(db, { id: link, userId })
  await age(link, 29)
  expect((await zoe.post('/auth/email/verify', { token: secrets.linkToken(link) })).status).toBe(200)
})

test('POST /auth/email/verify returns 422 without a code or link, and with both', async () => {
  for (const body of [{}, { token: 'x', code: '123456' }]) {
    const answer = await browser().post('/auth/email/verify', body)
    expect(answer).toBeError(422, 'validation_failed')
  }
  expect(await browser().post('/auth/email', { email: 'no address' })).toBeError(422, 'validation_failed')
})

test('a forged or malformed token is refused', async () => {
  const { email } = await user()
  const { token } = await ask(browser(), email ?? '')
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  const other = mailSecrets(['another key that is long enough to be one'])
  for (const bad of [
    '',
    'x',
    changed,
    `${token}=`,
    token.slice(1),
    other.linkToken(uuidv7()),
    'é'.repeat(56),
  ])
    await refused(browser(), { token: bad })
})

test('after a second request both codes work in the browser, for five attempts in all', async () => {
  const [zoe, ada] = [await user(), await user()]
  for (const first of [true, false]) {
    const who = browser()
    const codes = [await ask(who, zoe.email ?? ''), await ask(who, ada.email ?? '')].map(({ code }) => code)
    const proof = { code: (first ? codes[0] : codes[1]) ?? '' }
    await refused(browser(), proof)
    expect((await who.post('/auth/email/verify', proof)).status).toBe(200)
    expect((await who.get('/me')).body.data.id).toBe(first ? zoe.id : ada.id)
  }
  const eve = browser()
  const mails = [await ask(eve, zoe.email ?? ''), await ask(eve, zoe.email ?? '')]
  const wrong = ['000000', '000001', '000002'].find((code) => mails.every((mail) => mail.code !== code))
  for (let n = 0; n < 5; n++) await refused(eve, { code: wrong })
  for (const { code, token } of mails) {
    await refused(eve, { code })
    await refused(eve, { token })
  }
})

test('another mail gives no additional attempts: five wrong codes void all of the address in that browser', async () => {
  const [zoe, ada] = [await user(), await user()]
  const eve = browser()
  const first = await ask(eve, zoe.email ?? '')
  const others = await ask(browser(), zoe.email ?? '')
  const wrongFor = (codes: string[]) =>
    Array.from({ length: 40 }, (_, n) => String(n).padStart(6, '0')).filter((one) => !codes.includes(one))
  for (const code of wrongFor([first.code]).slice(0, 4)) await refused(eve, { code })
  // Two more mails, of which one is to somebody else: that one has its own attempts.
  const second = await ask(eve, zoe.email ?? '')
  const hers = await ask(eve, ada.email ?? '')
  const wrong = wrongFor([first.code, second.code, hers.code])
  await Promise.all(wrong.slice(0, 2).map((code) => eve.copy().post('/auth/email/verify', { code })))
  for (const { code, token } of [first, second]) {
    await refused(eve, { code })
    await refused(eve, { token })
  }
  expect((await eve.copy().post('/auth/email/verify', { code: hers.code })).status).toBe(200)
  expect((await browser().post('/auth/email/verify', { token: others.token })).status).toBe(200)
})

test('a right fifth code of an older mail signs in, and concurrent guesses share five attempts', async () => {
  const { email } = await user()
  const zoe = browser()
  const first = await ask(zoe, email ?? '')
  const wrong = Array.from({ length: 40 }, (_, n) => String(n).padStart(6, '0'))
  for (const code of wrong.filter((one) => one !== first.code).slice(0, 4)) await refused(zoe, { code })
  await ask(zoe, email ?? '')
  expect((await zoe.post('/auth/email/verify', { code: first.code })).status).toBe(200)

  const eve = browser()
  const mails = [await ask(eve, email ?? ''), await ask(eve, email ?? ''), await ask(eve, email ?? '')]
  const guesses = wrong.filter((one) => mails.every(({ code }) => code !== one))
  await Promise.all(guesses.map((code) => eve.copy().post('/auth/email/verify', { code })))
  for (const { code, token } of mails) {
    await refused(eve, { code })
    await refused(eve, { token })
  }
})

test('a link of an account created by a claim returns 401 once another account has its identity', async () => {
  const email = `claimed-${uuidv7()}@example.org`
  const id = uuidv7()
  await db.insertInto('users').values({ id, email }).execute()
  const { token } = await ask(browser(), email)
  await user({ email, subject: email })
  await refused(browser(), { token })
  const row = db.selectFrom('users').select(['issuer', 'email']).where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ issuer: null, email })
})

test('a link opened during an invitation of its address waits for it', async () => {
  const email = `claimed-${uuidv7()}@example.org`
  const id = uuidv7()
  await db.insertInto('users').values({ id, email }).execute()
  const { token } = await ask(browser(), email)
  let opening = Promise.resolve<{ status: number } | null>(null)
  await db.transaction().execute(async (tx) => {
    await lockIdentity(tx, { issuer: 'parvis', subject: email })
    opening = browser().post('/auth/email/verify', { token })
    await untilWaiting(db)
    await sql`select from users where id = ${id} for update`.execute(tx)
  })
  expect((await opening)?.status).toBe(200)
})

test('during a key rotation, codes and links of the former key still work', async () => {
  const [former, next] = [
    'the former key that is long enough to be',
    'the next key that is long enough to be it',
  ]
  const [before, during] = [mailSecrets([former ?? '']), mailSecrets([next ?? '', former ?? ''])]
  const id = uuidv7()
  expect(during.readLinkToken(before.linkToken(id))).toBe(id)
  expect(during.isCode(id, before.code(id))).toBe(true)
  expect(mailSecrets([next ?? '']).readLinkToken(before.linkToken(id))).toBeNull()
})

test("signing in creates a new session and ends the browser's previous one (no session fixation)", async () => {
  const [eve, zoe] = [await user(), await user()]
  const planted = await openSession(db, eve.id)
  const victim = browser()
  victim.cookies.set('parvis_session', planted.value)
  await victim.post('/auth/email/verify', { token: (await ask(victim, zoe.email ?? '')).token })
  expect(victim.cookies.get('parvis_session')).not.toBe(planted.value)
  expect((await victim.get('/me')).body.data.id).toBe(zoe.id)
  const thief = browser()
  thief.cookies.set('parvis_session', planted.value)
  expect(await isSignedIn(thief)).toBe(false)
})

test('another site cannot sign a user in or out', async () => {
  const { id, email } = await user()
  const { token } = await ask(browser(), email ?? '')
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': site }
    expect(await browser().post('/auth/email/verify', { token }, { headers })).toBeError(403, 'forbidden')
  }
  const { value } = await openSession(db, id)
  const victim = browser()
  victim.cookies.set('parvis_session', value)
  expect(
    await victim.post('/auth/logout', undefined, { headers: { 'sec-fetch-site': 'cross-site' } }),
  ).toBeError(403, 'forbidden')
  expect(await isSignedIn(victim)).toBe(true)
})

test('sign-in by mail is not offered if no mail can be sent', async () => {
  const DATABASE_URL = 'postgres://parvis@db.example.org/parvis'
  const external = await openWorld({ env: { DATABASE_URL, PUBLIC_URL: 'http://192.0.2.7:3000' } })
  const who = createBrowser(external.client)
  expect((await who.get('/auth/methods')).body.data).toEqual({
    ...{ email: false, passkey: false, mail: 'files', mails_delayed: false, oidc: null },
  })
  expect(await who.post('/auth/email', { email: 'zoe@example.org' })).toBeError(404, 'not_found')
  expect(await who.post('/auth/passkey/options')).toBeError(404, 'not_found')
})

test('known and unknown addresses need the same statements, so timing reveals nothing', async () => {
  const { email } = await user()
  const sent = async (address: string) =>
    (await statementsAbout(/\w/, () => browser().post('/auth/email', { email: address }))).map(
      ({ sql: text }) => text,
    )
  // The connections that either needs are open then.
  await sent(email ?? '')
  expect(await sent(email ?? '')).toEqual(await sent('nobody@example.org'))
})

/** Signs a token as a signer does that shares the secret of tokens. */
const signed = (payload: object) =>
  new SignJWT({ iss: 'parvis', exp: Math.floor(Date.now() / 1_000) + 600, ...payload })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(jwtSecret))
const come = async (payload: object) => (await client({ token: await signed(payload) }).get('/me')).body.data
const addressOf = (id: string) =>
  db.selectFrom('users').select(['email', 'email_verified']).where('id', '=', id).executeTakeFirst()

test('a code mailed to one address does not verify the address that a token brings meanwhile', async () => {
  const [mine, theirs] = [`eve-${uuidv7()}@example.org`, `zoe-${uuidv7()}@example.org`]
  const sub = `u-${uuidv7()}`
  const { id } = await come({ sub, email: mine })
  const eve = browser()
  const { code, token } = await ask(eve, mine)
  await db.updateTable('users').set({ last_seen_at: null }).where('id', '=', id).execute()
  expect(await come({ sub, email: theirs })).toMatchObject({ id, email: theirs, email_verified: false })
  await refused(eve, { code })
  await refused(eve, { token })
  expect(await addressOf(id)).toEqual({ email: theirs, email_verified: false })
})

test('a code signs in to the account whose subject is the address, never to one that a token gave it to', async () => {
  const email = `zoe-${uuidv7()}@example.org`
  const eve = await come({ sub: `u-${uuidv7()}`, email })
  const claimed = uuidv7()
  await db.insertInto('users').values({ id: claimed, email }).execute()
  const zoe = browser()
  const { code } = await ask(zoe, email)
  expect((await zoe.post('/auth/email/verify', { code })).status).toBe(200)
  expect((await zoe.get('/me')).body.data).toMatchObject({ id: claimed, email, email_verified: true })
  expect(await addressOf(eve.id)).toEqual({ email, email_verified: false })
})

test('a token never changes the address of an account whose subject is an address', async () => {
  const [email, theirs] = [`zoe-${uuidv7()}@example.org`, `ada-${uuidv7()}@example.org`]
  const first = await come({ sub: email, email: theirs, email_verified: true })
  expect(first).toMatchObject({ email, email_verified: false })
  await db.updateTable('users').set({ last_seen_at: null }).where('id', '=', first.id).execute()
  const zoe = browser()
  const { code } = await ask(zoe, email)
  await come({ sub: email, email: theirs, email_verified: true })
  expect(await addressOf(first.id)).toEqual({ email, email_verified: false })
  expect((await zoe.post('/auth/email/verify', { code })).status).toBe(200)
  expect(await addressOf(first.id)).toEqual({ email, email_verified: true })
})

test('a token with another address closes the mails that are open, also when the code comes at the same time', async () => {
  const sub = `u-${uuidv7()}`
  const { id } = await user({ subject: sub, email: `${sub}@example.org` })
  const who = browser()
  who.cookies.set('parvis_session', (await openSession(db, id)).value)
  const askAgain = async () => {
    expect((await who.post('/auth/confirm/email')).status).toBe(202)
    return (await newestMail(db)).code
  }
  const code = await askAgain()
  await come({ sub, email: `other-${sub}@example.org` })
  expect(await who.post('/auth/confirm', { code })).toBeError(401, 'unauthenticated')

  const next = await askAgain()
  await db.updateTable('users').set({ last_seen_at: null }).where('id', '=', id).execute()
  let confirming = Promise.resolve<unknown>(null)
  let coming = Promise.resolve<unknown>(null)
  await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${id} for update`.execute(tx)
    coming = come({ sub, email: `third-${sub}@example.org` })
    await untilWaiting(db)
    confirming = who.post('/auth/confirm', { code: next })
  })
  await Promise.all([coming, confirming])
  const open = db.selectFrom('email_challenges').select('id').where('user_id', '=', id)
  expect(await open.where('closed_at', 'is', null).execute()).toEqual([])
})

test('a code that is entered during a change of address is refused', async () => {
  const { id, email } = await user()
  const address = `new-${uuidv7()}@example.org`
  const zoe = browser()
  const { code } = await ask(zoe, email ?? '')
  let entering = Promise.resolve<{ status: number } | null>(null)
  await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${id} for update`.execute(tx)
    entering = zoe.post('/auth/email/verify', { code })
    await untilWaiting(db)
    await sql`update users set email = ${address}, subject = ${address} where id = ${id}`.execute(tx)
  })
  expect((await entering)?.status).toBe(401)
  expect(await addressOf(id)).toEqual({ email: address, email_verified: false })
})

test('an operator’s link verifies no address: it was not mailed', async () => {
  const { id: userId } = await user()
  const id = uuidv7()
  await insertOperatorLink(db, { id, userId })
  expect((await browser().post('/auth/email/verify', { token: secrets.linkToken(id) })).status).toBe(200)
  expect((await addressOf(userId))?.email_verified).toBe(false)
})
