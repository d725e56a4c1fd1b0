import { createHmac, hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { jwtSecret } from '../../../test/support/factories.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { signToken } from '../../platform/access/tokens.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { mergeJob } from '../acteurs/merge/jobs.ts'
import { decideHeldJob } from '../imports/held.ts'
import { withdraw } from '../imports/withdraw.ts'
import { mailAdministratorHandler } from '../users/administrators.ts'
import { erasePerson } from './erase.ts'
import { findPerson } from './person.ts'
import { addressPattern, findTraces } from './traces.ts'

const { db, jobs, user, acteur, client, as, config, database } = await openWorld()
const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
const erase = (id: string) => erasePerson(tools, { user: id })
const stored = (id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const tokenAt = (subject: string, moment: number) =>
  signToken(jwtSecret, subject, 'back@example.org', 3_600, new Date(moment))

await user({ roles: ['admin'] })

test('refuses tokens from before an erasure; a later token of the identity creates a new user', async () => {
  const { id, subject, token } = await user({ roles: ['admin'] })
  const me = (given: string) => client({ token: given }).get('/me')
  expect((await me(token)).body.data).toMatchObject({ id, roles: ['admin'] })
  await erase(id)
  expect(await me(token)).toBeError(401, 'unauthenticated')
  expect(await stored(id)).toMatchObject({
    subject: null,
    email: null,
    actif: false,
    erased_at: expect.any(Date),
  })
  // Within the clock tolerance a token may be dated ahead, like later ones, without waiting for them.
  await db
    .updateTable('erased_identities')
    .set({ tokens_valid_from: new Date(Date.now() - 60_000) })
    .execute()
  const late = await tokenAt(subject ?? '', Date.now())
  const again = await me(late)
  expect(again).toMatchObject({ status: 200, body: { data: { roles: [], email: subject } } })
  expect(again.body.data.id).not.toBe(id)
  expect(await me(await tokenAt(subject ?? '', Date.now() - 120_000))).toBeError(401, 'unauthenticated')
  expect((await me(late)).status).toBe(200)
})

const newSecret = 'another secret for tests: long enough to be one'

test('an erased identity is recognised by its digest after a new AUTH_JWT_SECRET or DATABASE_URL', async () => {
  const { id, subject, issuer } = await user()
  await erase(id)
  const identity = { issuer: issuer ?? '', subject: subject ?? '' }
  const digestsUnder = async (values: object) =>
    (await identityDigests({ ...config, ...values })(db))(identity)
  const [digest = ''] = await digestsUnder({})
  const row = await db.selectFrom('erased_identities').select('digest').where('digest', '=', digest).execute()
  expect(row).toHaveLength(1)
  const rotated = { auth: { ...config.auth, jwtSecret: newSecret } }
  expect(await digestsUnder(rotated)).toEqual([digest])
  expect(await digestsUnder({ ...rotated, databaseUrl: 'postgres://127.0.0.1/parvis' })).toEqual([digest])
  // The configured key is used first; digests with the stored key are still found.
  const [own, kept] = await digestsUnder({ erasureKeys: ['a key that the operator keeps elsewhere'] })
  expect(kept).toBe(digest)
  expect(own).not.toBe(digest)
})

test('an account erased before a change of AUTH_JWT_SECRET is not created again', async () => {
  const { id, subject } = await user({ roles: ['admin'] })
  await erase(id)
  const other = await openWorld({ database, env: { AUTH_JWT_SECRET: `${newSecret},${jwtSecret}` } })
  const me = (secret: string, moment: number) =>
    signToken(secret, subject ?? '', 'back@example.org', 3_600, new Date(moment)).then((token) =>
      other.get('/me', { token }),
    )
  const before = Date.now() - 60_000
  // During a rotation tokens of both secrets are read.
  for (const secret of [newSecret, jwtSecret])
    expect(await me(secret, before)).toBeError(401, 'unauthenticated')
  const { token, id: known } = await user()
  expect((await other.get('/me', { token })).body.data.id).toBe(known)
  await db
    .updateTable('erased_identities')
    .set({ tokens_valid_from: new Date(Date.now() - 60_000) })
    .execute()
  expect(await me(newSecret, Date.now() - 120_000)).toBeError(401, 'unauthenticated')
  expect((await me(newSecret, Date.now())).status).toBe(200)
  expect(await me('a third secret that nobody named at all', Date.now())).toBeError(401, 'unauthenticated')
})

test('digests of the previous version, keyed by the shared secret, stay valid', async () => {
  const older = await openWorld()
  const subject = 'erased-long-ago'
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'parvis erased identities', 32))
  const digest = createHmac('sha256', key)
    .update(JSON.stringify(['parvis', subject]))
    .digest('base64url')
  await older.db
    .insertInto('erased_identities')
    .values({ digest, tokens_valid_from: new Date(Date.now() + 60_000) })
    .execute()
  const token = await tokenAt(subject, Date.now())
  expect(await older.get('/me', { token })).toBeError(401, 'unauthenticated')
  const rotated = { ...config, auth: { ...config.auth, jwtSecret: newSecret } }
  const digestOf = await identityDigests(rotated)(older.db)
  expect(digestOf({ issuer: 'parvis', subject })).toEqual([digest])
})

test('does not erase the last administrator or any of their data', async () => {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from user_roles join users on users.id = user_id where role = 'admin' and actif`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const last = ids.pop() ?? ''
  for (const id of ids) await erase(id)
  await expect(erase(last)).rejects.toMatchObject({ code: 'last_admin' })
  expect(await stored(last)).toMatchObject({ actif: true, erased_at: null, email: expect.any(String) })
  await user({ roles: ['admin'] })
  await erase(last)
})

test('an administrator cannot change an erased account', async () => {
  const { id } = await user()
  const admin = await as('admin')
  await erase(id)
  expect(await admin.patch(`/admin/users/${id}`, { nom: 'Odile' })).toBeError(409, 'conflict')
  expect(await admin.patch(`/admin/users/${id}`, { actif: true })).toBeError(409, 'conflict')
})

test('resolves an address to verified accounts, and an account to its address if verified', async () => {
  const email = 'shared@example.org'
  const sure = await user({ email: 'Shared@example.org' })
  const stranger = await user({ issuer: 'https://id.example/', email })
  const verified = await user({ issuer: 'https://id.example/', email, email_verified: true })
  const found = await findPerson(db, { email: 'SHARED@example.org' })
  expect(found).toEqual({
    person: { userIds: [sure.id, verified.id].sort(), emails: [email] },
    unsure: [stranger.id],
  })
  expect((await findPerson(db, { user: stranger.id })).person).toEqual({ userIds: [stranger.id], emails: [] })
  expect((await findPerson(db, { user: sure.id })).person.emails).toEqual([email])
  const claim = { id: uuidv7(), acteur_id: (await acteur()).id, message: 'Bonjour', email }
  await db.insertInto('claims').values(claim).execute()
  expect((await erase(stranger.id)).changed.claims).toEqual([])
  expect((await erase(verified.id)).changed.claims).toEqual([claim.id])
})

test('erasing a person ends their pending claim, and the acteur can be claimed again', async () => {
  const { id: acteur_id } = await acteur()
  const { id, token } = await user()
  await client({ token }).post('/claims', { acteur_id, message: 'À moi' })
  await erase(id)
  const row = await db.selectFrom('claims').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 'expired', message: '', pseudonymised_at: expect.any(Date) })
  const other = client({ token: (await user()).token })
  expect((await other.post('/claims', { acteur_id, message: 'À moi' })).status).toBe(201)
})

test('deletes jobs that mention the account, the address or a record, and no others', async () => {
  const { id, email } = await user()
  const { job } = mailAdministratorHandler({ config: { mail: { from: 'a@example.org' } } } as never)
  const put = (userId: string, text: string) =>
    jobs.enqueue(db, job as Job<object>, { userId, key: 'k', subject: 'Sujet', text })
  const theirs = [await put(id, 'x'), await put(uuidv7(), `Bonjour ${email?.toUpperCase()}.`)]
  const others = [await put(uuidv7(), `Bonjour x${email}`), await put(uuidv7(), 'x')]
  expect((await erase(id)).changed.jobs?.sort()).toEqual(theirs.sort())
  const { rows } = await sql<{ id: string }>`select id from pgboss.job order by id`.execute(db)
  expect(rows.map((row) => row.id)).toEqual(others.sort())
})

test('keeps work that the person began, and jobs and stored responses about records of others', async () => {
  const { id, email } = await user({ roles: ['admin', 'support'] })
  const { id: acteurId } = await acteur({ email })
  const thread = { id: uuidv7(), subject: 'Sujet', email: 'autre@example.org', said: sql<string>`''` }
  await db.insertInto('support_threads').values(thread).execute()
  const draft = { thread_id: thread.id, user_id: id, body: 'Bonjour' }
  await db.insertInto('support_drafts').values(draft).execute()
  const work = { userId: id, requestId: null, reason: null }
  const since = { sourceId: uuidv7(), since: '2026-01-01', until: '2026-01-02' }
  const begun = [
    await jobs.enqueue(db, withdraw, { ...work, ...since }),
    await jobs.enqueue(db, decideHeldJob, { ...work, ...since, decision: 'accepted' }),
    await jobs.enqueue(db, mergeJob, { acteurId, userId: null, source: null, requestId: null }),
  ]
  for (const [key, said] of Object.entries({ thread: thread.id, acteur: acteurId, address: email }))
    await db
      .insertInto('idempotent_responses')
      .values({ key, body_digest: 'x', response: JSON.stringify({ said }) })
      .execute()
  const { changed } = await erase(id)
  expect(changed).toMatchObject({ acteurs: [acteurId], drafts: [thread.id], kept_answers: ['address'] })
  const { rows } = await sql<{ id: string }>`select id from pgboss.job`.execute(db)
  expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(begun))
})

test('erases or refuses concurrent writes in the name of the person', async () => {
  const { id, token } = await user()
  const own = client({ token })
  const { id: acteur_id } = await acteur()
  const held = await db.startTransaction().execute()
  await held.selectFrom('acteurs').select('id').where('id', '=', acteur_id).forUpdate().execute()
  const lockers = async (count: number) => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(count)
  }
  // The claim refers to the locked acteur and blocks the erasure.
  const claim = own.post('/claims', { acteur_id, message: 'Odile était là' })
  await vi.waitFor(() => lockers(1), 50_000)
  const erasure = erase(id)
  await vi.waitFor(() => lockers(2), 50_000)
  await held.commit().execute()
  expect((await claim).status).toBe(201)
  expect((await erasure).changed.claims).toHaveLength(1)
  expect(await findTraces(db, ['Odile était là'])).toEqual([])
})

test('a request admitted before an erasure writes nothing after it', async () => {
  const { id, token } = await user()
  const { id: acteur_id } = await acteur()
  const held = await db.startTransaction().execute()
  await held.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const claim = client({ token }).post('/claims', { acteur_id, message: 'Trop tard' })
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(1)
  }, 50_000)
  const gone = { issuer: null, subject: null, email: null, nom: null, actif: false, last_seen_at: null }
  await held
    .updateTable('users')
    .set({ ...gone, email_verified: false, erased_at: new Date() })
    .where('id', '=', id)
    .execute()
  await held.commit().execute()
  expect(await claim).toBeError(401, 'unauthenticated')
  expect(await db.selectFrom('claims').select('id').where('user_id', '=', id).execute()).toEqual([])
})

test('an address is matched as a whole, not within a longer one', async () => {
  const pattern = addressPattern('a.b+c@example.org')
  const found = async (text: string) => {
    const { rows } = await sql<{ said: boolean }>`select ${text}::text ~* ${pattern} as said`.execute(db)
    return rows[0]?.said
  }
  for (const text of [
    'a.b+c@example.org',
    '"A.B+C@example.org"',
    'à a.b+c@example.org.',
    'x,a.b+c@example.org;y',
  ])
    expect(await found(text), text).toBe(true)
  for (const text of [
    'xa.b+c@example.org',
    'aXb+c@example.org',
    'a.b+c@example.orga',
    'a.b+c@example.org.uk',
    'z.a.b+c@example.org',
  ])
    expect(await found(text), text).toBe(false)
})
