import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jwtSecret } from '../../../test/support/factories.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../formats/uuid.ts'
import { identityDigests } from './erased-identities.ts'
import { type Identity, signToken } from './tokens.ts'
import { userFinder } from './users.ts'

const world = await openWorld()
const { db, get, user, acteur } = world
const identity = (subject: string, more: object = {}) => ({
  issuer: 'https://id.example/',
  subject,
  email: `${subject}@example.org`,
  emailVerified: true,
  name: 'Zoé',
  issuedAt: new Date(),
  authenticatedAt: null,
  ...more,
})
const signed = (payload: object) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 600, ...payload })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(jwtSecret))
const digestOf = identityDigests(world.config)
const getUserOf = (db: typeof world.db, identity: Identity) =>
  userFinder({ db, reads: db }, null, digestOf)(identity)
const audit = (token: string) => get('/admin/audit', { source: 'backoffice', token })

test('the first valid token creates one user without a role, even with fifty concurrent requests', async () => {
  const users = await Promise.all(Array.from({ length: 50 }, () => getUserOf(db, identity('first'))))
  expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  expect(users[0]).toMatchObject({ roles: [], memberships: [] })
  const rows = await db.selectFrom('users').selectAll().where('subject', '=', 'first').execute()
  expect(rows).toMatchObject([
    { issuer: 'https://id.example/', email: 'first@example.org', nom: 'Zoé', actif: true },
  ])
})

test("stores and shows whether the latest token's address is verified", async () => {
  const admin = await world.as('admin')
  const { id } = await getUserOf(db, identity('proven'))
  const shown = async () => (await admin.get(`/admin/users/${id}`)).body.data
  expect(await shown()).toMatchObject({ email: 'proven@example.org', email_verified: true })
  const seeLater = async (more: object) => {
    const long = sql<Date>`now() - interval '6 minutes'`
    await db.updateTable('users').set({ last_seen_at: long }).where('id', '=', id).execute()
    await getUserOf(db, identity('proven', more))
  }
  await seeLater({ email: 'other@example.org', emailVerified: false })
  expect(await shown()).toMatchObject({ email: 'other@example.org', email_verified: false })
  await seeLater({ email: null, emailVerified: true })
  expect(await shown()).toMatchObject({ email: 'other@example.org', email_verified: false })
  await seeLater({})
  expect(await shown()).toMatchObject({ email: 'proven@example.org', email_verified: true })
  await seeLater({ email: 'Proven@example.org', emailVerified: null })
  expect(await shown()).toMatchObject({ email: 'Proven@example.org', email_verified: true })
  await seeLater({ email: 'other@example.org', emailVerified: null })
  expect(await shown()).toMatchObject({ email: 'other@example.org', email_verified: false })
  await seeLater({ emailVerified: null })
  expect(await shown()).toMatchObject({ email: 'proven@example.org', email_verified: false })
})

test('an address that a new token verifies counts with that request', async () => {
  const admin = await world.as('admin')
  const { id } = await getUserOf(db, identity('soon', { emailVerified: false }))
  const shown = async () => (await admin.get(`/admin/users/${id}`)).body.data.email_verified
  expect(await shown()).toBe(false)
  await getUserOf(db, identity('soon', { email: null }))
  expect(await shown()).toBe(false)
  await getUserOf(db, identity('soon'))
  expect(await shown()).toBe(true)
})

test('a token of the command line leaves the address verified that its owner proved by mail', async () => {
  const email = 'by-mail@example.org'
  const { id } = await user({ issuer: 'parvis', subject: email, email, email_verified: true })
  await db.updateTable('users').set({ last_seen_at: null }).where('id', '=', id).execute()
  const token = await signToken(jwtSecret, email, email, 600, new Date())
  expect((await get('/me', { token })).body.data).toMatchObject({ id, email, email_verified: true })
  const query = db.selectFrom('users').select(['email_verified', 'last_seen_at']).where('id', '=', id)
  expect(await query.executeTakeFirst()).toEqual({ email_verified: true, last_seen_at: expect.any(Date) })
})

test('a token without an address creates a user whose address is not verified', async () => {
  const { id } = await getUserOf(db, identity('addressless', { email: null }))
  const query = db.selectFrom('users').select(['email', 'email_verified']).where('id', '=', id)
  expect(await query.executeTakeFirst()).toEqual({ email: null, email_verified: false })
})

const auditEntries = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['action', 'entity', 'user_id', 'request_id', 'before', 'after'])
    .where('entity_id', '=', id)
    .execute()

test('writes one audit entry without personal data when a first token creates a user', async () => {
  const token = await signed({
    sub: 'traced',
    email: 'traced@example.org',
    email_verified: true,
    name: 'Zoé',
  })
  const first = await audit(token)
  await audit(token)
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('subject', '=', 'traced')
    .executeTakeFirstOrThrow()
  const personal = '(personal)'
  const kept = { subject: personal, email: personal, nom: personal, email_verified: true }
  expect(await auditEntries(id)).toEqual([
    {
      action: 'user.create',
      entity: 'user',
      user_id: id,
      request_id: first.headers.get('x-request-id'),
      before: null,
      after: { id, issuer: 'parvis', ...kept },
    },
  ])
})

test('writes an audit entry with the acteurs when a user is bound', async () => {
  const id = await madeByEmail('bound@example.org')
  const { id: acteur_id } = await acteur()
  await db.insertInto('actor_users').values({ user_id: id, acteur_id, role: 'owner' }).execute()
  const token = await signed({ sub: 'binding', email: 'bound@example.org', email_verified: true })
  const { headers } = await audit(token)
  await audit(token)
  const after = { issuer: 'parvis', subject: '(personal)', email_verified: true }
  expect(await auditEntries(id)).toEqual([
    {
      action: 'user.bind',
      entity: 'user',
      user_id: id,
      request_id: headers.get('x-request-id'),
      before: { issuer: null, subject: null, email_verified: false },
      after: { ...after, acteurs: [{ acteur_id, role: 'owner', permissions: [] }] },
    },
  ])
})

async function madeByEmail(email: string, roles: string[] = []) {
  const id = uuidv7()
  await db.insertInto('users').values({ id, email }).execute()
  for (const role of roles) await db.insertInto('user_roles').values({ user_id: id, role }).execute()
  return id
}

test('binds a user created by e-mail once, to the identity of a token with a verified address', async () => {
  const id = await madeByEmail('Waiting@example.org')
  const { id: ownerOf } = await acteur()
  await db.insertInto('actor_users').values({ user_id: id, acteur_id: ownerOf, role: 'owner' }).execute()
  expect((await getUserOf(db, identity('waiting', { emailVerified: false }))).id).not.toBe(id)
  const verified = async () =>
    (await db.selectFrom('users').select('email_verified').where('id', '=', id).executeTakeFirst())
      ?.email_verified
  expect(await verified()).toBe(false)
  const bound = await getUserOf(db, identity('another', { email: 'waiting@example.org' }))
  expect(await verified()).toBe(true)
  expect(bound).toMatchObject({ id, memberships: [{ acteurId: ownerOf, role: 'owner' }] })
  expect((await getUserOf(db, identity('third', { email: 'waiting@example.org' }))).id).not.toBe(id)
  expect((await getUserOf(db, identity('another', { email: 'waiting@example.org' }))).id).toBe(id)
})

test('of twenty concurrent identities exactly one is bound to the waiting user', async () => {
  const id = await madeByEmail('race@example.org')
  const users = await Promise.all(
    Array.from({ length: 20 }, (_, n) => getUserOf(db, identity(`race-${n}`, { email: 'race@example.org' }))),
  )
  expect(users.filter((one) => one.id === id)).toHaveLength(1)
  expect(new Set(users.map((one) => one.id)).size).toBe(20)
})

test('never binds a user created by e-mail who holds a role', async () => {
  const id = await madeByEmail('boss@example.org', ['support'])
  expect((await getUserOf(db, identity('boss'))).id).not.toBe(id)
})

test('never merges a user created by e-mail into a bound user', async () => {
  const bound = await getUserOf(db, identity('known'))
  const waiting = await madeByEmail('known@example.org')
  expect((await getUserOf(db, identity('known'))).id).toBe(bound.id)
  const row = await db
    .selectFrom('users')
    .select('issuer')
    .where('id', '=', waiting)
    .executeTakeFirstOrThrow()
  expect(row.issuer).toBeNull()
})

test('concurrent first requests with all token kinds create one user and bind at most one waiting account', async () => {
  for (let round = 0; round < 8; round++) {
    const waiting = [
      await madeByEmail(`one-${round}@example.org`),
      await madeByEmail(`two-${round}@example.org`),
    ]
    const kinds = [
      { email: `one-${round}@example.org` },
      { email: `two-${round}@example.org` },
      { email: null },
    ]
    const users = await Promise.all(
      [...kinds, ...kinds].map((more) => getUserOf(db, identity(`mixed-${round}`, more))),
    )
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
    const bound = await db
      .selectFrom('users')
      .select('id')
      .where('subject', '=', `mixed-${round}`)
      .where('id', 'in', waiting)
      .execute()
    expect(bound.length).toBeLessThanOrEqual(1)
  }
})

/** Waits until at least this many sessions wait for a lock. No session waits longer than a minute. */
const waiting = (count: number) =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(count)
  }, 50_000)

test('a role granted while an identity is being bound prevents the binding', async () => {
  const id = await madeByEmail('late@example.org')
  const admin = await world.as('admin')
  const holder = await db.startTransaction().execute()
  await holder.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const grant = admin.post(`/admin/users/${id}/roles`, { role: 'moderator' })
  await waiting(1)
  const late = getUserOf(db, identity('late'))
  await waiting(2)
  await holder.commit().execute()
  expect((await grant).status).toBe(200)
  expect((await late).id).not.toBe(id)
})

test.each([
  ['disabled', { actif: false }],
  ['without its tokens of before', { tokens_valid_from: new Date(Date.now() + 86_400_000) }],
])('a refused token does not bind a user created by e-mail who is %s', async (_kind, values) => {
  const email = `refused-${Object.keys(values)}@example.org`
  const id = await madeByEmail(email)
  await db.updateTable('users').set(values).where('id', '=', id).execute()
  await expect(getUserOf(db, identity(`refused-${email}`, { email }))).rejects.toMatchObject({
    code: 'unauthenticated',
  })
  const allowed = { actif: true, tokens_valid_from: null }
  await db.updateTable('users').set(allowed).where('id', '=', id).execute()
  expect((await getUserOf(db, identity(`rightful-${email}`, { email }))).id).toBe(id)
})

test.each([
  ['viktor@example.org', 'vi\u212Ator@example.org'],
  ['kilian@example.org', 'k\u0130lian@example.org'],
  ['k\u0130m@example.org', 'kim@example.org'],
  ['\u00C9mile@example.org', '\u00E9mile@example.org'],
])('%s is not the user of %s: only ASCII letters of an address are folded', async (email, folded) => {
  const id = await madeByEmail(email)
  expect((await getUserOf(db, identity(`like ${email}`, { email: folded }))).id).not.toBe(id)
  const written = email.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  expect((await getUserOf(db, identity(`is ${email}`, { email: written }))).id).toBe(id)
})

test("reads a token's address in the same form that mail is sent to", async () => {
  const id = await madeByEmail('zoe@xn--bcher-kva.example')
  const token = await signed({ sub: 'zoe', email: 'zoe@bücher.example', email_verified: true })
  await audit(token)
  const row = await db.selectFrom('users').select('subject').where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.subject).toBe('zoe')
})

test('disabling a user, removing a role and revoking a token take effect with the next request, on two instances', async () => {
  const other = await openWorld({ database: world.database })
  const both = async (token: string) => {
    const answers = [await audit(token), await other.get('/admin/audit', { source: 'backoffice', token })]
    return answers.map(({ status }) => status)
  }
  const { id, token } = await user({ roles: ['admin'] })
  await user({ roles: ['admin'] })
  expect(await both(token)).toEqual([200, 200])
  await db.updateTable('users').set({ actif: false }).where('id', '=', id).execute()
  expect(await both(token)).toEqual([401, 401])
  await db.updateTable('users').set({ actif: true }).where('id', '=', id).execute()
  expect(await both(token)).toEqual([200, 200])
  await db
    .updateTable('users')
    .set({ tokens_valid_from: new Date(Date.now() + 1_000) })
    .where('id', '=', id)
    .execute()
  expect(await both(token)).toEqual([401, 401])
  await db
    .updateTable('users')
    .set({ tokens_valid_from: new Date(Date.now() - 3_600_000) })
    .where('id', '=', id)
    .execute()
  expect(await both(token)).toEqual([200, 200])
  await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
  expect(await both(token)).toEqual([403, 403])
})

test('after a revocation refuses a token without an issue time', async () => {
  const { id, subject } = await user({ roles: ['admin'] })
  const token = await signed({ sub: subject })
  expect((await audit(token)).status).toBe(200)
  await db
    .updateTable('users')
    .set({ tokens_valid_from: new Date(0) })
    .where('id', '=', id)
    .execute()
  expect(await audit(token)).toBeError(401, 'unauthenticated')
})

test('accepts a token issued exactly when tokens become valid again and refuses one issued a second earlier', async () => {
  const { id, subject } = await user({ roles: ['admin'] })
  const iat = Math.floor(Date.now() / 1_000) - 60
  await db
    .updateTable('users')
    .set({ tokens_valid_from: new Date(iat * 1_000) })
    .where('id', '=', id)
    .execute()
  expect((await audit(await signed({ sub: subject, iat }))).status).toBe(200)
  expect(await audit(await signed({ sub: subject, iat: iat - 1 }))).toBeError(401, 'unauthenticated')
})

test.each([-1e300, '1e3'])('after a revocation refuses a token whose issue time is %s', async (iat) => {
  const { id, subject } = await user({ roles: ['admin'] })
  await db
    .updateTable('users')
    .set({ tokens_valid_from: new Date(0) })
    .where('id', '=', id)
    .execute()
  expect(await audit(await signed({ sub: subject, iat }))).toBeError(401, 'unauthenticated')
})

test('ignores permissions in a token', async () => {
  const token = await signed({ sub: 'ambitious', roles: ['admin'], role: 'admin', admin: true })
  expect(await audit(token)).toBeError(403, 'admin_required')
})

test('updates last_seen_at at most every few minutes and leaves the version alone', async () => {
  const { id, token } = await user({ roles: ['admin'] })
  await audit(token)
  const seen = () =>
    db.selectFrom('users').select(['version', 'last_seen_at']).where('id', '=', id).executeTakeFirstOrThrow()
  const first = await seen()
  expect(first).toMatchObject({ version: 1, last_seen_at: expect.any(Date) })
  await audit(token)
  expect(await seen()).toEqual(first)
})

test('a failure to write last_seen_at does not fail the request; other failures are logged', async () => {
  const { id } = await getUserOf(db, identity('noted'))
  await db.updateTable('users').set({ last_seen_at: null }).where('id', '=', id).execute()
  onTestFinished(() => run(world.database.owner, 'drop function refuse_seen cascade').then(() => {}))
  const refuseSeen = (code: string) =>
    run(
      world.database.owner,
      `create or replace function refuse_seen() returns trigger language plpgsql as
         $$ begin raise exception 'not seen' using errcode = '${code}'; end $$;
       create or replace trigger refuse_seen before update of last_seen_at on users
         for each row execute function refuse_seen()`,
    )
  const [lockNotAvailable, anyOther] = ['55P03', 'P0001']
  await refuseSeen(lockNotAvailable)
  expect(await getUserOf(db, identity('noted'))).toMatchObject({ id })
  await refuseSeen(anyOther)
  await expect(getUserOf(db, identity('noted'))).rejects.toThrow('not seen')
})
