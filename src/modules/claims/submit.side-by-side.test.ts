import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { claimsKit, message, rounds, telephone } from './claims.test-kit.ts'

const world = await openWorld()
const { post, acteur, user, db, client } = world
const { claim, stored, claimsOf, auditEntries, membersOf, age } = claimsKit(world)
const { id: adminId, token } = await user({ roles: ['admin'] })
const admin = client({ source: 'backoffice', token })
const approve = { status: 'approved' }
const anonymous = { message, telephone }

// Seen just now: the token, which does not speak of the address, then changes nothing.
const verified = () => user({ email_verified: true, last_seen_at: new Date() })
const unverified = () => user()
const statuses = async (acteurId: string) => (await claimsOf(acteurId)).map(({ status }) => status).sort()

test('POST /claims returns 201 to a user with a verified address despite a pending anonymous claim', async () => {
  const claimed = await acteur()
  const first = await claim({ acteur: claimed })
  const claimant = await verified()
  const answer = await post('/claims', { acteur_id: claimed.id, message }, { token: claimant.token })
  expect(answer.status).toBe(201)
  expect(answer.body.data.status).toBe('pending')
  expect(answer.headers.get('location')).toBe(`/api/v1/admin/claims/${answer.body.data.id}`)
  expect(await statuses(claimed.id)).toEqual(['pending', 'pending'])
  const { body } = await admin.get(`/admin/claims?acteur_id=${claimed.id}&status=pending`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([answer.body.data.id, first])
  expect((await client({ token: claimant.token }).get('/me/claims')).body.meta.total).toBe(1)
})

test('POST /claims returns 409 for a second claim of the same kind and records it on the existing claim', async () => {
  const claimed = await acteur()
  const ofNobody = await claim({ acteur: claimed })
  const ofSomebody = await claim({ acteur: claimed, token: (await verified()).token })
  const again = { acteur_id: claimed.id, ...anonymous }
  expect(await post('/claims', again)).toBeError(409, 'claim_conflict')
  const another = await verified()
  expect(await post('/claims', again, { token: another.token })).toBeError(409, 'claim_conflict')
  expect((await auditEntries(ofNobody)).map(({ action }) => action)).toEqual([
    'claim.create',
    'claim.conflict',
  ])
  expect((await auditEntries(ofSomebody)).map(({ action }) => action)).toEqual([
    'claim.create',
    'claim.conflict',
  ])
})

test('POST /claims returns 409 to an unverified address while an anonymous claim is pending, and to an anonymous claim while a signed-in one is', async () => {
  const [one, other] = [await acteur(), await acteur()]
  await claim({ acteur: one })
  const { token } = await unverified()
  expect(await post('/claims', { acteur_id: one.id, message }, { token })).toBeError(409, 'claim_conflict')
  await claim({ acteur: other, token })
  expect(await post('/claims', { acteur_id: other.id, ...anonymous })).toBeError(409, 'claim_conflict')
})

test.each([
  ['the signed-in', 'Une autre demande pour cette page a été acceptée.'],
  ['the anonymous', 'Another request for this page was accepted.'],
])(
  'approving %s claim rejects the other, with a mail in the language of its claimant and an audit entry',
  async (which, reason) => {
    const claimed = await acteur()
    const { id: userId, token } = await verified()
    await world.db.updateTable('users').set({ langue: 'en' }).where('id', '=', userId).execute()
    const ids = {
      'the anonymous': await claim({ acteur: claimed, email: `${crypto.randomUUID()}@example.org` }),
      'the signed-in': await claim({ acteur: claimed, token }),
    } as Record<string, string>
    const approved = ids[which] ?? ''
    const rival = Object.values(ids).find((id) => id !== approved) ?? ''
    expect((await admin.patch(`/admin/claims/${approved}`, approve)).status).toBe(200)
    expect(await stored(approved)).toMatchObject({ status: 'approved' })
    expect(await stored(rival)).toMatchObject({
      status: 'rejected',
      reason,
      decided_by: adminId,
      email_status: 'queued',
    })
    expect((await auditEntries(rival)).at(-1)).toMatchObject({
      action: 'claim.decide',
      user_id: adminId,
      before: { status: 'pending' },
      after: { status: 'rejected', decided_by: adminId },
    })
    expect(await membersOf(claimed.id)).toHaveLength(1)
    expect(await admin.patch(`/admin/claims/${rival}`, approve)).toBeError(409, 'claim_already_decided')
  },
)

test('rejecting one leaves the other pending; an overdue one is not touched by an approval', async () => {
  const [one, other] = [await acteur(), await acteur()]
  const first = await claim({ acteur: one })
  const second = await claim({ acteur: one, token: (await verified()).token })
  await admin.patch(`/admin/claims/${first}`, { status: 'rejected' })
  expect((await stored(second)).status).toBe('pending')
  const overdue = await claim({ acteur: other })
  const claimed = await claim({ acteur: other, token: (await verified()).token })
  await age(overdue, 31)
  await admin.patch(`/admin/claims/${claimed}`, approve)
  expect(await stored(overdue)).toMatchObject({ status: 'pending', email_status: null })
})

test.each(Array.from({ length: 2 * rounds }, (_, index) => index))(
  'of two concurrent approvals one succeeds and the other gets 409, without a deadlock (%i)',
  async () => {
    const claimed = await acteur()
    const ids = [
      await claim({ acteur: claimed, email: `${crypto.randomUUID()}@example.org` }),
      await claim({ acteur: claimed, token: (await verified()).token }),
    ]
    const answers = await Promise.all(ids.map((id) => admin.patch(`/admin/claims/${id}`, approve)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await statuses(claimed.id)).toEqual(['approved', 'rejected'])
    expect(await membersOf(claimed.id)).toHaveLength(1)
  },
)

test.each(Array.from({ length: rounds }, (_, index) => index))(
  'ten anonymous and ten verified concurrent claims: at most one of each kind, and a verified one always (%i)',
  async () => {
    const claimed = await acteur()
    const tokens = await Promise.all(Array.from({ length: 10 }, async () => (await verified()).token))
    const answers = await Promise.all([
      ...tokens.map(() => post('/claims', { acteur_id: claimed.id, ...anonymous })),
      ...tokens.map((token) => post('/claims', { acteur_id: claimed.id, message }, { token })),
    ])
    const won = answers.map(({ status }) => status === 201)
    expect(won.slice(10).filter(Boolean)).toHaveLength(1)
    expect(won.slice(0, 10).filter(Boolean).length).toBeLessThanOrEqual(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toBeError(409, 'claim_conflict')
  },
)

test.each(Array.from({ length: rounds }, (_, index) => index))(
  'of ten anonymous and ten unverified concurrent claims one succeeds (%i)',
  async () => {
    const claimed = await acteur()
    const tokens = await Promise.all(Array.from({ length: 10 }, async () => (await user()).token))
    const answers = await Promise.all(
      tokens.flatMap((token) => [
        post('/claims', { acteur_id: claimed.id, ...anonymous }),
        post('/claims', { acteur_id: claimed.id, message }, { token }),
      ]),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(await statuses(claimed.id)).toEqual(['pending'])
  },
)

test.each([null, 'somebody'])('the database refuses two pending claims of one kind: user %s', async (who) => {
  const claimed = await acteur()
  const row = async () => ({
    id: crypto.randomUUID(),
    acteur_id: claimed.id,
    message,
    user_id: who && (await user()).id,
  })
  await db
    .insertInto('claims')
    .values(await row())
    .execute()
  await expect(
    db
      .insertInto('claims')
      .values(await row())
      .execute(),
  ).rejects.toThrow('claims_one_pending')
})
