import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../../../test/support/browser-client.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'
import { createLog } from '../../../platform/log/log.ts'
import { newestMail, putPasskey, putTotp, softAuthenticator, totpOf } from '../sign-in.test-kit.ts'
import { newChallenge, readChallenge } from './passkeys.ts'
import { digestOfCode, newRecoveryCodes } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

const world = await openWorld({ env: { SECOND_FACTOR: 'admin' } })
const { db, user, client } = world

async function signIn(email: string | null, who = createBrowser(client)) {
  await who.post('/auth/email', { email })
  const { code } = await newestMail(db)
  const answer = await who.post('/auth/email/verify', { code })
  return { who, status: answer.body.data?.status }
}
async function enrolled(values: Parameters<typeof user>[0] = {}) {
  const person = await user(values)
  const base32 = await putTotp(db, person.id)
  return { ...person, base32 }
}
/** Signs in with mail and authenticator app. */
async function complete(values: Parameters<typeof user>[0] = {}) {
  const person = await enrolled(values)
  const { who } = await signIn(person.email)
  const shown = await who.post('/auth/second-factor', { totp: totpOf(person.base32) })
  expect(shown.body).toEqual({ data: { status: 'signed_in' } })
  return { ...person, who }
}
const actions = async (id: string) =>
  (
    await db
      .selectFrom('audit_log')
      .select('action')
      .where((eb) => eb.or([eb('user_id', '=', id), eb('entity_id', '=', id)]))
      .orderBy('at')
      .execute()
  ).map(({ action }) => action)

test('a user with an authenticator app can only sign in with its code, once per code', async () => {
  const { id, email, base32 } = await enrolled({ roles: ['moderator'] })
  const { who, status } = await signIn(email)
  expect(status).toBe('second_factor')
  for (const path of ['/me', '/me/factors', '/me/sessions', '/admin/publications'])
    expect(await who.get(path), path).toBeError(401, 'unauthenticated')
  expect(await who.post('/auth/confirm', { totp: totpOf(base32) })).toBeError(401, 'unauthenticated')
  const before = who.copy()
  const totp = totpOf(base32)
  const shown = await who.post('/auth/second-factor', { totp })
  expect(shown.body).toEqual({ data: { status: 'signed_in' } })
  expect((await who.get('/me')).status).toBe(200)
  // The cookie value from before the second factor gains no access, not even for 30 s.
  expect(await before.get('/me')).toBeError(401, 'unauthenticated')
  expect(await who.post('/auth/second-factor', { totp })).toBeError(409, 'conflict')

  const again = await signIn(email)
  expect(await again.who.post('/auth/second-factor', { totp })).toBeError(401, 'unauthenticated')
  expect(await actions(id)).toEqual([
    'session.create',
    'session.second_factor',
    'session.create',
    'session.refuse',
  ])
})

test('one code used concurrently on two instances signs in once', async () => {
  const other = await openWorld({ env: { SECOND_FACTOR: 'admin' }, database: world.database })
  const { email, base32 } = await enrolled()
  const browsers: Browser[] = []
  for (let n = 0; n < 6; n++)
    browsers.push((await signIn(email, createBrowser(n % 2 ? client : other.client))).who)
  const totp = totpOf(base32)
  const answers = await Promise.all(browsers.map((who) => who.post('/auth/second-factor', { totp })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const [code = ''] = newRecoveryCodes()
  const { user_id } = await db
    .selectFrom('sessions')
    .select('user_id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('recovery_codes')
    .values({ id: crypto.randomUUID(), user_id, code_hash: digestOfCode(code) })
    .execute()
  const left = browsers.filter((_, index) => answers[index]?.status !== 200)
  const next = await Promise.all(left.map((who) => who.post('/auth/second-factor', { recovery_code: code })))
  expect(next.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the fifth wrong factor in a row ends the session', async () => {
  const { email, base32 } = await enrolled()
  const { who } = await signIn(email)
  for (const proof of [{ totp: '000000' }, { recovery_code: 'nope' }, { totp: 'abcdef' }, { totp: '12345' }])
    expect(await who.post('/auth/second-factor', proof)).toBeError(401, 'unauthenticated')
  const passkey = await softAuthenticator.signIn(await putPasskey(db, (await user()).id))
  expect(await who.post('/auth/second-factor', { passkey })).toBeError(401, 'unauthenticated')
  expect(await who.post('/auth/second-factor', { totp: totpOf(base32) })).toBeError(401, 'unauthenticated')
  const { rows } = await sql<{ reason: string }>`
    select after->>'reason' as reason from audit_log where action = 'session.end' order by at desc limit 1`.execute(
    db,
  )
  expect(rows).toEqual([{ reason: 'too_many_failures' }])
})

test('a proof that is sent while five others are compared is not compared: the session ends', async () => {
  const { email, base32 } = await enrolled()
  for (const [begun, status] of [
    [4, 200],
    [5, 401],
  ]) {
    const { who } = await signIn(email)
    const { id } = await db
      .selectFrom('sessions')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await db.updateTable('sessions').set({ failures: begun }).where('id', '=', id).execute()
    const totp = totpOf(base32, Date.now() + (begun === 5 ? 30_000 : 0))
    expect((await who.post('/auth/second-factor', { totp })).status).toBe(status)
    const row = db.selectFrom('sessions').select(['failures', 'ended_at']).where('id', '=', id)
    const after = await row.executeTakeFirstOrThrow()
    expect([after.failures, after.ended_at !== null]).toEqual(status === 200 ? [0, false] : [6, true])
  }
})

test('clocks that differ by 5 s agree on a code; one of 90 s ago is refused', async () => {
  const { base32 } = { base32: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }
  const at = Date.UTC(2026, 10, 20, 8, 30, 0)
  for (const difference of [-5_000, 0, 5_000, 29_000])
    expect(stepOfCode(base32, totpOf(base32, at + difference), new Date(at)), `${difference}`).not.toBeNull()
  expect(stepOfCode(base32, totpOf(base32, at - 90_000), new Date(at))).toBeNull()
  for (const code of ['', '12345', '1234567', '１２３４５６', ' 12345'])
    expect(stepOfCode(base32, code, new Date(at))).toBeNull()
})

test('an administrator without a second factor can only set one up', async () => {
  const { id, email } = await user({ roles: ['admin'] })
  const { who, status } = await signIn(email)
  expect(status).toBe('enrolment')
  for (const path of ['/me', '/me/sessions', '/admin/users', '/admin/publications', '/me/publications'])
    expect(await who.get(path), path).toBeError(403, 'enrolment_required')
  expect(await who.patch('/me', { nom: 'Zoé' })).toBeError(403, 'enrolment_required')
  expect((await who.get('/auth/session')).body.data).toMatchObject({
    status: 'enrolment',
    user: { id, email },
  })
  expect((await who.get('/me/factors')).body).toEqual({
    data: { required: true, totp: false, passkeys: [], recovery_codes: 0, mailed_code: true },
  })
  const { secret, uri } = (await who.post('/me/totp')).body.data
  expect(uri).toMatch(/^otpauth:\/\/totp\/Parvis:.*issuer=Parvis.*secret=/)
  expect(await who.post('/me/totp/confirm', { totp: '000000' })).toBeError(422, 'validation_failed')
  expect(await who.get('/me')).toBeError(403, 'enrolment_required')
  const before = who.copy()
  const totp = totpOf(secret)
  const confirmed = await who.post('/me/totp/confirm', { totp })
  expect(confirmed.body.data).toMatchObject({ required: true, totp: true })
  expect((await who.get('/admin/users')).status).toBe(200)
  expect(await before.get('/me')).toBeError(401, 'unauthenticated')
  // The code that confirmed it cannot be used again.
  const again = await signIn(email)
  expect(again.status).toBe('second_factor')
  expect(await again.who.post('/auth/second-factor', { totp })).toBeError(401, 'unauthenticated')
  expect(await actions(id)).toContain('user.factor_add')
})

test('a signed-in user who becomes administrator must set up a second factor immediately', async () => {
  const admin = await complete({ roles: ['admin'] })
  const { id, email } = await user()
  const { who } = await signIn(email)
  expect((await who.get('/me')).status).toBe(200)
  expect((await admin.who.post(`/admin/users/${id}/roles`, { role: 'platform_admin' })).status).toBe(200)
  expect(await who.get('/me')).toBeError(403, 'enrolment_required')
})

test('setting up a second factor makes the other sessions ask for it too', async () => {
  const { id, email } = await user()
  const [laptop, phone] = [(await signIn(email)).who, (await signIn(email)).who]
  const { secret } = (await laptop.post('/me/totp')).body.data
  await laptop.post('/me/totp/confirm', { totp: totpOf(secret) })
  expect((await laptop.get('/me')).body.data.id).toBe(id)
  expect(await phone.get('/me')).toBeError(401, 'unauthenticated')
})

test('ten recovery codes are shown once and work once each; new ones replace them', async () => {
  const { id, email, who } = await complete()
  const { codes } = (await who.post('/me/recovery-codes')).body.data
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  const stored = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute()
  expect(JSON.stringify(stored)).not.toContain(codes[0])
  const { who: next } = await signIn(email)
  const typed = codes[0].toUpperCase().replaceAll('-', ' ')
  expect((await next.post('/auth/second-factor', { recovery_code: typed })).status).toBe(200)
  expect((await next.get('/me/factors')).body.data.recovery_codes).toBe(9)
  const { who: third } = await signIn(email)
  expect(await third.post('/auth/second-factor', { recovery_code: codes[0] })).toBeError(
    401,
    'unauthenticated',
  )
  await next.post('/me/recovery-codes')
  expect(await third.post('/auth/second-factor', { recovery_code: codes[1] })).toBeError(
    401,
    'unauthenticated',
  )
})

test('POST /me/recovery-codes returns 409 to a user without a second factor', async () => {
  const { who } = await signIn((await user()).email)
  expect(await who.post('/me/recovery-codes')).toBeError(409, 'conflict')
  expect(await who.post('/me/totp/confirm', { totp: '123456' })).toBeError(409, 'conflict')
})

test('a user who signs in with a recovery code can replace the lost app', async () => {
  const { email, base32, who } = await complete({ roles: ['admin'] })
  const { codes } = (await who.post('/me/recovery-codes')).body.data
  const { who: next } = await signIn(email)
  await next.post('/auth/second-factor', { recovery_code: codes[0] })
  const { secret } = (await next.post('/me/totp')).body.data
  // The old app works until the new one is confirmed.
  const { who: old } = await signIn(email)
  const later = totpOf(base32, Date.now() + 30_000)
  expect((await old.post('/auth/second-factor', { totp: later })).status).toBe(200)
  expect((await next.post('/me/totp/confirm', { totp: totpOf(secret) })).status).toBe(200)
  const { who: last } = await signIn(email)
  expect(await last.post('/auth/second-factor', { totp: later })).toBeError(401, 'unauthenticated')
  expect((await last.post('/auth/second-factor', { totp: totpOf(secret, Date.now() + 30_000) })).status).toBe(
    200,
  )
})

test('the last factor cannot be removed if it is compulsory; other users can remove theirs', async () => {
  const admin = await complete({ roles: ['admin'] })
  expect(await admin.who.delete('/me/totp')).toBeError(409, 'conflict')
  const { id } = await putPasskey(db, admin.id)
  expect((await admin.who.delete('/me/totp')).body.data).toMatchObject({ totp: false, passkeys: [{ id }] })
  expect(await admin.who.delete(`/me/passkeys/${id}`)).toBeError(409, 'conflict')
  expect(await admin.who.delete(`/me/passkeys/${crypto.randomUUID()}`)).toBeError(404, 'not_found')
  expect((await admin.who.get('/me')).status).toBe(200)

  const reader = await complete()
  await reader.who.post('/me/recovery-codes')
  expect((await reader.who.delete('/me/totp')).body.data).toEqual({
    required: false,
    totp: false,
    passkeys: [],
    recovery_codes: 0,
    mailed_code: true,
  })
  expect((await signIn(reader.email)).status).toBe('signed_in')
})

test('of two concurrent removals of the last two factors one is refused', async () => {
  const admin = await complete({ roles: ['admin'] })
  const { id } = await putPasskey(db, admin.id)
  const answers = await Promise.all([
    admin.who.delete('/me/totp'),
    admin.who.copy().delete(`/me/passkeys/${id}`),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a reset removes every factor and ends every session', async () => {
  const admin = await complete({ roles: ['admin'] })
  const lost = await complete({ roles: ['moderator'] })
  const pending = (await signIn(lost.email)).who
  await putPasskey(db, lost.id)
  const answer = await admin.who.post(`/admin/users/${lost.id}/factors/reset`)
  expect(answer.body).toEqual({ data: { user_id: lost.id, ended: 2 } })
  expect(await lost.who.get('/me')).toBeError(401, 'unauthenticated')
  expect(await pending.get('/me')).toBeError(401, 'unauthenticated')
  expect((await signIn(lost.email)).status).toBe('signed_in')
  expect(await admin.who.post(`/admin/users/${crypto.randomUUID()}/factors/reset`)).toBeError(
    404,
    'not_found',
  )
})

test('administrators who must have a second factor cannot reset their own', async () => {
  const admin = await complete({ roles: ['admin'] })
  expect(await admin.who.post(`/admin/users/${admin.id}/factors/reset`)).toBeError(409, 'conflict')
  expect((await admin.who.get('/me/factors')).body.data.totp).toBe(true)
})

test('secrets of authenticator apps are encrypted per user and survive a key rotation', async () => {
  const { id, base32 } = await enrolled()
  const row = await db
    .selectFrom('totp_factors')
    .select('secret')
    .where('user_id', '=', id)
    .executeTakeFirst()
  expect(row?.secret?.toString('latin1')).not.toContain(base32)
  const [former, next] = [
    'the former key that is long enough to be',
    'the next key that is long enough to be it',
  ]
  const sealed = secretBox([former ?? ''], 'second factors').seal(base32, id)
  expect(secretBox([next ?? '', former ?? ''], 'second factors').open(sealed, id)).toBe(base32)
  expect(secretBox([next ?? ''], 'second factors').open(sealed, id)).toBeNull()
  expect(secretBox([former ?? ''], 'second factors').open(sealed, 'another')).toBeNull()
})

test('with another SESSION_KEY a TOTP code is refused and the log says why; recovery codes and a new app work', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  const env = { SECOND_FACTOR: 'admin', SESSION_KEY: 'another key that is long enough to be one' }
  const other = await openWorld({ env, log, database: world.database })
  const { id, email, base32, who } = await complete()
  const { codes } = (await who.post('/me/recovery-codes')).body.data
  const pending = (await who.post('/me/totp')).body.data.secret
  const on = (from: Browser) => createBrowser(other.client, {}, new Map(from.cookies))
  const later = { totp: totpOf(base32, Date.now() + 30_000) }
  expect(await on(who).post('/auth/confirm', later)).toBeError(401, 'unauthenticated')
  expect(await on(who).post('/me/totp/confirm', { totp: totpOf(pending) })).toBeError(409, 'conflict')
  const next = on((await signIn(email)).who)
  expect(await next.post('/auth/second-factor', later)).toBeError(401, 'unauthenticated')
  expect(lines.filter((line) => line.includes('SESSION_KEY') && line.includes(id))).toHaveLength(3)
  expect((await next.post('/auth/second-factor', { recovery_code: codes[0] })).status).toBe(200)
  const { secret } = (await next.post('/me/totp')).body.data
  expect((await next.post('/me/totp/confirm', { totp: totpOf(secret) })).status).toBe(200)
})

test('a passkey alone signs in: it counts as both factors', async () => {
  const { id } = await user({ roles: ['admin'] })
  const passkey = await putPasskey(db, id)
  const who = createBrowser(client)
  const { challenge, allowCredentials = [] } = (await who.post('/auth/passkey/options')).body.data
  expect(allowCredentials).toEqual([])
  const assertion = await softAuthenticator.signIn(passkey, { challenge, counter: 1 })
  const answer = await who.post('/auth/passkey/verify', { passkey: assertion })
  expect(answer.body, answer.text).toEqual({ data: { status: 'signed_in' } })
  expect((await who.get('/admin/users')).status).toBe(200)
  // The same assertion cannot be used twice.
  expect(await createBrowser(client).post('/auth/passkey/verify', { passkey: assertion })).toBeError(
    401,
    'unauthenticated',
  )
})

test('a passkey signs in whatever session the browser has, also in place of a colleague', async () => {
  const [mine, hers] = [await user(), await user()]
  const [own, other] = [await putPasskey(db, mine.id), await putPasskey(db, hers.id)]
  let counter = 0
  for (const state of ['second_factor', 'signed_in', 'ended'] as const)
    for (const [passkey, id] of [
      [own, mine.id],
      [other, hers.id],
    ] as const)
      for (const query of ['', '?purpose=sign_in']) {
        const of = `${state}${query}`
        const who = createBrowser(client)
        const session = await openSession(db, mine.id, { hasShownFactor: state !== 'second_factor' })
        who.cookies.set('parvis_session', session.value)
        if (state === 'ended')
          await db
            .updateTable('sessions')
            .set({ ended_at: new Date() })
            .where('id', '=', session.id)
            .execute()
        const options = (await who.post(`/auth/passkey/options${query}`)).body.data
        const isListed = query === '' && state !== 'ended'
        expect(options.allowCredentials?.length ?? 0, of).toBe(isListed ? 1 : 0)
        const signed = { challenge: options.challenge, counter: ++counter }
        const assertion = await softAuthenticator.signIn(passkey, signed)
        const answer = await who.post('/auth/passkey/verify', { passkey: assertion })
        expect(answer.body, of).toEqual({ data: { status: 'signed_in' } })
        expect((await who.get('/me')).body.data.id, of).toBe(id)
      }
  const who = createBrowser(client)
  expect(await who.post('/auth/passkey/options?purpose=other')).toBeError(422, 'validation_failed')
})

test('a second factor and a confirmation refuse a passkey signed to sign in', async () => {
  const { id } = await user()
  const passkey = await putPasskey(db, id)
  const proof = async (who: Browser, counter: number) => {
    const { challenge } = (await who.post('/auth/passkey/options?purpose=sign_in')).body.data
    return { passkey: await softAuthenticator.signIn(passkey, { challenge, counter }) }
  }
  for (const [path, hasShownFactor] of [
    ['/auth/second-factor', false],
    ['/auth/confirm', true],
  ] as const) {
    const who = createBrowser(client)
    who.cookies.set('parvis_session', (await openSession(db, id, { hasShownFactor })).value)
    expect(await who.post(path, await proof(who, 1)), path).toBeError(401, 'unauthenticated')
  }
})

test('setting up a passkey upgrades the session: it counts as its second factor', async () => {
  const { id, email } = await user({ roles: ['admin'] })
  const { who } = await signIn(email)
  const options = (await who.post('/me/passkeys/options')).body.data
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { userVerification: 'required' },
  })
  const made = await softAuthenticator.register(id, { challenge: options.challenge })
  const added = await who.post('/me/passkeys', { passkey: made, label: 'Clé' })
  expect(added.body.data, added.text).toMatchObject({ passkeys: [{ label: 'Clé', last_used_at: null }] })
  expect((await who.get('/me')).status).toBe(200)
  expect(await who.post('/me/passkeys', { passkey: made, label: 'Clé' })).toBeError(422, 'validation_failed')
  expect((await signIn(email)).status).toBe('second_factor')
})

test('POST /me/passkeys returns 409 beyond twenty passkeys', async () => {
  const { id, who } = await complete()
  for (let n = 0; n < 20; n++) await putPasskey(db, id)
  const made = await softAuthenticator.register(id)
  expect(await who.post('/me/passkeys', { passkey: made, label: 'Clé' })).toBeError(409, 'conflict')
})

test('every passkey route returns 404 if the public address of the service is an IP address', async () => {
  const env = { SECOND_FACTOR: 'none', PUBLIC_URL: 'http://127.0.0.1:3000' }
  const bare = await openWorld({ env, database: world.database })
  const { id, email } = await user()
  const { who } = await signIn(email, createBrowser(bare.client))
  const [made, assertion] = [
    await softAuthenticator.register(id),
    await softAuthenticator.signIn(await putPasskey(db, (await user()).id)),
  ]
  expect(await who.post('/me/passkeys/options')).toBeError(404, 'not_found')
  expect(await who.post('/me/passkeys', { passkey: made, label: 'Clé' })).toBeError(404, 'not_found')
  expect(await who.post('/auth/passkey/options')).toBeError(404, 'not_found')
  expect(await who.post('/auth/passkey/verify', { passkey: assertion })).toBeError(404, 'not_found')
})

test('a passkey works as second factor and confirmation, for its own user alone', async () => {
  const { id, email } = await user()
  const passkey = await putPasskey(db, id)
  const foreign = await putPasskey(db, (await user()).id)
  const { who } = await signIn(email)
  const { challenge, allowCredentials } = (await who.post('/auth/passkey/options')).body.data
  expect(allowCredentials).toMatchObject([{ id: passkey.credentialId.toString('base64url') }])
  const hers = await softAuthenticator.signIn(foreign, { challenge, userId: id })
  expect(await who.post('/auth/second-factor', { passkey: hers })).toBeError(401, 'unauthenticated')
  const shown = await softAuthenticator.signIn(passkey, { userId: id, counter: 1 })
  expect((await who.post('/auth/second-factor', { passkey: shown })).status).toBe(200)
  const confirmed = await softAuthenticator.signIn(passkey, { userId: id, counter: 2 })
  expect((await who.post('/auth/confirm', { passkey: confirmed })).body).toEqual({
    data: { confirmed: true },
  })
})

test('refuses an assertion with a wrong origin, challenge, key, user verification or counter', async () => {
  const { id } = await user()
  const passkey = await putPasskey(db, id)
  const verify = async (assertion: object) =>
    (await createBrowser(client).post('/auth/passkey/verify', { passkey: assertion })).status
  expect(await verify(await softAuthenticator.signIn(passkey, { counter: 5 }))).toBe(200)
  const lies = [
    { origin: 'https://evil.example' },
    { challenge: 'bm90IG91cnM' },
    { challenge: Buffer.alloc(64).toString('base64url') },
    { userId: id },
    { verified: false },
    { counter: 5 },
  ]
  for (const lie of lies)
    expect(
      await verify(await softAuthenticator.signIn(passkey, { counter: 9, ...lie })),
      JSON.stringify(lie),
    ).toBe(401)
  const other = await putPasskey(db, id)
  const swapped = { ...passkey, privateKey: other.privateKey }
  expect(await verify(await softAuthenticator.signIn(swapped, { counter: 9 }))).toBe(401)
  const unknown = { ...passkey, credentialId: Buffer.alloc(16) }
  expect(await verify(await softAuthenticator.signIn(unknown, { counter: 9 }))).toBe(401)
  const { response, ...rest } = await softAuthenticator.signIn(passkey, { counter: 9 })
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const)
    for (const bytes of ['', 'AAAA', '!!', Buffer.from('null').toString('base64url')])
      expect(await verify({ ...rest, response: { ...response, [part]: bytes } }), `${part} ${bytes}`).toBe(
        401,
      )
})

test('identifiers and transports that PostgreSQL does not store are refused with 422', async () => {
  const { id, who } = await complete()
  const passkey = await putPasskey(db, id)
  for (const bad of ['\u0000', 'a\ud800', 'a b', 'é']) {
    const assertion = await softAuthenticator.signIn(passkey, { userId: id })
    const made = await softAuthenticator.register(id)
    const refused: [path: string, body: object][] = [
      ['/auth/passkey/verify', { passkey: { ...assertion, id: bad } }],
      ['/auth/passkey/verify', { passkey: { ...assertion, rawId: bad } }],
      ['/auth/confirm', { passkey: { ...assertion, id: bad } }],
      ['/me/passkeys', { passkey: { ...made, id: bad }, label: 'Clé' }],
    ]
    for (const [path, body] of refused)
      expect(await who.post(path, body), path).toBeError(422, 'validation_failed')
  }
  for (const bad of ['usb\u0000', '\udfff']) {
    const { response, ...rest } = await softAuthenticator.register(id)
    const made = { ...rest, response: { ...response, transports: [bad] } }
    const added = await who.post('/me/passkeys', { passkey: made, label: 'Clé' })
    expect(added).toBeError(422, 'validation_failed')
  }
})

test('a challenge is valid for five minutes, for one user and one purpose', () => {
  const keys = ['a key that is long enough to be one, surely']
  const at = new Date('2026-11-20T08:30:00Z')
  const of = { userId: null, purpose: 'authentication' } as const
  const text = Buffer.from(newChallenge(keys, of, at)).toString('base64url')
  expect(readChallenge(keys, text, of)?.toISOString()).toBe('2026-11-20T08:35:00.000Z')
  expect(readChallenge(keys, text, { ...of, purpose: 'registration' })).toBeNull()
  expect(readChallenge(keys, text, { ...of, userId: 'somebody' })).toBeNull()
  expect(readChallenge(['another key that is long enough to be one'], text, of)).toBeNull()
  expect(readChallenge(keys, `${text}=`, of)).toBeNull()
})

test('SECOND_FACTOR=all requires a second factor of every user, none of no user', async () => {
  const all = await openWorld({ env: { SECOND_FACTOR: 'all' }, database: world.database })
  const none = await openWorld({ env: { SECOND_FACTOR: 'none' }, database: world.database })
  const [reader, admin] = [await user(), await user({ roles: ['admin'] })]
  const headersOf = async ({ id }: { id: string }) => (await openSession(db, id)).headers
  const ask = async (of: typeof world, headers: Record<string, string>) =>
    (await of.client({ source: 'backoffice' }).get('/me', { headers })).status
  expect(await ask(all, await headersOf(reader))).toBe(403)
  expect(await ask(world, await headersOf(reader))).toBe(200)
  expect(await ask(none, await headersOf(admin))).toBe(200)
  expect((await all.client({ token: reader.token }).get('/me')).status).toBe(200)
})

test('POST /auth/second-factor returns 422 for no proof or two, 401 without a session', async () => {
  const who = createBrowser(client)
  for (const body of [{}, { totp: '123456', recovery_code: 'x' }])
    expect(await who.post('/auth/second-factor', body)).toBeError(422, 'validation_failed')
  expect(await who.post('/auth/second-factor', { totp: '123456' })).toBeError(401, 'unauthenticated')
})
