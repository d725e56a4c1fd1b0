import { expect, test } from 'vitest'
import { createBrowser } from '../../../test/support/browser-client.ts'
import { openWorld } from '../../../test/support/world.ts'
import { createRegistry } from '../../platform/http/operation/metrics.ts'
import { signIn } from './module.ts'
import { newestMail, putPasskey, putTotp, softAuthenticator, totpOf } from './sign-in.test-kit.ts'

const world = await openWorld({ env: { RATE_LIMIT_SIGN_IN: '3/hour', TRUST_PROXY: 'loopback' } })
const { db, user, client } = world

/** Creates a browser with this IP address. */
function browserAt(address: string) {
  return createBrowser((defaults) => {
    const inner = client(defaults)
    const send: typeof inner.send = (method, path, body, call = {}) =>
      inner.send(method, path, body, { ...call, headers: { 'x-forwarded-for': address, ...call.headers } })
    return { ...inner, send }
  })
}

test('sign-in mails are rate-limited by client and by requested address, known or unknown', async () => {
  const ask = (address: string, email: string) => browserAt(address).post('/auth/email', { email })
  for (let n = 0; n < 3; n++) expect((await ask('192.0.2.1', `one-${n}@example.org`)).status).toBe(202)
  const refused = await ask('192.0.2.1', 'other@example.org')
  expect(refused).toBeError(429, 'rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  const { email } = await user()
  for (const typed of ['nobody@example.org', email ?? '']) {
    for (let n = 0; n < 3; n++) expect((await ask(`192.0.2.${n + 10}`, typed)).status).toBe(202)
    expect(await ask(`198.51.100.${typed.length}`, typed.toUpperCase())).toBeError(429, 'rate_limited')
    await db.deleteFrom('rate_limits').where('key', 'like', 'signin:%').execute()
  }
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
  for (const counter of signIn.counters) registry.registerMetric(counter)
  signIn.metrics(registry, { ...world, reads: db } as never)
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
