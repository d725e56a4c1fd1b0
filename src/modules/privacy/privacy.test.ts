import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { jwtSecret } from '../../../test/support/factories.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigest } from '../../platform/access/erased-identities.ts'
import { signToken } from '../../platform/access/tokens.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { mailAdministratorHandler } from '../users/administrators/jobs.ts'
import { erasePerson } from './erase.ts'
import { findPerson } from './person.ts'
import { addressPattern, findTraces } from './traces.ts'

const { db, jobs, user, acteur, client, as } = await openWorld()
const tools = { db, jobs, modules, clock: () => new Date(), digestOf: identityDigest(jwtSecret) }
const erase = (id: string) => erasePerson(tools, { user: id })
const stored = (id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const tokenAt = (subject: string, moment: number) =>
  signToken(jwtSecret, subject, 'back@example.org', 3_600, new Date(moment))

await user({ roles: ['admin'] })

test('tokens issued before an erasure are refused; by a later one the same identity is somebody new', async () => {
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
  // Within the tolerance of clocks a token is dated ahead: as later ones are, without waiting for them.
  await db
    .updateTable('erased_identities')
    .set({ tokens_valid_from: new Date(Date.now() - 60_000) })
    .execute()
  const late = await tokenAt(subject ?? '', Date.now())
  const again = await me(late)
  expect(again).toMatchObject({ status: 200, body: { data: { roles: [], email: 'back@example.org' } } })
  expect(again.body.data.id).not.toBe(id)
  expect(await me(await tokenAt(subject ?? '', Date.now() - 120_000))).toBeError(401, 'unauthenticated')
  expect((await me(late)).status).toBe(200)
})

test('of an identity that was erased the database knows a digest under a key that it does not have', async () => {
  const { id, subject, issuer } = await user()
  await erase(id)
  const digest = tools.digestOf({ issuer: issuer ?? '', subject: subject ?? '' })
  const row = await db.selectFrom('erased_identities').select('digest').where('digest', '=', digest).execute()
  expect(row).toHaveLength(1)
  expect(identityDigest('another secret')({ issuer: issuer ?? '', subject: subject ?? '' })).not.toBe(digest)
})

test('the last administrator is not erased, and nothing of them is', async () => {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from user_roles join users on users.id = user_id where role = 'admin' and actif`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const last = ids.pop() ?? ''
  for (const id of ids) await erase(id)
  await expect(erase(last)).rejects.toThrow('This is the last administrator')
  expect(await stored(last)).toMatchObject({ actif: true, erased_at: null, email: expect.any(String) })
  await user({ roles: ['admin'] })
  await erase(last)
})

test('an erased account stays erased, whatever an administrator writes', async () => {
  const { id } = await user()
  const admin = await as('admin')
  await erase(id)
  expect(await admin.patch(`/admin/users/${id}`, { nom: 'Odile' })).toBeError(409, 'conflict')
  expect(await admin.patch(`/admin/users/${id}`, { actif: true })).toBeError(409, 'conflict')
})

test('an address stands for the accounts of which it is sure, an account for its address if that is', async () => {
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

test('a claim that waits ends with its person, and the acteur is free for another', async () => {
  const { id: acteur_id } = await acteur()
  const { id, token } = await user()
  await client({ token }).post('/claims', { acteur_id, message: 'À moi' })
  await erase(id)
  const row = await db.selectFrom('claims').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 'expired', message: '', pseudonymised_at: expect.any(Date) })
  const other = client({ token: (await user()).token })
  expect((await other.post('/claims', { acteur_id, message: 'À moi' })).status).toBe(201)
})

test('jobs of somebody go, whether they name the account, the address or a record; those of others stay', async () => {
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

test('what is made in their name at that moment is erased too, or refused', async () => {
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
  // The claim refers to the acteur that is held, and is in the way of the erasure.
  const claim = own.post('/claims', { acteur_id, message: 'Odile était là' })
  await vi.waitFor(() => lockers(1), 15_000)
  const erasure = erase(id)
  await vi.waitFor(() => lockers(2), 15_000)
  await held.commit().execute()
  expect((await claim).status).toBe(201)
  expect((await erasure).changed.claims).toHaveLength(1)
  expect(await findTraces(db, ['Odile était là'])).toEqual([])
})

test('a request that was let in before an erasure makes nothing after it', async () => {
  const { id, token } = await user()
  const { id: acteur_id } = await acteur()
  const held = await db.startTransaction().execute()
  await held.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const claim = client({ token }).post('/claims', { acteur_id, message: 'Trop tard' })
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(1)
  }, 15_000)
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

test('an address is found by itself, not within a longer one', async () => {
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
