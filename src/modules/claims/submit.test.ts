import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { claimsKit, message, rounds, telephone } from './claims.test-kit.ts'

const world = await openWorld()
const { post, client, acteur, user, db } = world
const { claim, stored, claimsOf, auditEntries, age } = claimsKit(world)

test('POST /claims returns 201 with a pending claim, without a token', async () => {
  const { id } = await acteur()
  const contact = { nom: 'Odile', email: 'Odile@évry.example', telephone: '01 99 00 12 34' }
  const answer = await post('/claims', { acteur_id: id, message, ...contact })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    data: { id: expect.any(String), status: 'pending', reference: expect.any(String) },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await stored(answer.body.data.id)).toMatchObject({
    acteur_id: id,
    user_id: null,
    message,
    ...contact,
    email: 'Odile@xn--vry-9la.example',
    status: 'pending',
    email_status: null,
  })
})

test('POST /claims links the signed-in user', async () => {
  const claimant = await user()
  expect(await stored(await claim({ token: claimant.token }))).toMatchObject({ user_id: claimant.id })
})

test('POST /claims returns 401 for an invalid token, although a token is optional', async () => {
  const { id } = await acteur()
  const answer = await post('/claims', { acteur_id: id, message, telephone }, { token: 'nonsense' })
  expect(answer).toBeError(401, 'unauthenticated')
  expect(await claimsOf(id)).toEqual([])
})

test('POST /claims returns 400 without an application and 403 for an inactive one', async () => {
  const body = { acteur_id: (await acteur()).id, message, telephone }
  expect(await post('/claims', body, { source: null })).toBeError(400, 'missing_app_source')
  await db.insertInto('app_sources').values({ code: 'off', label: 'Off', active: false }).execute()
  expect(await client({ source: 'off' }).post('/claims', body)).toBeError(403, 'scope_violation')
})

test.each([
  ['acteur_id', { acteur_id: '12' }],
  ['message', { message: '' }],
  ['message', { message: ' \n ' }],
  ['message', { message: 'x'.repeat(2_001) }],
  ['message', { message: 'a\0b' }],
  ['message', { message: 12 }],
  ['nom', { nom: '' }],
  ['nom', { nom: 'x'.repeat(201) }],
  ['nom', { nom: 'Odile\nVauquelin' }],
  ['telephone', { telephone: ' ' }],
  ['telephone', { telephone: 'x'.repeat(51) }],
  ['email', { email: '' }],
  ['email', { email: 'zoe' }],
  ['email', { email: 'zoe@example.org, eve@example.org' }],
  ['email', { email: 'Zoé <zoe@example.org>' }],
  ['email', { email: 'zoe@example.org\r\nBcc: eve@example.org' }],
  ['email', { email: 'zoe@127.0.0.1' }],
  // Addresses that change under normalisation: U+212A is K, U+FF41 is a.
  ['email', { email: 'vi\u212Ator@example.org' }],
  ['email', { email: '\uFF41da@example.org' }],
  ['user_id', { user_id: uuidv7() }],
  ['status', { status: 'approved' }],
])('POST /claims returns 422 for a bad %s', async (field, body) => {
  const { id } = await acteur()
  const answer = await post('/claims', { acteur_id: id, message, telephone, ...body })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((detail: { field: string }) => detail.field)).toEqual([field])
  expect(await claimsOf(id)).toEqual([])
})

test('POST /claims returns 422 without acteur or message; optional fields may be null', async () => {
  const answer = await post('/claims', {})
  expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(['acteur_id', 'message'])
  const nothing = { nom: null, email: null, telephone: null }
  const body = { acteur_id: (await acteur()).id, message, ...nothing }
  expect((await post('/claims', body, { token: (await user()).token })).status).toBe(201)
})

test('POST /claims returns 201 with a reference for an acteur and a message alone', async () => {
  const references = new Set<string>()
  for (const contact of [{}, { email: null, telephone: null }, { nom: 'Odile' }]) {
    const { id } = await acteur()
    const answer = await post('/claims', { acteur_id: id, message, ...contact })
    expect(answer.status).toBe(201)
    const { data } = answer.body
    expect(data).toEqual({
      id: data.id,
      status: 'pending',
      reference: expect.stringMatching(/^\w{5}-\w{5}$/),
    })
    expect((await stored(data.id)).reference).toBe(data.reference)
    references.add(data.reference)
    expect(await post('/claims', { acteur_id: id, message })).toBeError(409, 'claim_conflict')
  }
  expect(references.size).toBe(3)
})

test('POST /claims returns the same reference when it is repeated with its key', async () => {
  const body = { acteur_id: (await acteur()).id, message }
  const headers = { 'idempotency-key': uuidv7() }
  const { token } = await user()
  const first = await post('/claims', body, { token, headers })
  expect((await post('/claims', body, { token, headers })).body).toEqual(first.body)
})

test('POST /claims returns 409 for an owner of the acteur; an editor may claim', async () => {
  const owned = await acteur()
  const owner = await user({ memberships: [{ acteur: owned, role: 'owner' }] })
  const editor = await user({ memberships: [{ acteur: owned, role: 'editor' }] })
  const body = { acteur_id: owned.id.toUpperCase(), message }
  expect(await post('/claims', body, { token: owner.token })).toBeError(409, 'conflict')
  expect(await claimsOf(owned.id)).toEqual([])
  expect(await auditEntries(owned.id)).toEqual([])
  expect((await post('/claims', body, { token: editor.token })).status).toBe(201)
  expect(await post('/claims', body, { token: owner.token })).toBeError(409, 'conflict')
})

test('POST /claims returns the same 404 for an unknown, deleted or inactive acteur', async () => {
  const deleted = await acteur({ deleted_at: new Date() })
  const inactive = await acteur({ active: false })
  const answers = []
  for (const acteur_id of [uuidv7(), deleted.id, inactive.id]) {
    const answer = await post('/claims', { acteur_id, message, telephone })
    expect(answer).toBeError(404, 'not_found')
    answers.push(answer.text)
  }
  expect(new Set(answers).size).toBe(1)
})

test('POST /claims returns 409 while a claim is pending, and audits both without personal data', async () => {
  const claimed = await acteur()
  const claimant = await user()
  const id = await claim({ acteur: claimed, nom: 'Odile', email: 'odile@example.org' })
  const body = { acteur_id: claimed.id, message: 'Moi aussi', nom: 'Basile' }
  expect(await post('/claims', body, { token: claimant.token })).toBeError(409, 'claim_conflict')
  const rows = await auditEntries(id)
  expect(rows).toMatchObject([
    {
      action: 'claim.create',
      entity: 'claim',
      user_id: null,
      app_source: 'public',
      before: null,
      after: {
        acteur_id: claimed.id,
        status: 'pending',
        nom: '(personal)',
        email: '(personal)',
        message: '(personal)',
      },
    },
    {
      action: 'claim.conflict',
      entity: 'claim',
      user_id: claimant.id,
      before: null,
      after: { acteur_id: claimed.id, user_id: claimant.id },
    },
  ])
  expect(JSON.stringify(rows)).not.toMatch(/odile|basile|moi aussi|présidente/i)
})

test('POST /claims returns 201 and expires the earlier claim when that is overdue', async () => {
  const claimed = await acteur()
  const first = await claim({ acteur: claimed })
  await age(first, 29)
  expect(await post('/claims', { acteur_id: claimed.id, message, telephone })).toBeError(
    409,
    'claim_conflict',
  )
  await age(first, 1)
  const second = await claim({ acteur: claimed })
  expect(await claimsOf(claimed.id)).toEqual([
    { id: first, status: 'expired' },
    { id: second, status: 'pending' },
  ])
  expect((await auditEntries(first)).at(-1)).toMatchObject({
    action: 'claim.expire',
    user_id: null,
    before: { status: 'pending' },
    after: { status: 'expired' },
  })
})

test.each(Array.from({ length: rounds }, (_, index) => [index % 2 === 0 ? 'nothing' : 'one past its time']))(
  'of fifty concurrent claims after %s one succeeds and forty-nine get 409, all in the audit log',
  async (before) => {
    const claimed = await acteur()
    if (before !== 'nothing') await age(await claim({ acteur: claimed }), 31)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/claims', { acteur_id: claimed.id, message, telephone })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)])
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer).toBeError(409, 'claim_conflict')
    const pending = (await claimsOf(claimed.id)).filter(({ status }) => status === 'pending')
    expect(pending).toHaveLength(1)
    const actions = (await auditEntries(pending[0]?.id ?? '')).map(({ action }) => action)
    expect(actions.sort()).toEqual([...Array(49).fill('claim.conflict'), 'claim.create'])
  },
)

test('POST /claims returns 401 without a token when CLAIMS_REQUIRE_BEARER is set', async () => {
  const strict = await openWorld({ env: { CLAIMS_REQUIRE_BEARER: 'true' } })
  const body = { acteur_id: (await strict.acteur()).id, message }
  // Before the body is validated.
  expect(await strict.post('/claims', {})).toBeError(401, 'unauthenticated')
  const refused = await strict.post('/claims', body)
  expect(refused).toBeError(401, 'unauthenticated')
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  const { token } = await strict.user()
  expect((await strict.post('/claims', body, { token })).status).toBe(201)
})

test('POST /claims returns 429 above its limit', async () => {
  const limited = await openWorld({ env: { RATE_LIMIT_CLAIM: '2/hour' } })
  const submit = async () =>
    limited.post('/claims', { acteur_id: (await limited.acteur()).id, message, telephone })
  for (const status of [201, 201]) expect((await submit()).status).toBe(status)
  const answer = await submit()
  expect(answer).toBeError(429, 'rate_limited')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
