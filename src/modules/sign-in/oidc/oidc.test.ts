import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { deleteOldHandler } from '../sessions/jobs.ts'
import { putTotp, totpOf } from '../sign-in.test-kit.ts'
import { openProvider } from './real-provider.test-kit.ts'
import { createVisitor, goesOnTo, publicUrl } from './visitor.test-kit.ts'

const provider = await openProvider()
const world = await openWorld({ env: { ...provider.env, SECOND_FACTOR: 'admin' } })
const { db, client } = world

const roleOf = (userId: string, role: 'admin' | 'moderator') =>
  db.insertInto('user_roles').values({ user_id: userId, role }).execute()
const userOf = (subject: string) =>
  db.selectFrom('users').selectAll().where('issuer', '=', provider.issuer).where('subject', '=', subject)

async function signIn(name: string, visitor = createVisitor(world), returnTo?: string) {
  const back = await provider.logIn(visitor, await visitor.start(returnTo), name)
  const shown = await visitor.comeBack(back)
  return { visitor, shown, back }
}
const me = (visitor: ReturnType<typeof createVisitor>) =>
  client({ source: 'backoffice' }).get('/me', { headers: visitor.headers() })

test('GET /auth/methods returns the label of the button', async () => {
  expect((await client({}).get('/auth/methods')).body.data.oidc).toEqual({ label: 'ProConnect' })
})

test('signing in at the provider signs in here, on a page that redirects by itself', async () => {
  const { visitor, shown } = await signIn('zoe', undefined, '/backoffice/queue?selected=1#text')
  expect([shown.status, goesOnTo(shown)]).toEqual([200, '/backoffice/queue?selected=1#text'])
  expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(shown.headers.get('cache-control')).toBe('no-store')
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(shown.text).toContain('<html lang="fr">')
  expect([...visitor.cookies].map(([name, { sameSite }]) => [name, sameSite]).sort()).toEqual([
    ['parvis_device', 'strict'],
    ['parvis_session', 'strict'],
  ])
  const { data } = (await me(visitor)).body
  expect(data).toMatchObject({ nom: 'Mx zoe', email: 'zoe@example.org', email_verified: true, roles: [] })
  const trail = await db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('user_id', '=', data.id)
    .orderBy('seq')
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(['user.create', 'session.create'])
  expect(trail[1]?.after).toEqual({ user_id: data.id, method: 'oidc' })
})

test('the authorization URL has state, nonce and PKCE, and the cookie is sent from another site', async () => {
  const visitor = createVisitor(world)
  const url = await visitor.start()
  const { state, nonce, ...rest } = Object.fromEntries(url.searchParams)
  expect([state?.length, nonce?.length]).toEqual([43, 43])
  expect(rest).toEqual({
    client_id: 'parvis',
    redirect_uri: 'http://localhost:3000/api/v1/auth/oidc/callback',
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(visitor.cookies.get('parvis_oidc')?.sameSite).toBe('lax')
  const again = await createVisitor(world).start()
  expect(again.searchParams.get('state')).not.toBe(state)
})

test('with https the cookie is __Host- and Secure', async () => {
  const secure = await openWorld({ env: { ...provider.env, PUBLIC_URL: 'https://parvis.example.org' } })
  const response = await fetch(`${secure.url}/api/v1/auth/oidc/start`, { redirect: 'manual' })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-parvis_oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

test('the same identity is the same user, and another identity with the same address is not', async () => {
  const { id: other } = await world.user({ email: 'leo@example.org', roles: ['moderator'] })
  const first = await signIn('leo')
  const id = (await me(first.visitor)).body.data.id
  expect(id).not.toBe(other)
  const second = await signIn('leo')
  expect((await me(second.visitor)).body.data.id).toBe(id)
  expect(await userOf('leo').execute()).toHaveLength(1)
})

test('a verified address binds the user created by a claim; an unverified one does not', async () => {
  for (const [name, isBound] of [
    ['odile', true],
    ['new-odile', false],
  ] as const) {
    const waiting = await db
      .insertInto('users')
      .values({ id: crypto.randomUUID(), email: `${name}@example.org` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { visitor } = await signIn(name)
    expect((await me(visitor)).body.data.id === waiting.id, name).toBe(isBound)
  }
})

test('a disabled user is refused, as is a sign-in during which tokens are revoked', async () => {
  const { visitor } = await signIn('max')
  const { id } = (await me(visitor)).body.data
  await db.updateTable('users').set({ actif: false }).where('id', '=', id).execute()
  const { visitor: other, shown } = await signIn('max')
  expect([shown.status, shown.text.includes('Votre compte est désactivé')]).toEqual([401, true])
  expect(other.cookies.has('parvis_session')).toBe(false)
  const soon = new Date(Date.now() + 60_000)
  await db.updateTable('users').set({ actif: true, tokens_valid_from: soon }).where('id', '=', id).execute()
  expect((await signIn('max')).shown.status).toBe(401)
})

test('requires a second factor if the user has one, and its setup if it is compulsory', async () => {
  const { visitor } = await signIn('ines')
  const { id } = (await me(visitor)).body.data
  await roleOf(id, 'admin')
  const enrolling = await signIn('ines', undefined, '/backoffice/users?q=a')
  expect(goesOnTo(enrolling.shown)).toBe('/backoffice/sign-in?next=%2Fusers%3Fq%3Da')
  expect(await me(enrolling.visitor)).toBeError(403, 'enrolment_required')
  const base32 = await putTotp(db, id)
  const { visitor: again, shown } = await signIn('ines')
  expect(goesOnTo(shown)).toBe('/backoffice/sign-in?next=%2F')
  expect(await me(again)).toBeError(401, 'unauthenticated')
  const answer = await client({ source: 'backoffice' }).post(
    '/auth/second-factor',
    { totp: totpOf(base32) },
    { headers: again.headers() },
  )
  expect(answer.body.data).toEqual({ status: 'signed_in' })
})

test('a known device is not reported as new after signing in through the provider', async () => {
  const { visitor } = await signIn('rose')
  const { id } = (await me(visitor)).body.data
  await signIn('rose', visitor)
  await signIn('rose')
  const sessions = await db.selectFrom('sessions').select('device_hash').where('user_id', '=', id).execute()
  expect(new Set(sessions.map(({ device_hash }) => device_hash?.toString('hex'))).size).toBe(2)
})

test('signing in again confirms the session if the provider authenticated the user again', async () => {
  const { visitor } = await signIn('ada')
  const { id } = (await me(visitor)).body.data
  const confirmed = async () =>
    (await client({ source: 'backoffice' }).post('/me/totp', undefined, { headers: visitor.headers() }))
      .status
  const forget = () =>
    db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', id).execute()
  await forget()
  expect(await confirmed()).toBe(403)
  const start = await visitor.start('/backoffice/account')
  expect(Object.fromEntries(start.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
  const before = visitor.cookies.get('parvis_session')?.value
  const shown = await visitor.comeBack(await provider.logIn(visitor, start, 'ada'))
  expect([shown.status, goesOnTo(shown)]).toEqual([200, '/backoffice/account'])
  expect(visitor.cookies.get('parvis_session')?.value).not.toBe(before)
  expect(await confirmed()).toBe(200)
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
  expect(sessions).toHaveLength(1)

  // The provider does not ask again if the user removes the parameters from the address.
  await forget()
  const slack = await visitor.start()
  for (const name of ['prompt', 'max_age']) slack.searchParams.delete(name)
  await db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', id).execute()
  const opened = await visitor.open(slack.href)
  expect(opened.url).toContain('code=')
  expect((await visitor.comeBack(opened.url)).status).toBe(401)
  expect(await confirmed()).toBe(403)
})

test('the value from before a confirmation starts a session of its own at the provider', async () => {
  const { visitor } = await signIn('iris')
  const { id } = (await me(visitor)).body.data
  const thief = createVisitor(world, new Map([[publicUrl, new Map(visitor.cookies)]]))
  await visitor.comeBack(await provider.logIn(visitor, await visitor.start(), 'iris'))
  expect((await me(thief)).status).toBe(200)
  expect((await thief.comeBack(await provider.logIn(thief, await thief.start(), 'mara'))).status).toBe(200)
  expect((await me(visitor)).body.data.id).toBe(id)
  expect((await me(thief)).body.data.id).not.toBe(id)
})

test("a user cannot confirm another user's session", async () => {
  const { visitor } = await signIn('paul')
  const { id } = (await me(visitor)).body.data
  await db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', id).execute()
  const back = await provider.logIn(createVisitor(world), await visitor.start(), 'mara')
  expect((await visitor.comeBack(back)).status).toBe(401)
  expect((await me(visitor)).body.data.id).toBe(id)
  const { confirmed_until } = await db
    .selectFrom('sessions')
    .select('confirmed_until')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(confirmed_until).toBe(null)
})

test("signing out ends the provider's session too", async () => {
  const { visitor } = await signIn('nina')
  const signOut = async () =>
    (await client({ source: 'backoffice' }).post('/auth/logout', undefined, { headers: visitor.headers() }))
      .body.data
  const { redirect } = await signOut()
  const url = new URL(redirect)
  expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/session/end`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    id_token_hint: expect.stringMatching(/^ey[\w.-]+$/),
    post_logout_redirect_uri: 'http://localhost:3000/backoffice/sign-in',
    state: expect.stringMatching(/^[\w-]{32,}$/),
  })
  expect((await visitor.open(redirect)).status).toBe(200)
  expect(
    await db
      .selectFrom('oidc_id_tokens')
      .innerJoin('sessions', 'id', 'session_id')
      .where('ended_at', 'is not', null)
      .select('id')
      .execute(),
  ).toEqual([])
  expect(await signOut()).toEqual({ redirect: null })
})

test('a callback works once, also on two instances', async () => {
  const second = await openWorld({ env: provider.env, database: world.database })
  const visitor = createVisitor(world)
  const back = await provider.logIn(visitor, await visitor.start(), 'yves')
  const cookie = visitor.headers().cookie
  const query = new URL(back).search
  const come = ({ url }: World) => fetch(`${url}/api/v1/auth/oidc/callback${query}`, { headers: { cookie } })
  const statuses = (await Promise.all([world, second, world, second].map(come))).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401])
  expect((await come(second)).status).toBe(401)
})

test('a code is redeemed once, and only for its own sign-in', async () => {
  const begin = async (name: string) => {
    const visitor = createVisitor(world)
    return { visitor, back: new URL(await provider.logIn(visitor, await visitor.start(), name)) }
  }
  const [yves, mara, unused] = [await begin('yves'), await begin('mara'), await begin('yves')]
  expect((await yves.visitor.comeBack(yves.back)).status).toBe(200)
  for (const { back } of [yves, unused]) {
    mara.back.searchParams.set('code', back.searchParams.get('code') ?? '')
    expect((await mara.visitor.comeBack(mara.back)).status).toBe(401)
    Object.assign(mara, await begin('mara'))
  }
})

test('a callback needs the cookie of its sign-in, which is valid for ten minutes', async () => {
  const visitor = createVisitor(world)
  const back = await provider.logIn(visitor, await visitor.start(), 'yves')
  expect((await createVisitor(world).comeBack(back)).status).toBe(401)
  const stranger = createVisitor(world)
  await stranger.start()
  expect((await stranger.comeBack(back)).status).toBe(401)
  const late = await openWorld({
    env: provider.env,
    database: world.database,
    clock: () => new Date(Date.now() + 600_000),
  })
  const query = new URL(back).search
  const headers = { cookie: visitor.headers().cookie }
  expect((await fetch(`${late.url}/api/v1/auth/oidc/callback${query}`, { headers })).status).toBe(401)
  expect((await visitor.comeBack(back)).status).toBe(200)
})

test.each([
  'https://evil.example/',
  '//evil.example/backoffice/',
  '/\\evil.example',
  '/backoffice/../api/v1/auth/logout',
  '/backoffice/%2e%2e/docs/',
  '/backoffice/..\\..\\docs',
  '/backoffice\t/../..//evil.example',
  '/backoffice',
  '/backofficer/',
  ' /backoffice/',
  'backoffice/',
  'javascript:alert(1)',
])('GET /auth/oidc/start returns 422 for return_to %j', async (returnTo) => {
  const path = `/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`
  expect(await client({ source: null }).get(path)).toBeError(422, 'validation_failed')
})

test.each([
  ['/backoffice/@evil.example', '/backoffice/@evil.example'],
  ['/backoffice//evil.example', '/backoffice//evil.example'],
  ['/backoffice/a/../queue', '/backoffice/queue'],
  [`/backoffice/"><script>'`, '/backoffice/%22%3E%3Cscript%3E&#39;'],
])('return_to %j leads to %s and nowhere else', async (typed, shown) => {
  expect(goesOnTo((await signIn('zoe', undefined, typed)).shown)).toBe(shown)
})

test('states and ID tokens of ended sessions are deleted', async () => {
  const { visitor } = await signIn('otto')
  const { id } = (await me(visitor)).body.data
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const handler = deleteOldHandler(world)
  const run = () => handler.perform({}, { id: 'job', attempt: 1, signal: new AbortController().signal })
  const count = async (table: 'oidc_id_tokens' | 'used_oidc_states') =>
    (await db.selectFrom(table).select(sql`1`.as('one')).execute()).length
  const idTokens = () =>
    db.selectFrom('oidc_id_tokens').select('session_id').where('session_id', '=', sessionId).execute()
  await run()
  expect(await idTokens()).toHaveLength(1)
  expect(await count('used_oidc_states')).toBeGreaterThan(0)
  await db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', sessionId).execute()
  await db.updateTable('used_oidc_states').set({ expires_at: sql`now() - interval '25 hours'` }).execute()
  await run()
  expect(await idTokens()).toEqual([])
  expect(await count('used_oidc_states')).toBe(0)
})

test('without a provider both addresses return 404, as a page to browsers', async () => {
  const { client: of, ...bare } = await openWorld()
  expect((await of({}).get('/auth/methods')).body.data.oidc).toBe(null)
  for (const path of ['/auth/oidc/start', '/auth/oidc/callback'])
    expect(await of({ source: null }).get(path)).toBeError(404, 'not_found')
  const page = await createVisitor({ ...bare, client: of } as World).request(
    'http://localhost:3000/api/v1/auth/oidc/start',
  )
  expect([page.status, page.text.includes('Ce moyen de connexion')]).toEqual([404, true])
})

test('a repeated parameter is 422, and a HEAD request consumes nothing', async () => {
  expect(await client({ source: null }).get('/auth/oidc/callback?code=a&code=b')).toBeError(
    422,
    'validation_failed',
  )
  expect(await client({ source: null }).get('/auth/oidc/callback?code=a')).toBeError(401, 'unauthenticated')
  const visitor = createVisitor(world)
  const back = await provider.logIn(visitor, await visitor.start(), 'yves')
  const { search } = new URL(back)
  const head = await fetch(`${world.url}/api/v1/auth/oidc/callback${search}`, {
    method: 'HEAD',
    headers: visitor.headers(),
  })
  expect(head.status).toBe(404)
  expect((await visitor.comeBack(back)).status).toBe(200)
})

test.each([
  ['signed userinfo, as ProConnect has it, without PKCE', { signsUserinfo: true, pkce: false }],
  ['the secret in a header', { authMethod: 'client_secret_basic' }],
])('a provider with %s', async (_title, options) => {
  const other = await openProvider(options)
  const there = await openWorld({ env: other.env })
  const visitor = createVisitor(there)
  const start = await visitor.start()
  expect(start.searchParams.has('code_challenge')).toBe(!('pkce' in options))
  const shown = await visitor.comeBack(await other.logIn(visitor, start, 'lise'))
  expect([shown.status, goesOnTo(shown)]).toEqual([200, '/backoffice/'])
  const of = there.client({ source: 'backoffice' })
  expect((await of.get('/me', { headers: visitor.headers() })).body.data.email).toBe('lise@example.org')
})
