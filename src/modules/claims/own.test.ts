import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { readList } from '../../platform/http/listing/list.ts'
import { pagingOf } from '../../platform/http/listing/paging.ts'
import { claimsKit } from './claims.test-kit.ts'
import { claimsOf } from './own.ts'

const world = await openWorld()
const { as, acteur, user, client, db, pool, database } = world
const { claim, age } = claimsKit(world)
const admin = await as('admin')

test("GET /me/claims returns 200 with one's own claims and their state, newest first", async () => {
  const claimant = await user()
  const [first, second, third] = [await acteur({ nom: 'Boule' }), await acteur(), await acteur()]
  const rejected = await claim({ acteur: first, token: claimant.token })
  await admin.patch(`/admin/claims/${rejected}`, { status: 'rejected', reason: 'Un autre contact.' })
  const overdue = await claim({ acteur: second, token: claimant.token })
  const pending = await claim({ acteur: third, token: claimant.token })
  await age(rejected, 50)
  await age(overdue, 40)
  await claim({ token: (await user()).token })
  const mine = client({ token: claimant.token })
  const { status, body } = await mine.get('/me/claims')
  expect(status).toBe(200)
  expect(body.meta).toEqual({
    current_page: 1,
    last_page: 1,
    per_page: 25,
    total: 3,
    missing: 'verified_email',
  })
  expect(body.data).toMatchObject([
    { id: pending, status: 'pending', reason: null, decided_at: null },
    { id: overdue, status: 'expired', reason: null, decided_at: null },
    { id: rejected, status: 'rejected', reason: 'Un autre contact.' },
  ])
  expect(body.data[2]).toEqual({
    id: rejected,
    acteur: { id: first.id, nom: 'Boule', slug: first.slug },
    status: 'rejected',
    reason: 'Un autre contact.',
    created_at: expect.stringMatching(/Z$/),
    decided_at: expect.stringMatching(/Z$/),
    questions: [],
    missing: null,
  })
  const second_page = await mine.get('/me/claims?per_page=2&page=2')
  expect(second_page.body.data).toMatchObject([{ id: rejected }])
})

test('GET /me/claims shows what the team has asked, oldest first, without who asked', async () => {
  const claimant = await user()
  const id = await claim({ token: claimant.token })
  for (const body of ['Qui préside le club ?', 'Depuis quand ?'])
    expect((await admin.post(`/admin/claims/${id}/question`, { body })).status).toBe(201)
  const { body } = await client({ token: claimant.token }).get('/me/claims')
  const [first, second] = body.data[0].questions
  expect(first).toEqual({
    id: expect.any(String),
    body: 'Qui préside le club ?',
    created_at: expect.stringMatching(/Z$/),
  })
  expect(second.body).toBe('Depuis quand ?')
})

test('approval for a chosen user makes the claim theirs', async () => {
  const named = await user()
  const id = await claim({ email: 'odile@example.org' })
  await admin.patch(`/admin/claims/${id}`, { status: 'approved', user_id: named.id })
  const { body } = await client({ token: named.token }).get('/me/claims')
  expect(body.data).toMatchObject([{ id, status: 'approved' }])
})

test('shows a claim by e-mail to the verified owner of its address, or says what is missing', async () => {
  const email = 'zelie@example.org'
  const [first, second] = [await claim({ email }), await claim({ email: 'ZELIE@example.org' })]
  const proven = await user({ issuer: 'https://id.example/', email, email_verified: true })
  const ofAnother = await claim({ email, token: (await user()).token })
  const own = async (of: { id: string }) => {
    const { rows, total } = await readList(db, claimsOf(of.id, 30), {}, pagingOf({}, 25))
    expect(total).toBe(rows.length)
    return rows.map(({ id, status, missing }) => ({ id, status, missing }))
  }
  expect(await own(proven)).toEqual([
    { id: second, status: 'pending', missing: null },
    { id: first, status: 'pending', missing: null },
  ])
  // Exactly one account has the address, so it gets the permissions.
  const approved = await admin.patch(`/admin/claims/${first}`, { status: 'approved' })
  expect(approved.body.data).toMatchObject({ user_id: proven.id, owners: [{ user_id: proven.id }] })
  const another = await user({ issuer: 'https://other.example/', email, email_verified: true })
  const unsure = await admin.patch(`/admin/claims/${second}`, { status: 'approved' })
  expect(unsure.body.data.user_id).not.toBe(proven.id)
  for (const one of [proven, another])
    expect(await own(one)).toContainEqual({ id: second, status: 'approved', missing: 'support' })
  expect((await own(another)).map(({ id }) => id)).not.toContain(ofAnother)
  const missing = async (values: object) => {
    // `last_seen_at` is recent, so the token's own address is not stored.
    const { token } = await user({ last_seen_at: new Date(), ...values })
    return (await client({ token }).get('/me/claims')).body
  }
  expect(await missing({ email })).toMatchObject({ data: [], meta: { missing: 'verified_email' } })
  expect(await missing({ email: null })).toMatchObject({ data: [], meta: { missing: 'email' } })
  expect(await missing({ email: 'else@example.org', email_verified: true })).toMatchObject({
    meta: { missing: null },
  })
})

test('GET /me/claims returns 200 and an empty list without claims, for any role', async () => {
  expect((await admin.get('/me/claims')).body).toMatchObject({ data: [], meta: { total: 0 } })
})

test('GET /me/claims returns 401 without a token and 403 for an inactive application', async () => {
  await db.insertInto('app_sources').values({ code: 'off', label: 'Off', active: false }).execute()
  expect(await world.get('/me/claims')).toBeError(401, 'unauthenticated')
  const { token } = await user()
  expect(await world.get('/me/claims', { token, source: 'off' })).toBeError(403, 'scope_violation')
})

test.each(['page=0', 'per_page=x', 'status=pending'])('GET /me/claims returns 422 for %s', async (query) => {
  expect(await admin.get(`/me/claims?${query}`)).toBeError(422, 'validation_failed')
})

test("reads one's own claims by an index", async () => {
  const { id } = await user()
  await run(
    database.owner,
    `with made as (
       insert into acteurs (id, slug, nom, type)
       select gen_random_uuid(), 'many-' || n, 'Acteur ' || n, 'commerce' from generate_series(1, 6000) n
       returning id, substr(slug, 6)::int as n)
     insert into claims (id, acteur_id, user_id, message, created_at)
     select gen_random_uuid(), id, case when n % 200 = 0 then '${id}'::uuid end, 'x', now() - n * interval '1 minute'
     from made`,
  )
  await gatherStatistics(database, ['claims', 'acteurs'])
  const { db: watched, statements } = watch(pool)
  const { rows, total } = await readList(watched, claimsOf(id, 30), {}, pagingOf({}, 25))
  expect(rows).toHaveLength(25)
  expect(total).toBe(30)
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps)).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(100)
})
