import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { erasePerson } from '../../privacy/erase.ts'
import { browserOf } from '../client.ts'
import { newestMail, putTotp } from '../sign-in.test-kit.ts'
import { countActiveSessions, deleteOldChallenges, deleteOldSessions } from './queries.ts'

// Two instances on one database, both with the session cache enabled as in production.
const one = await openWorld({ keeps: true })
const two = await openWorld({ keeps: true, database: one.database })
const { db, user, client, acteur } = one

type World = typeof one
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

function browserWith(value: string, world: World = one, source = 'backoffice') {
  const browser = createBrowser(world.client, { source })
  browser.cookies.set('parvis_session', value)
  return browser
}
async function signedIn(values: Parameters<typeof user>[0] = {}) {
  const person = await user(values)
  const session = await openSession(db, person.id)
  return {
    ...person,
    session,
    browser: browserWith(session.value),
    elsewhere: browserWith(session.value, two),
  }
}
const unauthenticated = async (browser: ReturnType<typeof browserWith>) =>
  expect(await browser.get('/me')).toBeError(401, 'unauthenticated')

/** Expects the session or token to be refused on the other instance within 250 ms. */
async function soonRefusedElsewhere(browser: Pick<ReturnType<typeof browserWith>, 'get'>) {
  const begun = performance.now()
  let asked = begun
  for (;;) {
    asked = performance.now()
    if ((await browser.get('/me')).status === 401) break
    expect(asked - begun).toBeLessThan(250)
  }
}

test('a session is accepted on every route that accepts a token', async () => {
  const club = await acteur({ valide: true })
  const { browser, id } = await signedIn({ roles: ['admin'], memberships: [{ acteur: club, role: 'owner' }] })
  expect((await browser.get('/me')).body.data).toMatchObject({ id, roles: ['admin'] })
  expect((await browser.get('/admin/users')).status).toBe(200)
  expect((await browser.get('/mairie/communes/x/alertes')).status).toBe(404)
  const claim = { acteur_id: (await acteur()).id, message: 'La page de mon club' }
  const made = await browser.post('/claims', claim)
  const row = db.selectFrom('claims').select('user_id').where('id', '=', made.body.data.id)
  expect(await row.executeTakeFirst()).toEqual({ user_id: id })
})

test('with both the token is used; an invalid token is refused despite a valid cookie', async () => {
  const { browser } = await signedIn()
  const other = await user()
  expect((await browser.get('/me', { token: other.token })).body.data.id).toBe(other.id)
  expect(await browser.get('/me', { token: 'nonsense' })).toBeError(401, 'unauthenticated')
})

test('a session is refused to a page that shows another user, and ends nothing', async () => {
  const { browser, id } = await signedIn()
  const shows = (userId: string) => ({ headers: { 'x-session-user': userId } })
  for (const path of ['/me', '/me/sessions'])
    expect(await browser.get(path, shows(nobody)), path).toBeError(401, 'unauthenticated')
  expect(await browser.patch('/me', { nom: 'Zoé' }, shows(nobody))).toBeError(401, 'unauthenticated')
  expect((await browser.get('/me', shows(id))).body.data.id).toBe(id)
  expect((await browser.get('/me')).status).toBe(200)
})

test('a browser learns how far its sign-in is, and whose it is once the second factor is shown', async () => {
  const progressOf = async (browser: Pick<ReturnType<typeof browserWith>, 'get'>) =>
    (await browser.get('/auth/session')).body.data
  const { browser, id, email } = await signedIn()
  expect(await progressOf(createBrowser(client, { source: 'backoffice' }))).toEqual({
    status: 'none',
    user: null,
  })
  expect(await progressOf(browser)).toMatchObject({ status: 'signed_in', user: { id, email } })
  await putTotp(db, id)
  await until('the new factor counts', async () => (await progressOf(browser)).status === 'second_factor')
  expect(await progressOf(browser)).toEqual({ status: 'second_factor', user: null })
})

test('an expired cookie is ignored if signing in is optional', async () => {
  const { browser, session } = await signedIn()
  await browser.post('/auth/logout')
  browser.cookies.set('parvis_session', session.value)
  const { id } = await acteur()
  const claim = { acteur_id: id, message: 'La page de mon club', email: 'club@example.org' }
  const made = await browser.post('/claims', claim)
  expect(made.status).toBe(201)
  const row = db.selectFrom('claims').select('user_id').where('id', '=', made.body.data.id)
  expect(await row.executeTakeFirst()).toEqual({ user_id: null })
})

test("writes need X-App-Source and the service's own origin; reads do not", async () => {
  const { browser } = await signedIn({ roles: ['admin'] })
  const { id } = await acteur()
  const change = (headers: Record<string, string>, source: string | null = 'backoffice') =>
    browser.patch(`/admin/acteurs/${id}`, { nom: 'Autre' }, { headers, source })
  for (const site of ['cross-site', 'same-site', 'none', ''])
    expect(await change({ 'sec-fetch-site': site }), site).toBeError(403, 'forbidden')
  expect((await change({})).status).toBe(200)
  const own = createBrowser(client)
  own.cookies.set('parvis_session', browser.cookies.get('parvis_session') ?? '')
  // An old browser only sends Origin.
  const old = (origin?: string, method = 'PATCH') =>
    client({ source: 'backoffice' }).send(
      method,
      `/admin/acteurs/${id}`,
      method === 'PATCH' ? { nom: 'Encore' } : undefined,
      {
        headers: { cookie: own.cookieHeader(), ...(origin !== undefined && { origin }) },
      },
    )
  for (const origin of [
    undefined,
    'null',
    'https://evil.example',
    'http://localhost:30000',
    'http://localhost',
  ])
    expect(await old(origin), origin).toBeError(403, 'forbidden')
  expect((await old('http://localhost:3000')).status).toBe(200)
  expect((await old('https://evil.example', 'GET')).status).toBe(200)
  // Bearer routes do not need X-App-Source, sessions do.
  expect(await browser.patch('/me', { nom: 'Zoé' }, { source: null })).toBeError(403, 'forbidden')
  expect((await browser.get('/me', { source: null })).status).toBe(200)
})

test('CORS never lets another site use cookies', async () => {
  const open = await openWorld({ env: { CORS_ORIGINS: 'https://app.example.org' } })
  const { id } = await open.user()
  const { value } = await openSession(open.db, id)
  const headers = { origin: 'https://app.example.org', 'sec-fetch-site': 'cross-site' }
  const read = await browserWith(value, open).get('/me', { headers })
  expect(read.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  expect(read.headers.get('access-control-allow-credentials')).toBeNull()
  expect(await browserWith(value, open).patch('/me', { nom: 'Z' }, { headers })).toBeError(403, 'forbidden')
})

test('GET /me/sessions returns 200 with the devices, and DELETE signs out one of them, or all others', async () => {
  const { id, browser, session } = await signedIn()
  const others = [await openSession(db, id, { browser: 'Chrome, Android' }), await openSession(db, id)]
  const listed = async () => (await browser.get('/me/sessions')).body.data
  expect(await listed()).toHaveLength(3)
  expect((await listed()).filter(({ current }: { current: boolean }) => current)).toMatchObject([
    { id: session.id, method: 'email', network: '192.0.2.0/24', browser: 'Firefox, Linux' },
  ])
  const [first] = others
  const phone = browserWith(first?.value ?? '')
  expect((await phone.get('/me')).status).toBe(200)
  expect((await browser.delete(`/me/sessions/${first?.id}`)).body).toEqual({
    data: { id: first?.id, ended: true },
  })
  await unauthenticated(phone)
  expect((await browser.delete('/me/sessions')).body).toEqual({ data: { ended: 1 } })
  expect((await listed()).map((device: { id: string }) => device.id)).toEqual([session.id])
})

test("DELETE /me/sessions/{id} returns 404 for another user's session, an ended one and an unknown one", async () => {
  const [mine, hers] = [await signedIn(), await signedIn()]
  await hers.browser.post('/auth/logout')
  const other = await openSession(db, hers.id)
  for (const id of [other.id, hers.session.id, nobody, 'malformed'])
    expect(await mine.browser.delete(`/me/sessions/${id}`)).toBeError(404, 'not_found')
})

test('the end of a session takes effect with the next request, within 250 ms on another instance', async () => {
  const admin = await one.as('admin')
  const endings: Record<string, (id: string) => Promise<unknown>> = {
    revoking: (id) => admin.patch(`/admin/users/${id}`, { revoke_tokens: true }),
    disabling: (id) => admin.patch(`/admin/users/${id}`, { actif: false }),
    'an administrator': (id) => admin.delete(`/admin/users/${id}/sessions`),
    'a reset of factors': (id) => admin.post(`/admin/users/${id}/factors/reset`),
  }
  for (const [, end] of Object.entries(endings)) {
    const { id, browser, elsewhere } = await signedIn()
    for (const each of [browser, elsewhere]) expect((await each.get('/me')).status).toBe(200)
    await end(id)
    await unauthenticated(browser)
    await soonRefusedElsewhere(elsewhere)
  }
  const { browser, elsewhere, session } = await signedIn()
  for (const each of [browser, elsewhere]) expect((await each.get('/me')).status).toBe(200)
  await browser.post('/auth/logout')
  await unauthenticated(browserWith(session.value))
  await soonRefusedElsewhere(elsewhere)
})

test('enabling a user again does not restore earlier sessions', async () => {
  const admin = await one.as('admin')
  const { id, browser } = await signedIn()
  await admin.patch(`/admin/users/${id}`, { actif: false })
  await admin.patch(`/admin/users/${id}`, { actif: true })
  await unauthenticated(browser)
})

test('granting or removing a role takes effect with the next request', async () => {
  const admin = await one.as('admin')
  const { id, browser, elsewhere } = await signedIn()
  expect(await browser.get('/admin/users')).toBeError(403, 'admin_required')
  expect(await elsewhere.get('/admin/users')).toBeError(403, 'admin_required')
  await admin.post(`/admin/users/${id}/roles`, { role: 'admin' })
  expect((await browser.get('/admin/users')).status).toBe(200)
  await until('the role counts elsewhere', async () => (await elsewhere.get('/admin/users')).status === 200)
  await admin.delete(`/admin/users/${id}/roles/admin`)
  expect(await browser.get('/admin/users')).toBeError(403, 'admin_required')
})

test('a token is refused with the next request after its user changed, within 250 ms on another instance', async () => {
  const admin = await one.as('admin')
  const endings = [{ revoke_tokens: true }, { actif: false }]
  for (const ending of endings) {
    const { id, token } = await user()
    const [here, elsewhere] = [client({ token }), two.client({ token })]
    for (const each of [here, elsewhere]) expect((await each.get('/me')).status).toBe(200)
    await admin.patch(`/admin/users/${id}`, ending)
    expect(await here.get('/me')).toBeError(401, 'unauthenticated')
    await soonRefusedElsewhere(elsewhere)
  }
})

test('a role or membership of a token counts with the next request, within 250 ms on another instance', async () => {
  const admin = await one.as('admin')
  const { id, token } = await user()
  const [here, elsewhere] = [
    client({ token, source: 'backoffice' }),
    two.client({ token, source: 'backoffice' }),
  ]
  for (const each of [here, elsewhere])
    expect(await each.get('/admin/users')).toBeError(403, 'admin_required')
  await admin.post(`/admin/users/${id}/roles`, { role: 'admin' })
  expect((await here.get('/admin/users')).status).toBe(200)
  await until('the role counts elsewhere', async () => (await elsewhere.get('/admin/users')).status === 200)
  await admin.delete(`/admin/users/${id}/roles/admin`)
  expect(await here.get('/admin/users')).toBeError(403, 'admin_required')
  const acteur_id = (await acteur({ valide: true })).id
  const publish = () => here.post('/publications', { acteur_id, title: 'Fête', body: 'Samedi' })
  expect(await publish()).toBeError(403, 'scope_violation')
  await db.insertInto('actor_users').values({ user_id: id, acteur_id, role: 'owner' }).execute()
  await until('the membership counts', async () => (await publish()).status === 201)
})

test('an open loop of token requests never succeeds after a revocation that the instance answered', async () => {
  const admin = await one.as('admin')
  for (let round = 0; round < 10; round++) {
    const { id, token } = await user()
    const caller = client({ token })
    let isRevoked = false
    const late: number[] = []
    const ask = async () => {
      while (!isRevoked) await caller.get('/me')
      late.push((await caller.get('/me')).status)
    }
    const asking = [ask(), ask(), ask()]
    await admin.patch(`/admin/users/${id}`, { revoke_tokens: true })
    isRevoked = true
    await Promise.all(asking)
    expect(late).toEqual([401, 401, 401])
  }
})

test('lookups of a session or a token are cached briefly, and not at all without notifications', async () => {
  const { statementsAbout } = await import('../../../../test/support/statements.ts')
  type Caller = { get(path: string): Promise<unknown> }
  const lookups = async (caller: Caller) => {
    await caller.get('/me')
    const about = /from sessions s join|from "users" where "issuer"/
    const sent = await statementsAbout(about, async () => {
      for (let n = 0; n < 5; n++) await caller.get('/me')
    })
    return sent.length
  }
  const deaf = await openWorld({ database: one.database })
  const { session, token } = await signedIn()
  const pairs: [sharing: Caller, alone: Caller][] = [
    [browserWith(session.value), browserWith(session.value, deaf)],
    [client({ token }), deaf.client({ token })],
  ]
  for (const [sharing, alone] of pairs) {
    const begun = performance.now()
    const shared = await lookups(sharing)
    // On a busy machine five requests may take longer than a lookup is cached.
    expect(shared).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 200))
    expect(await lookups(alone)).toBe(5)
  }
})

test('a session ends after eight hours without use, and after seven days at the latest', async () => {
  // The rows change outside the service, which is notified a moment later.
  const age = (id: string, columns: string) =>
    run(one.database.owner, `update sessions set ${columns}, confirmed_until = null where id = '${id}'`)
  const idle = await signedIn()
  await age(idle.session.id, "last_seen_at = now() - interval '7 hours 55 minutes'")
  expect((await idle.browser.get('/me')).status).toBe(200)
  await age(idle.session.id, "last_seen_at = now() - interval '8 hours'")
  await until('the idle session is over', async () => (await idle.browser.get('/me')).status === 401)
  const old = await signedIn()
  await age(old.session.id, "expires_at = now() + interval '1 minute'")
  expect((await old.browser.get('/me')).status).toBe(200)
  await age(old.session.id, "expires_at = now() - interval '1 ms'")
  await until('the old session is over', async () => (await old.browser.get('/me')).status === 401)
})

test('updates last use of session and account at most every five minutes', async () => {
  const { id, session, browser } = await signedIn()
  const seen = async () => {
    const { rows } = await sql<{ session: Date; account: Date | null }>`
      select s.last_seen_at as session, u.last_seen_at as account from sessions s join users u on u.id = s.user_id
      where s.id = ${session.id}`.execute(db)
    return rows[0]
  }
  const before = await seen()
  await browser.get('/me')
  expect(await seen()).toEqual(before)
  await sql`update sessions set last_seen_at = now() - interval '6 minutes', confirmed_until = null
    where id = ${session.id}`.execute(db)
  await until('the session is looked up again', async () => {
    await browser.get('/me')
    return ((await seen())?.account ?? null) !== null
  })
  expect((await seen())?.session.getTime()).toBeGreaterThanOrEqual((before?.session ?? new Date()).getTime())
  expect(id).toBeTruthy()
})

test('an erasure ends sessions and deletes device data; an earlier sign-in mail no longer works', async () => {
  const { id, email, browser, elsewhere } = await signedIn()
  const waiting = createBrowser(client)
  await waiting.post('/auth/email', { email })
  const { code, token } = await newestMail(db)
  const { jobs, config } = one
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  await erasePerson(tools, { user: id })
  await until('the erasure is heard', async () => (await browser.get('/me')).status === 401)
  await soonRefusedElsewhere(elsewhere)
  for (const proof of [{ code }, { token }])
    expect(await waiting.post('/auth/email/verify', proof)).toBeError(401, 'unauthenticated')
  const { rows } = await sql`
    select user_id from sessions where user_id = ${id}
    union all select user_id from email_challenges where user_id = ${id}`.execute(db)
  expect(rows).toEqual([])
})

test('an erasure concurrent with a sign-in leaves no session open', async () => {
  for (let n = 0; n < 5; n++) {
    const { id, email } = await user()
    const zoe = createBrowser(client)
    await zoe.post('/auth/email', { email })
    const { token } = await newestMail(db)
    const { jobs, config } = one
    const tools = {
      db,
      jobs,
      modules,
      config,
      clock: () => new Date(),
      digests: identityDigests(config),
    }
    await Promise.all([zoe.post('/auth/email/verify', { token }), erasePerson(tools, { user: id })])
    await until('nobody is signed in', async () => (await zoe.get('/me')).status === 401)
  }
})

test('a revocation concurrent with a sign-in leaves no earlier session', async () => {
  const admin = await one.as('admin')
  for (let n = 0; n < 5; n++) {
    const { id, email } = await user()
    const zoe = createBrowser(client)
    await zoe.post('/auth/email', { email })
    const { token } = await newestMail(db)
    const [verified] = await Promise.all([
      zoe.post('/auth/email/verify', { token }),
      admin.patch(`/admin/users/${id}`, { revoke_tokens: true }),
    ])
    // Either the sign-in came first and its session was ended, or its mail was invalidated.
    if (verified.status === 200) await unauthenticated(zoe)
    else expect(verified).toBeError(401, 'unauthenticated')
  }
})

test('signing out lets a running request complete and refuses the next one', async () => {
  const { browser, session } = await signedIn({ roles: ['admin'] })
  const { id } = await acteur()
  const locked = await db.startTransaction().execute()
  await sql`select from acteurs where id = ${id} for update`.execute(locked)
  const running = browser.copy().patch(`/admin/acteurs/${id}`, { nom: 'En route' })
  await until('the change waits', async () => {
    const { rows } = await run(
      one.database.superuser,
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    return rows.length > 0
  })
  await browser.post('/auth/logout')
  await locked.rollback().execute()
  expect((await running).status).toBe(200)
  await unauthenticated(browserWith(session.value))
})

test('sessions survive a restart of the service', async () => {
  const { session, id } = await signedIn()
  const restarted = await openWorld({ database: one.database })
  expect((await browserWith(session.value, restarted).get('/me')).body.data.id).toBe(id)
})

test('the database contains no value that can be used as a session cookie', async () => {
  const { session } = await signedIn()
  const { rows } = await run(
    one.database.superuser,
    `select row_to_json(sessions)::text as text from sessions where id = '${session.id}'`,
  )
  const bytes = Buffer.from(session.value, 'base64url').toString('hex')
  expect(rows[0].text).not.toContain(session.value)
  expect(rows[0].text).not.toContain(bytes)
})

test('GET, DELETE /admin/users/{userId}/sessions return 404 for an unknown user', async () => {
  const admin = await one.as('admin')
  expect(await admin.get(`/admin/users/${nobody}/sessions`)).toBeError(404, 'not_found')
  expect(await admin.delete(`/admin/users/${nobody}/sessions`)).toBeError(404, 'not_found')
  const { id, session } = await signedIn()
  expect((await admin.get(`/admin/users/${id}/sessions`)).body.data).toMatchObject([
    { id: session.id, current: false },
  ])
})

test('deletes ended and expired sessions after 30 days, sign-in mails a day after they expire', async () => {
  const [ended, expired, active] = [await signedIn(), await signedIn(), await signedIn()]
  const set = (id: string, columns: string) =>
    run(one.database.owner, `update sessions set ${columns} where id = '${id}'`)
  await set(ended.session.id, "ended_at = now() - interval '30 days 1 second'")
  await set(expired.session.id, "expires_at = now() - interval '30 days 1 second'")
  const before = await countActiveSessions(db)
  await createBrowser(client).post('/auth/email', { email: 'nobody@example.org' })
  const { id } = await newestMail(db)
  await run(
    one.database.owner,
    `update email_challenges set expires_at = now() - interval '25 hours' where id = '${id}'`,
  )
  expect(await deleteOldSessions(db, 500)).toBe(2)
  expect(await deleteOldChallenges(db, 500)).toBe(1)
  const left = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', 'in', [ended.id, expired.id, active.id])
    .execute()
  expect(left).toEqual([{ id: active.session.id }])
  expect(await countActiveSessions(db)).toBe(before)
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari, iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge, macOS',
  ],
  ['curl/8.5.0', null],
  [undefined, null],
])('a browser is shown by its common name: %s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name)
})
