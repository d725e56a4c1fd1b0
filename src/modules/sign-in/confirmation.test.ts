import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../../test/support/browser-client.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { confirmSession } from '../../platform/access/session-records.ts'
import { sessionFinder } from '../../platform/access/sessions.ts'
import { callerOf } from '../../platform/access/users.ts'
import { findFactors } from './factors/queries.ts'
import { confirmTotp } from './factors/rules.ts'
import { newestMail, putTotp, secrets, softAuthenticator, totpOf } from './sign-in.test-kit.ts'

const world = await openWorld()
const { db, user, client } = world

/** Opens a session whose confirmation has expired. */
async function stale(values: Parameters<typeof user>[0] = {}, { hasShownFactor = false } = {}) {
  const person = await user(values)
  const session = await openSession(db, person.id, { hasShownFactor })
  await expire(session.id)
  const who = createBrowser(client)
  who.cookies.set('parvis_session', session.value)
  return { ...person, session, who }
}
const expire = (id: string) =>
  run(
    world.database.owner,
    `update sessions set confirmed_until = now() - interval '1 ms' where id = '${id}'`,
  )
async function mailedCode(who: Browser) {
  const asked = await who.post('/auth/confirm/email')
  expect([asked.status, asked.body]).toEqual([202, { data: { sent: true } }])
  return (await newestMail(db)).code
}
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

test('routes that need a recent confirmation return 403 to a session without one, but not to a token', async () => {
  const { who } = await stale({ roles: ['admin'] })
  const other = await user()
  const actions: [method: string, path: string, body?: object][] = [
    ['POST', `/admin/users/${other.id}/roles`, { role: 'support' }],
    ['DELETE', `/admin/users/${other.id}/roles/support`],
    ['PATCH', `/admin/users/${other.id}`, { actif: false }],
    ['PATCH', `/admin/users/${other.id}`, { revoke_tokens: true }],
    ['POST', '/admin/users', { email: 'invited@example.org', roles: ['support'] }],
    ['DELETE', `/admin/users/${other.id}/sessions`],
    ['POST', `/admin/users/${other.id}/factors/reset`],
    ['POST', '/me/totp'],
    ['POST', '/me/recovery-codes'],
    ['POST', '/me/passkeys/options'],
    ['DELETE', '/me/totp'],
    ['POST', '/me/email', { email: 'new@example.org' }],
    ['POST', '/admin/defibrillateurs-france/sync?accept_fall=true'],
    ['DELETE', `/admin/import-sources/${other.id}`],
    ['POST', `/admin/acteurs/${other.id}/merge`, { into: other.id }],
  ]
  for (const [method, path, body] of actions)
    expect(await who.send(method, path, body), `${method} ${path}`).toBeError(403, 'confirmation_required')
  // These need no confirmation.
  expect((await who.patch(`/admin/users/${other.id}`, { nom: 'Zoé' })).status).toBe(200)
  expect((await who.patch(`/admin/users/${other.id}`, { actif: true })).status).toBe(200)
  expect((await who.post('/admin/users', { email: 'plain@example.org' })).status).toBe(201)
  const admin = await world.as('admin')
  expect((await admin.post(`/admin/users/${other.id}/roles`, { role: 'support' })).status).toBe(200)
  // An invalid body is refused first, so that no dialog opens in vain.
  expect(await who.post(`/admin/users/${other.id}/roles`, { role: 'emperor' })).toBeError(
    422,
    'validation_failed',
  )
})

test('PATCH /admin/users/{id} that gives access returns 403 without a recent confirmation, and changes nothing', async () => {
  const { who } = await stale({ roles: ['admin'] })
  const [one, two] = [await world.acteur(), await world.acteur()]
  const member = await user({ memberships: [{ acteur: one, permissions: ['publish_publications'] }] })
  const off = await user({ actif: false })
  const held = { acteur_id: one.id, role: 'editor', permissions: ['publish_publications'] }
  const patch = (body: object, id = member.id) => who.patch(`/admin/users/${id}`, body)
  const given = [
    { acteurs: [held, { acteur_id: two.id, role: 'editor' }] },
    { acteurs: [{ ...held, role: 'owner' }] },
    { acteurs: [{ ...held, permissions: ['manage_publications', 'publish_publications'] }] },
    { actif: true, acteurs: [{ acteur_id: two.id, role: 'editor' }] },
  ]
  // Also when sent at the same time as a change that needs none.
  const [renamed, ...refused] = await Promise.all([
    patch({ nom: 'Zoé' }),
    ...given.map((body) => patch(body)),
    patch({ actif: true }, off.id),
  ])
  expect(renamed.status).toBe(200)
  for (const answer of refused) expect(answer).toBeError(403, 'confirmation_required')
  const admin = await world.as('admin')
  expect((await admin.get(`/admin/users/${member.id}`)).body.data.acteurs).toEqual([held])
  expect((await admin.get(`/admin/users/${off.id}`)).body.data.actif).toBe(false)

  // Rights that the account has already, and removals, need none; an unknown acteur is refused first.
  expect((await patch({ actif: true, acteurs: [held] })).status).toBe(200)
  const strange = { acteurs: [{ acteur_id: member.id, role: 'owner' }] }
  expect(await patch(strange)).toBeError(422, 'validation_failed')
  expect((await patch({ acteurs: [{ ...held, permissions: [] }] })).status).toBe(200)
  expect((await patch({ acteurs: [] })).status).toBe(200)

  expect((await who.post('/auth/confirm', { code: await mailedCode(who) })).status).toBe(200)
  expect((await patch({ acteurs: [{ acteur_id: two.id, role: 'owner' }] })).status).toBe(200)
  expect((await patch({ actif: true }, off.id)).status).toBe(200)
})

test('signing in confirms for ten minutes', async () => {
  const { id } = await user({ roles: ['admin'] })
  const { value, id: session } = await openSession(db, id)
  const who = createBrowser(client)
  who.cookies.set('parvis_session', value)
  const other = await user()
  const grant = () => who.post(`/admin/users/${other.id}/roles`, { role: 'support' })
  expect((await grant()).status).toBe(200)
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from confirmed_until - now()) / 60) as minutes from sessions where id = ${session}`.execute(
    db,
  )
  expect(Number(rows[0]?.minutes)).toBe(10)
  await expire(session)
  expect(await grant()).toBeError(403, 'confirmation_required')
})

test('POST /auth/confirm returns 200 for the mailed code, in its session, once; other tabs work for 30 s', async () => {
  const { id, session, who } = await stale({ roles: ['admin'] })
  const code = await mailedCode(who)
  const otherTab = who.copy()
  const thief = await stale({ roles: ['admin'] })
  expect(await thief.who.post('/auth/confirm', { code })).toBeError(401, 'unauthenticated')
  expect(await who.post('/auth/confirm', { code: wrong(code) })).toBeError(401, 'unauthenticated')
  expect((await who.post('/auth/confirm', { code })).body).toEqual({ data: { confirmed: true } })
  expect(who.cookies.get('parvis_session')).not.toBe(session.value)
  expect((await who.post('/me/totp')).status).toBe(200)
  expect((await otherTab.get('/me')).status).toBe(200)
  expect(await who.post('/auth/confirm', { code })).toBeError(401, 'unauthenticated')
  await run(
    world.database.owner,
    `update sessions set former_until = now() - interval '1 ms' where id = '${session.id}'`,
  )
  expect(await otherTab.get('/me')).toBeError(401, 'unauthenticated')
  const auditEntries = await db.selectFrom('audit_log').select('action').where('user_id', '=', id).execute()
  expect(auditEntries.map(({ action }) => action).sort()).toEqual([
    'session.confirm',
    'session.refuse',
    'session.refuse',
  ])
})

test('the value from before a confirmation reads and writes for 30 s, but gets nothing of the confirmation', async () => {
  const { id, who } = await stale({ roles: ['admin'] })
  const thief = who.copy()
  expect((await who.post('/auth/confirm', { code: await mailedCode(who) })).status).toBe(200)
  const other = await user()
  expect((await thief.get('/me')).status).toBe(200)
  expect((await thief.patch('/me', { nom: 'Zoé' })).status).toBe(200)
  const actions: [method: string, path: string, body?: object][] = [
    ['POST', '/me/totp'],
    ['POST', '/me/passkeys/options'],
    ['POST', '/me/passkeys', { passkey: await softAuthenticator.register(id), label: 'Téléphone' }],
    ['POST', `/admin/users/${other.id}/roles`, { role: 'support' }],
    ['POST', '/me/email', { email: 'thief@example.org' }],
  ]
  for (const [method, path, body] of actions)
    expect(await thief.send(method, path, body), path).toBeError(403, 'confirmation_required')
  const { secret } = (await who.post('/me/totp')).body.data
  expect(await thief.post('/me/totp/confirm', { totp: totpOf(secret) })).toBeError(
    403,
    'confirmation_required',
  )
  // Not even with a proof, which the owner may have typed into the wrong page.
  expect(await thief.post('/auth/confirm/email')).toBeError(401, 'unauthenticated')
  expect(await thief.post('/auth/confirm', { totp: totpOf(secret) })).toBeError(401, 'unauthenticated')
  expect((await who.post('/me/totp/confirm', { totp: totpOf(secret) })).status).toBe(200)
  expect((await who.get('/me')).status).toBe(200)
  expect(await thief.get('/me')).toBeError(401, 'unauthenticated')
})

test('a value that a confirmation has replaced meanwhile neither rotates the session nor adds a factor', async () => {
  const { id } = await user()
  const { id: sessionId, value } = await openSession(db, id)
  const looked = await sessionFinder({ db, reads: db }, null, 'admin').find(value)
  if (looked === null) throw new Error('The session is open.')
  await db.transaction().execute((tx) => confirmSession(tx, looked))
  const secret = await putTotp(db, id, { pending: true })
  const caller = callerOf(id, null)
  const tools = { db, config: world.config, clock: () => new Date(), log: world.log }
  const confirming = confirmTotp(tools, caller, totpOf(secret), looked)
  await expect(confirming).rejects.toMatchObject({ code: 'confirmation_required' })
  expect((await findFactors(db, id)).totp).toBe(false)
  const row = db.selectFrom('sessions').select('factor_at').where('id', '=', sessionId)
  expect(await row.executeTakeFirst()).toEqual({ factor_at: null })
})

test('two tabs that confirm concurrently both stay signed in', async () => {
  const { id } = await user()
  const base32 = await putTotp(db, id)
  const { value } = await openSession(db, id, { hasShownFactor: true })
  const tab = createBrowser(client)
  tab.cookies.set('parvis_session', value)
  const other = tab.copy()
  const [first, second] = await Promise.all([
    tab.post('/auth/confirm', { totp: totpOf(base32) }),
    other.post('/auth/confirm', { totp: totpOf(base32, Date.now() + 30_000) }),
  ])
  // A later code invalidates an earlier one; the two mails may arrive in either order.
  expect([first.status, second.status]).toContain(200)
  const jar = [tab, other].filter((each) => each.cookies.get('parvis_session') !== value)
  expect(jar).toHaveLength(1)
  for (const each of [tab, other]) expect((await each.get('/me')).status).toBe(200)
})

test('with an authenticator app only its code confirms, not a mailed code', async () => {
  const { id, who, session } = await stale({ roles: ['admin'] }, { hasShownFactor: true })
  const before = await mailedCode(who)
  const base32 = await putTotp(db, id)
  expect(await who.post('/auth/confirm/email')).toBeError(409, 'conflict')
  expect(await who.post('/auth/confirm', { code: before })).toBeError(401, 'unauthenticated')
  const totp = totpOf(base32)
  expect((await who.post('/auth/confirm', { totp })).status).toBe(200)
  await expire(session.id)
  expect(await who.post('/auth/confirm', { totp })).toBeError(401, 'unauthenticated')
})

test('a mailed code allows five attempts; the sixth invalidates it', async () => {
  const { who } = await stale()
  const first = await mailedCode(who)
  const second = await mailedCode(who)
  if (first !== second)
    expect(await who.post('/auth/confirm', { code: first })).toBeError(401, 'unauthenticated')
  expect((await who.post('/auth/confirm', { code: second })).status).toBe(200)

  const eve = await stale()
  const code = await mailedCode(eve.who)
  for (let n = 0; n < 5; n++)
    expect(await eve.who.post('/auth/confirm', { code: wrong(code) })).toBeError(401, 'unauthenticated')
  // The fifth refusal in a row ended the session too.
  expect(await eve.who.post('/auth/confirm', { code })).toBeError(401, 'unauthenticated')
  expect(await eve.who.get('/me')).toBeError(401, 'unauthenticated')
})

test('of several mails requested concurrently one code is valid', async () => {
  const email = 'several@example.org'
  const { id, who } = await stale({ email, subject: email })
  const open = async (purpose: 'confirmation' | 'address') => {
    const of = db.selectFrom('email_challenges').select('id').where('user_id', '=', id)
    return of.where('purpose', '=', purpose).where('closed_at', 'is', null).execute()
  }
  for (let round = 0; round < 5; round++) {
    await Promise.all([0, 1, 2].map(() => who.copy().post('/auth/confirm/email')))
    const [only, ...rest] = await open('confirmation')
    expect(rest).toEqual([])
    const { status } = await who.post('/auth/confirm', { code: secrets.code(only?.id ?? '') })
    expect(status).toBe(200)
    const emails = ['first', 'second'].map((name) => `${name}-${round}@example.org`)
    await Promise.all(emails.map((email) => who.copy().post('/me/email', { email })))
    expect(await open('address')).toHaveLength(1)
  }
})

test('a user of an identity provider gets no mailed code', async () => {
  const { who } = await stale({ issuer: 'https://id.example' })
  expect(await who.post('/auth/confirm/email')).toBeError(409, 'conflict')
  expect((await who.get('/me/factors')).body.data).toMatchObject({ mailed_code: false })
})

test('POST /auth/confirm and /auth/confirm/email return 401 without a session, 422 for no proof or two', async () => {
  const nobody = createBrowser(client)
  expect(await nobody.post('/auth/confirm', { code: '123456' })).toBeError(401, 'unauthenticated')
  expect(await nobody.post('/auth/confirm/email')).toBeError(401, 'unauthenticated')
  for (const body of [{}, { code: '123456', totp: '123456' }])
    expect(await nobody.post('/auth/confirm', body)).toBeError(422, 'validation_failed')
})
