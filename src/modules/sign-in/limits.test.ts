import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../../test/support/browser-client.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld } from '../../../test/support/world.ts'
import { createRegistry } from '../../platform/http/operation/metrics.ts'
import { signIn } from './module.ts'
import { newestMail, putPasskey, putTotp, softAuthenticator, totpOf } from './sign-in.test-kit.ts'

const world = await openWorld({ env: { RATE_LIMIT_SIGN_IN: '3/hour', TRUST_PROXY: 'loopback' } })
const { db, user, client } = world

/** Creates a browser with this IP address. */
function browserAt(address: string, make = client) {
  return createBrowser((defaults) => {
    const inner = make(defaults)
    const send: typeof inner.send = (method, path, body, call = {}) =>
      inner.send(method, path, body, { ...call, headers: { 'x-forwarded-for': address, ...call.headers } })
    return { ...inner, send }
  })
}

const limited = await openWorld({
  env: {
    RATE_LIMIT_SIGN_IN: '20/hour',
    RATE_LIMIT_SIGN_IN_MAILS: '6/hour',
    RATE_LIMIT_SIGN_IN_MAILS_NETWORK: '3/hour',
    TRUST_PROXY: 'loopback',
  },
})

/** Creates a browser with an IP address, where mails to an address are limited. */
const at = (address: string) => browserAt(address, limited.client)
const ask = (who: Browser, email: string | null) => who.post('/auth/email', { email })
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

/** Signs a browser in and out again. */
async function visit(who: Browser, email: string | null) {
  expect((await ask(who, email)).status).toBe(202)
  const { code } = await newestMail(limited.db)
  const answer = await who.post('/auth/email/verify', { code })
  expect(answer.status).toBe(200)
  return answer
}

test('a client can request twenty mails an hour', async () => {
  for (let n = 0; n < 20; n++) expect((await ask(at('192.0.2.1'), `one-${n}@example.org`)).status).toBe(202)
  const refused = await ask(at('192.0.2.1'), 'other@example.org')
  expect(refused).toBeError(429, 'rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
})

test('a network can request three mails an hour to an address, known or unknown, without blocking other networks', async () => {
  const { email } = await limited.user()
  for (const typed of ['nobody@example.org', email ?? '']) {
    const from = (network: string) => ask(at(network), typed.toUpperCase())
    const flood = await Promise.all(Array.from({ length: 8 }, () => from('192.0.2.2')))
    expect(statusesOf(flood)).toEqual([202, 202, 202, 429, 429, 429, 429, 429])
    for (let n = 0; n < 3; n++) expect((await from('192.0.2.3')).status).toBe(202)
    expect((await ask(at('192.0.2.2'), `other-${typed}`)).status).toBe(202)
  }
})

test('the lines of one IPv6 /48 are one network', async () => {
  const { email } = await limited.user()
  const lines = Array.from({ length: 5 }, (_, n) => at(`2001:db8:7:${n}::1`))
  const answers = await Promise.all(lines.map((who) => ask(who, email)))
  expect(statusesOf(answers)).toEqual([202, 202, 202, 429, 429])
})

test('an address gets six mails an hour from all networks, also when they are asked for at the same time', async () => {
  const { email } = await limited.user()
  const networks = Array.from({ length: 12 }, (_, n) => at(`198.51.100.${n + 1}`))
  const answers = await Promise.all(networks.map((who) => ask(who, email)))
  expect(statusesOf(answers)).toEqual([...Array(6).fill(202), ...Array(6).fill(429)])
  const { rows } = await sql`
    select from email_challenges c join users u on u.id = c.user_id where u.email = ${email}`.execute(
    limited.db,
  )
  expect(rows).toHaveLength(6)
})

test('a new address and a confirmation count towards the mails to their address', async () => {
  const { id, email } = await limited.user()
  const who = at('192.0.2.20')
  who.cookies.set('parvis_session', (await openSession(limited.db, id)).value)
  const address = 'a-new-one@example.org'
  for (let n = 0; n < 3; n++) expect((await who.post('/me/email', { email: address })).status).toBe(202)
  expect(await who.post('/me/email', { email: address })).toBeError(429, 'rate_limited')
  expect(await ask(at('192.0.2.20'), address)).toBeError(429, 'rate_limited')
  // A session identifies its person, so that a flood does not keep them from confirming.
  for (let n = 0; n < 6; n++) await ask(at(`192.0.2.${n + 30}`), email)
  expect(await ask(at('192.0.2.40'), email)).toBeError(429, 'rate_limited')
  const confirm = () => who.copy().post('/auth/confirm/email')
  const answers = await Promise.all(Array.from({ length: 8 }, confirm))
  expect(statusesOf(answers)).toEqual([...Array(6).fill(202), 429, 429])
})

test('a browser that has signed in gets mails of its own, also out of a flooding network and after signing out', async () => {
  const [zoe, ada] = [await limited.user(), await limited.user()]
  const laptop = at('192.0.2.50')
  const answer = await visit(laptop, zoe.email)
  expect(answer.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^parvis_known=[\w-]{22}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/),
  )
  await laptop.post('/auth/logout')
  for (let n = 0; n < 25; n++) await ask(at('192.0.2.50'), n < 8 ? zoe.email : `flood-${n}@example.org`)
  for (let n = 0; n < 6; n++) await ask(at(`192.0.2.${n + 60}`), zoe.email)
  expect(await ask(at('192.0.2.70'), zoe.email)).toBeError(429, 'rate_limited')
  // It is known to nobody else.
  expect(await ask(laptop.copy(), ada.email)).toBeError(429, 'rate_limited')

  // A cookie that is changed, or that comes without that of its device, is worth nothing.
  const known = laptop.cookies.get('parvis_known') ?? ''
  const other = at('192.0.2.50')
  for (const forged of [known, `${known.slice(0, -2)}AA`, `${known}.${known}.x`, 'x']) {
    other.cookies.set('parvis_known', forged)
    expect(await ask(other.copy(), zoe.email)).toBeError(429, 'rate_limited')
    other.cookies.set('parvis_device', 'A'.repeat(43))
    expect(await ask(other.copy(), zoe.email)).toBeError(429, 'rate_limited')
  }

  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(laptop.copy(), zoe.email)))
  expect(statusesOf(answers)).toEqual([...Array(6).fill(202), 429, 429])
})

test('a browser stays known to several accounts, and to an account that changes its address', async () => {
  const [zoe, ada] = [await limited.user(), await limited.user()]
  const laptop = at('192.0.2.80')
  await visit(laptop, zoe.email)
  await visit(laptop, ada.email)
  await visit(laptop, zoe.email)
  expect(laptop.cookies.get('parvis_known')?.split('.')).toHaveLength(2)
  const address = 'zoe.elsewhere@example.org'
  await laptop.post('/me/email', { email: address })
  const { code } = await newestMail(limited.db)
  expect((await laptop.post('/me/email/verify', { code })).status).toBe(200)
  for (const email of [address, ada.email]) {
    for (let n = 0; n < 6; n++) await ask(at(`192.0.2.${n + 90}`), email)
    expect(await ask(at('192.0.2.99'), email)).toBeError(429, 'rate_limited')
    expect((await ask(laptop.copy(), email)).status).toBe(202)
  }
})

test('a browser is known once it has shown the second factor', async () => {
  const { id, email } = await limited.user()
  const base32 = await putTotp(limited.db, id)
  const laptop = at('192.0.2.110')
  expect((await visit(laptop, email)).body.data).toEqual({ status: 'second_factor' })
  expect(laptop.cookies.has('parvis_known')).toBe(false)
  expect((await laptop.post('/auth/second-factor', { totp: totpOf(base32) })).status).toBe(200)
  expect(laptop.cookies.has('parvis_known')).toBe(true)
})

test('failed verifications are rate-limited by client; successful ones are not counted', async () => {
  const { id, email } = await user()
  const verify = (address: string, token: string) => browserAt(address).post('/auth/email/verify', { token })
  for (let n = 0; n < 5; n++) {
    const who = browserAt(`203.0.113.${n + 1}`)
    await who.post('/auth/email', { email: n < 3 ? email : 'nowhere@example.org' })
  }
  const { token } = await newestMail(db)
  for (let n = 0; n < 3; n++) expect(await verify('192.0.2.101', token)).toBeError(401, 'unauthenticated')
  expect(await verify('192.0.2.101', token)).toBeError(429, 'rate_limited')

  // A user whose address others have rate-limited can still sign in with a passkey.
  const passkey = await putPasskey(db, id)
  for (let n = 0; n < 5; n++) {
    const assertion = await softAuthenticator.signIn(passkey, { counter: n + 1 })
    const answer = await browserAt('192.0.2.2').post('/auth/passkey/verify', { passkey: assertion })
    expect(answer.status).toBe(200)
  }
})

test('failures from the network of a known browser do not keep it from signing in', async () => {
  const [zoe, ada] = [await limited.user(), await limited.user()]
  const network = '203.0.113.150'
  const laptop = at(network)
  await visit(laptop, zoe.email)
  await laptop.post('/auth/logout')
  const stranger = at(network)
  for (let n = 0; n < 20; n++) await stranger.post('/auth/email/verify', { token: 'x' })
  expect(await stranger.post('/auth/email/verify', { token: 'x' })).toBeError(429, 'rate_limited')

  // A code, and a link.
  await visit(laptop, zoe.email)
  await ask(laptop, zoe.email)
  const { token } = await newestMail(limited.db)
  expect((await laptop.post('/auth/email/verify', { token })).status).toBe(200)

  // It is known for one account only: attempts at another count towards the network, also beside those at its own.
  const other = at('203.0.113.151')
  await ask(other, ada.email)
  laptop.cookies.set('parvis_attempt', other.cookies.get('parvis_attempt') ?? '')
  expect(await laptop.post('/auth/email/verify', { code: '000000' })).toBeError(429, 'rate_limited')
  await ask(laptop, zoe.email)
  expect(await laptop.post('/auth/email/verify', { code: '000000' })).toBeError(429, 'rate_limited')
})

test('failures of a known browser are limited, and do not count towards its network', async () => {
  const { email } = await user()
  const laptop = browserAt('203.0.113.170')
  const verify = async (code: string) => (await laptop.post('/auth/email/verify', { code })).status
  await laptop.post('/auth/email', { email })
  expect(await verify((await newestMail(db)).code)).toBe(200)
  await laptop.post('/auth/logout')
  await laptop.post('/auth/email', { email })
  const { code } = await newestMail(db)
  const wrong = code === '000000' ? '000001' : '000000'
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push(await verify(wrong))
  expect(statuses).toEqual([401, 401, 401, 429])
  const stranger = await browserAt('203.0.113.170').post('/auth/email/verify', { token: 'x' })
  expect(stranger).toBeError(401, 'unauthenticated')
})

test('failures from the network do not keep a known browser from showing its second factor', async () => {
  const { id, email } = await limited.user()
  const base32 = await putTotp(limited.db, id)
  const network = '203.0.113.160'
  const laptop = at(network)
  await visit(laptop, email)
  expect((await laptop.post('/auth/second-factor', { totp: totpOf(base32) })).status).toBe(200)
  await laptop.post('/auth/logout')
  for (let n = 0; n < 21; n++) await at(network).post('/auth/email/verify', { token: 'x' })
  await visit(laptop, email)
  const guesses = ['000000', '000001']
  for (const totp of guesses)
    expect(await laptop.post('/auth/second-factor', { totp })).toBeError(401, 'unauthenticated')
})

test('attempts at a second factor are rate-limited by client too, also when concurrent', async () => {
  const { id, email } = await user()
  const base32 = await putTotp(db, id)
  const who = browserAt('192.0.2.103')
  await who.post('/auth/email', { email })
  await who.post('/auth/email/verify', { code: (await newestMail(db)).code })
  const guesses = Array.from({ length: 12 }, (_, n) => `00000${n % 10}`)
  const answers = await Promise.all(guesses.map((totp) => who.copy().post('/auth/second-factor', { totp })))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9)
  expect(await who.post('/auth/second-factor', { totp: totpOf(base32) })).toBeError(429, 'rate_limited')
})

test('the counters are in the database and shared by all instances', async () => {
  await browserAt('198.51.100.33').post('/auth/email/verify', { token: 'x' })
  const rows = await db.selectFrom('rate_limits').select('points').where('key', 'like', 'signin:%').execute()
  expect(rows.length).toBeGreaterThan(0)
})

test('metrics report sign-ins, refusals and active sessions', async () => {
  const registry = createRegistry()
  for (const counter of signIn.metrics.counters) registry.registerMetric(counter)
  signIn.metrics.watch(registry, { ...world, reads: db } as never)
  const countOf = async (line: RegExp) => Number(line.exec(await registry.metrics())?.[1] ?? 0)
  const signIns = () => countOf(/^sign_ins_total\{method="email"\} (\d+)/m)
  const refusals = () => countOf(/^sign_in_refusals_total\{what="email"\} (\d+)/m)
  const active = () => countOf(/^sessions_active (\d+)/m)
  const before = [await signIns(), await refusals(), await active()]
  const { email } = await user()
  const who = browserAt('198.51.100.77')
  await who.post('/auth/email', { email })
  await who.post('/auth/email/verify', { token: 'x' })
  await who.post('/auth/email/verify', { code: (await newestMail(db)).code })
  expect([await signIns(), await refusals(), await active()]).toEqual(before.map((count) => count + 1))
})
