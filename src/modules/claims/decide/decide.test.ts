import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { claimsKit, rounds } from '../claims.test-kit.ts'

const world = await openWorld()
const { as, client, post, acteur, user, db } = world
const { claim, stored, auditEntries, membersOf, age } = claimsKit(world)
const admin = await as('admin')
const moderator = await as('moderator')

const approve = { status: 'approved' }
const reject = { status: 'rejected', reason: 'Le club a un autre contact.' }
const at = (id: string) => `/admin/claims/${id}`

test('PATCH /admin/claims/{id} returns 200 and adds the claimant as an owner', async () => {
  const claimed = await acteur()
  const owner = await user({ memberships: [{ acteur: claimed, role: 'owner' }] })
  const claimant = await user()
  const id = await claim({ acteur: claimed, token: claimant.token })
  const decider = await user({ roles: ['moderator'] })
  const answer = await client({ source: 'backoffice', token: decider.token }).patch(at(id), approve)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"2"')
  expect(answer.body.data).toMatchObject({
    id,
    status: 'approved',
    user_id: claimant.id,
    reason: null,
    decided_by: decider.id,
    decided_at: expect.stringMatching(/Z$/),
    email_status: 'queued',
    version: 2,
    owners: [{ user_id: owner.id }, { user_id: claimant.id }],
  })
  expect(await auditEntries(id)).toMatchObject([
    { action: 'claim.create' },
    {
      action: 'claim.decide',
      user_id: decider.id,
      app_source: 'backoffice',
      request_id: answer.headers.get('x-request-id'),
      before: { status: 'pending' },
      after: { status: 'approved', decided_by: decider.id, membership: 'owner' },
    },
  ])
})

test('PATCH /admin/claims/{id} returns 422 without user_id for a claim without contact; an administrator names it', async () => {
  const claimed = await acteur()
  const { body } = await post('/claims', { acteur_id: claimed.id, message: 'Je préside le club.' })
  const { id, reference } = body.data
  const shown = await moderator.get(`/admin/claims?q=${reference.toLowerCase().replace('-', '%20')}`)
  expect(shown.body.data).toMatchObject([{ id, reference, has_contact: false, can: ['edit'] }])
  for (const decider of [moderator, admin]) {
    const answer = await decider.patch(at(id), approve)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toMatchObject([{ field: 'user_id' }])
  }
  const owner = await user()
  const named = { ...approve, user_id: owner.id }
  expect(await moderator.patch(at(id), named)).toBeError(403, 'admin_required')
  expect((await admin.patch(at(id), named)).body.data).toMatchObject({
    status: 'approved',
    user_id: owner.id,
  })
  expect(await membersOf(claimed.id)).toMatchObject([{ user_id: owner.id, role: 'owner' }])
  const contacts = { email: 'odile@example.org' }
  expect((await admin.get(at(await claim(contacts)))).body.data.has_contact).toBe(true)
  expect((await admin.get(at(await claim()))).body.data.has_contact).toBe(true)
})

test('an approved claimant can publish for the acteur from the next request on', async () => {
  const claimed = await acteur({ valide: true, can_publish: true })
  const claimant = await user()
  const publish = () =>
    client({ token: claimant.token }).post('/publications', {
      acteur_id: claimed.id,
      title: 'Concours',
      body: 'Samedi à dix heures.',
    })
  const id = await claim({ acteur: claimed, token: claimant.token })
  expect(await publish()).toBeError(403, 'scope_violation')
  await admin.patch(at(id), approve)
  expect((await publish()).status).toBe(201)
})

test("approving an editor makes them owner and increments the user's version", async () => {
  const claimed = await acteur()
  const permissions = ['manage_publications' as const]
  const claimant = await user({ memberships: [{ acteur: claimed, role: 'editor', permissions }] })
  const id = await claim({ acteur: claimed, token: claimant.token })
  await admin.patch(at(id), approve)
  expect(await membersOf(claimed.id)).toEqual([{ user_id: claimant.id, role: 'owner', permissions }])
  const { version } = await db
    .selectFrom('users')
    .select('version')
    .where('id', '=', claimant.id)
    .executeTakeFirstOrThrow()
  expect(version).toBe(claimant.version + 1)
  expect((await auditEntries(id))[1]).toMatchObject({
    before: { membership: 'editor' },
    after: { membership: 'owner' },
  })
})

test('approving an owner changes nothing else', async () => {
  const claimed = await acteur()
  const claimant = await user()
  const id = await claim({ acteur: claimed, token: claimant.token })
  const owner = { acteur_id: claimed.id, role: 'owner' }
  await admin.patch(`/admin/users/${claimant.id}`, { acteurs: [owner] })
  expect((await admin.patch(at(id), approve)).status).toBe(200)
  expect((await auditEntries(id))[1]?.after).not.toHaveProperty('membership')
})

test('without a user, approval creates one for the e-mail address, and reuses it the next time', async () => {
  const [first, second] = [await acteur(), await acteur()]
  const id = await claim({ acteur: first, nom: 'Odile', email: 'Odile.Vauquelin@example.org' })
  const answer = await moderator.patch(at(id), approve)
  const { user_id } = answer.body.data
  const made_by_email = {
    user: { id: user_id, nom: 'Odile' },
    nom: 'Odile',
    email: 'Odile.Vauquelin@example.org',
    email_verified: false,
  }
  expect(answer.body.data.owners).toEqual([{ user_id, ...made_by_email }])
  expect((await auditEntries(id))[1]).toMatchObject({
    after: { user_made: user_id, membership: 'owner', user_id },
  })
  expect(await auditEntries(user_id)).toMatchObject([
    {
      action: 'user.create',
      entity: 'user',
      before: null,
      after: { email: '(personal)', nom: '(personal)' },
    },
  ])
  const again = await claim({ acteur: second, email: 'odile.vauquelin@EXAMPLE.org' })
  expect((await moderator.patch(at(again), approve)).body.data.user_id).toBe(user_id)
  expect((await auditEntries(again))[1]?.after).not.toHaveProperty('user_made')
  const made = await db.selectFrom('users').selectAll().where('id', '=', user_id).executeTakeFirst()
  expect(made).toMatchObject({ issuer: null, subject: null, actif: true })
})

test('addresses that differ after ASCII case folding are two people', async () => {
  const [one, two] = [
    await claim({ email: 'i@casse.example' }),
    await claim({ email: '\u0130@casse.example' }),
  ]
  const decided = await moderator.patch(at(one), approve)
  expect((await moderator.patch(at(two), approve)).body.data.user_id).not.toBe(decided.body.data.user_id)
})

test('nobody can decide a claim from their own address, in any spelling', async () => {
  const decider = await user({ roles: ['moderator'], email: 'Anna@B\u00DCcher.example' })
  // The token's own e-mail is stored when it is used.
  const { token } = decider
  const seen = { last_seen_at: new Date() }
  await db.updateTable('users').set(seen).where('id', '=', decider.id).execute()
  const id = await claim({ email: 'anna@xn--bcher-kva.example' })
  const answer = await client({ source: 'backoffice', token }).patch(at(id), reject)
  expect(answer).toBeError(403, 'forbidden')
})

test('a bound user with the same address is not the claimant: an address is no proof', async () => {
  const bound = await user({ subject: 'named-otherwise' })
  const id = await claim({ email: bound.email ?? '' })
  expect((await admin.patch(at(id), approve)).body.data.user_id).not.toBe(bound.id)
})

test("the claim's own user takes precedence over user_id", async () => {
  const [claimant, named] = [await user(), await user()]
  const id = await claim({ token: claimant.token, email: 'other@example.org' })
  const answer = await admin.patch(at(id), { ...approve, user_id: named.id })
  expect(answer.body.data.user_id).toBe(claimant.id)
})

test('without a user, approval chooses the account that was invited with the address, though nobody came yet', async () => {
  const email = 'invitee@example.org'
  const invited = (await admin.post('/admin/users', { email })).body.data
  const id = await claim({ email: 'Invitee@example.org' })
  expect((await moderator.patch(at(id), approve)).body.data).toMatchObject({ user_id: invited.id })
})

test('only administrators choose a user', async () => {
  const named = await user()
  const id = await claim({ email: 'odile2@example.org' })
  const body = { ...approve, user_id: named.id }
  expect(await moderator.patch(at(id), body)).toBeError(403, 'admin_required')
  const answer = await (await as('platform_admin')).patch(at(id), body)
  expect(answer.body.data).toMatchObject({ status: 'approved', user_id: named.id })
})

test("a moderator may choose a user who verifiably has the claim's address", async () => {
  const verified = await user({ email: 'Odile7@bücher.example', email_verified: true })
  const unverified = await user({ email: 'odile8@example.org' })
  const answers = []
  for (const [email, user_id] of [
    ['odile7@xn--bcher-kva.example', verified.id],
    ['odile8@example.org', unverified.id],
    ['odile9@example.org', verified.id],
  ]) {
    const id = await claim({ email: email ?? '' })
    answers.push(await moderator.patch(at(id), { ...approve, user_id }))
  }
  expect(answers[0]?.body.data).toMatchObject({ status: 'approved', user_id: verified.id })
  expect(answers[1]).toBeError(403, 'admin_required')
  expect(answers[2]).toBeError(403, 'admin_required')
  const byTelephone = await claim()
  const named = { ...approve, user_id: verified.id }
  expect(await moderator.patch(at(byTelephone), named)).toBeError(403, 'admin_required')
})

test('only administrators decide claims on mairies', async () => {
  const claimant = await user()
  const id = await claim({ acteur: await acteur({ type: 'mairie' }), token: claimant.token })
  expect(await moderator.patch(at(id), approve)).toBeError(403, 'admin_required')
  expect(await moderator.patch(at(id), reject)).toBeError(403, 'admin_required')
  expect((await admin.patch(at(id), approve)).status).toBe(200)
})

test.each([
  ['an acteur that becomes a mairie', 'acteurs', { type: 'mairie' }, 403, 'admin_required'],
  ['an address that is not verified any more', 'users', { email_verified: false }, 403, 'admin_required'],
  ['a user who is disabled', 'users', { actif: false }, 409, 'conflict'],
] as const)('a decision takes into account %s concurrently', async (_, table, values, status, code) => {
  const claimed = await acteur()
  const email = `moment-${claimed.id}@example.org`
  const named = await user({ email, email_verified: true })
  const id = await claim({ acteur: claimed, email })
  const held = await db.startTransaction().execute()
  await held
    .updateTable(table)
    .set(values)
    .where('id', '=', table === 'users' ? named.id : claimed.id)
    .execute()
  const decider = code === 'conflict' ? admin : moderator
  const decision = decider.patch(at(id), { ...approve, user_id: named.id })
  await untilWaiting(db)
  await held.commit().execute()
  expect(await decision).toBeError(status, code)
  expect(await membersOf(claimed.id)).toEqual([])
})

test.each(['admin', 'moderator'] as const)('nobody can decide their own claim: %s', async (role) => {
  const decider = await user({ roles: [role] })
  const own = client({ source: 'backoffice', token: decider.token })
  const signedIn = await claim({ token: decider.token })
  expect(await own.patch(at(signedIn), approve)).toBeError(403, 'forbidden')
  expect(await own.patch(at(signedIn), reject)).toBeError(403, 'forbidden')
  const byAddress = await claim({ email: decider.email?.toUpperCase() ?? '' })
  expect(await own.patch(at(byAddress), approve)).toBeError(403, 'forbidden')
  const inTheirFavour = await claim()
  for (const user_id of [decider.id, decider.id.toUpperCase()])
    expect(await own.patch(at(inTheirFavour), { ...approve, user_id })).toBeError(403, 'forbidden')
  for (const id of [signedIn, byAddress, inTheirFavour]) expect((await stored(id)).status).toBe('pending')
})

test('PATCH /admin/claims/{id} returns 200 for a rejection and creates no owner', async () => {
  const claimed = await acteur()
  const id = await claim({ acteur: claimed, email: 'odile3@example.org' })
  const answer = await moderator.patch(at(id), reject)
  expect(answer.body.data).toMatchObject({ ...reject, user_id: null, owners: [], email_status: 'queued' })
  expect(await membersOf(claimed.id)).toEqual([])
  const [, row] = await auditEntries(id)
  expect(row).toMatchObject({ after: { status: 'rejected', reason: '(personal)' } })
  expect((await claim({ acteur: claimed })).length).toBeGreaterThan(0)
})

test.each([
  ['status', {}],
  ['status', { status: 'expired' }],
  ['status', { status: 'pending' }],
  ['user_id', { status: 'approved', user_id: '12' }],
  ['user_id', { status: 'approved', user_id: uuidv7() }],
  ['user_id', { status: 'rejected', user_id: uuidv7() }],
  ['user_id', { status: 'approved' }],
  ['reason', { status: 'rejected', reason: 'x'.repeat(1_001) }],
  ['inconnu', { status: 'approved', inconnu: 1 }],
])('PATCH /admin/claims/{id} returns 422 and decides nothing: %s of %j', async (field, body) => {
  // Anonymous and without an address: the claimant cannot be identified.
  const id = await claim()
  const answer = await admin.patch(at(id), body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((detail: { field: string }) => detail.field)).toEqual([field])
  expect(await stored(id)).toMatchObject({ status: 'pending', version: 1 })
})

test('PATCH /admin/claims/{id} returns 404 for an unknown or malformed id', async () => {
  expect(await admin.patch(at(uuidv7()), approve)).toBeError(404, 'not_found')
  expect(await admin.patch(at('12'), approve)).toBeError(404, 'not_found')
})

test('PATCH /admin/claims/{id} returns 409 when the claim was already decided or has expired', async () => {
  const id = await claim()
  await admin.patch(at(id), reject)
  expect(await admin.patch(at(id), reject)).toBeError(409, 'claim_already_decided')
  expect(await admin.patch(at(id), approve)).toBeError(409, 'claim_already_decided')
  const overdue = await claim({ email: 'odile4@example.org' })
  await age(overdue, 31)
  expect(await admin.patch(at(overdue), approve)).toBeError(409, 'claim_already_decided')
  expect((await stored(overdue)).user_id).toBeNull()
})

test('PATCH /admin/claims/{id} returns 412 for an outdated version before it checks the state', async () => {
  const id = await claim()
  const stale = { headers: { 'if-match': '"7"' } }
  expect(await admin.patch(at(id), reject, stale)).toBeError(412, 'precondition_failed')
  expect((await admin.patch(at(id), reject, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  expect(await admin.patch(at(id), reject, stale)).toBeError(412, 'precondition_failed')
})

test.each([
  ['deleted', { deleted_at: new Date() }],
  ['inactive', { active: false }],
])(
  'PATCH /admin/claims/{id} returns 409 for an approval when the acteur is %s; rejecting still works',
  async (_, now) => {
    const claimed = await acteur()
    const id = await claim({ acteur: claimed, email: 'odile5@example.org' })
    await db.updateTable('acteurs').set(now).where('id', '=', claimed.id).execute()
    expect(await admin.patch(at(id), approve)).toBeError(409, 'conflict')
    expect(await membersOf(claimed.id)).toEqual([])
    expect((await admin.patch(at(id), reject)).status).toBe(200)
  },
)

test('PATCH /admin/claims/{id} returns 409 for an approval of a disabled user and creates no owner', async () => {
  const claimed = await acteur()
  const claimant = await user()
  const id = await claim({ acteur: claimed, token: claimant.token })
  await db.updateTable('users').set({ actif: false }).where('id', '=', claimant.id).execute()
  expect(await admin.patch(at(id), approve)).toBeError(409, 'conflict')
  expect(await stored(id)).toMatchObject({ status: 'pending', email_status: null })
})

test.each(Array.from({ length: rounds }, (_, index) => [index + 1]))(
  'of fifty concurrent decisions one succeeds and forty-nine get 409 (round %i)',
  async () => {
    const claimed = await acteur()
    const id = await claim({ acteur: claimed, email: `odile-${claimed.id}@example.org` })
    const bodies = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? approve : reject))
    const answers = await Promise.all(bodies.map((body) => admin.patch(at(id), body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)])
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer).toBeError(409, 'claim_already_decided')
    const { status } = await stored(id)
    expect(answers.find((answer) => answer.status === 200)?.body.data.status).toBe(status)
    expect(await membersOf(claimed.id)).toHaveLength(status === 'approved' ? 1 : 0)
    expect((await auditEntries(id)).filter(({ action }) => action === 'claim.decide')).toHaveLength(1)
  },
)
