import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { claimsKit, message, telephone } from '../claims.test-kit.ts'

const world = await openWorld()
const { as, acteur, user, db } = world
const { claim, age } = claimsKit(world)
const admin = await as('admin')

test('GET /admin/claims returns 200 with all fields, newest first', async () => {
  const claimed = await acteur({ nom: 'Boule des Accoules' })
  const owner = await user({
    nom: 'Zoé',
    email_verified: true,
    memberships: [{ acteur: claimed, role: 'owner' }],
  })
  await user({ memberships: [{ acteur: claimed, role: 'editor' }] })
  const claimant = await user()
  const contact = { nom: 'Odile', email: 'odile@example.org', telephone }
  const other = await claim()
  const id = await claim({ acteur: claimed, token: claimant.token, ...contact })
  const { status, body } = await (await as('moderator')).get('/admin/claims?per_page=2')
  expect(status).toBe(200)
  expect(body.meta).toMatchObject({ current_page: 1, per_page: 2, total: expect.any(Number) })
  expect(body.data).toMatchObject([{ id }, { id: other, owners: [], user_id: null }])
  expect(body.data[0]).toEqual({
    id,
    reference: expect.any(String),
    has_contact: true,
    acteur_id: claimed.id,
    acteur: { id: claimed.id, nom: 'Boule des Accoules' },
    user_id: claimant.id,
    user: { id: claimant.id, nom: null },
    ...contact,
    message,
    status: 'pending',
    reason: null,
    decided_by: null,
    decided_by_user: null,
    decided_at: null,
    email_status: null,
    email_error: null,
    questions_count: 0,
    asked_at: null,
    waits_until: null,
    awaits_answer: false,
    registers: false,
    has_rival: false,
    expires_at: expect.stringMatching(/Z$/),
    owners: [
      {
        user_id: owner.id,
        user: { id: owner.id, nom: 'Zoé' },
        nom: 'Zoé',
        email: owner.email,
        email_verified: true,
      },
    ],
    can: ['edit', 'question'],
    version: 1,
    created_at: expect.stringMatching(/Z$/),
  })
})

test('GET /admin/claims returns 200 by status; an overdue claim counts as expired before the job runs', async () => {
  const claimed = await acteur()
  const overdue = await claim({ acteur: claimed })
  await age(overdue, 31)
  const list = async (query: string) => {
    const { body } = await admin.get(`/admin/claims?acteur_id=${claimed.id}&${query}`)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(({ id, status }: { id: string; status: string }) => [id, status])
  }
  expect(await list('')).toEqual([[overdue, 'expired']])
  expect(await list('status=expired')).toEqual([[overdue, 'expired']])
  expect(await list('status=pending')).toEqual([])
  const next = await claim({ acteur: claimed })
  expect(await list('status=pending')).toEqual([[next, 'pending']])
  expect(await list('status=expired')).toEqual([[overdue, 'expired']])
  await admin.patch(`/admin/claims/${next}`, { status: 'rejected' })
  expect(await list('status=rejected')).toEqual([[next, 'rejected']])
  expect(await list('status=approved')).toEqual([])
  expect(await list('')).toHaveLength(2)
})

test('has_rival marks pending claims to one acteur, until one of them is decided or overdue', async () => {
  const claimed = await acteur()
  const { token } = await user({ email_verified: true, last_seen_at: new Date() })
  const anonymous = await claim({ acteur: claimed })
  const marked = async () => {
    const { body } = await admin.get(`/admin/claims?acteur_id=${claimed.id}&sort=created_at_asc`)
    return body.data.map(({ has_rival }: { has_rival: boolean }) => has_rival)
  }
  expect(await marked()).toEqual([false])
  const signedIn = await claim({ acteur: claimed, token })
  expect(await marked()).toEqual([true, true])
  await age(anonymous, 31)
  expect(await marked()).toEqual([false, false])
  await age(anonymous, -31)
  expect(await marked()).toEqual([true, true])
  await admin.patch(`/admin/claims/${signedIn}`, { status: 'rejected' })
  expect(await marked()).toEqual([false, false])
})

test('q matches word prefixes of the claimant, the message and the acteur', async () => {
  const claimed = await acteur({ nom: 'Théâtre de la Châtaigne' })
  const id = await claim({
    acteur: claimed,
    nom: 'Jean-Noël Œuvrard',
    email: 'jn.oeuvrard@théâtre-châtaigne.example',
    telephone: '+33 1 99 00 56 78',
    message: 'Nous répétons tous les jeudis depuis 1987.',
  })
  const found = async (q: string) => {
    const { body } = await admin.get(`/admin/claims?q=${encodeURIComponent(q)}`)
    return body.data.some((row: { id: string }) => row.id === id)
  }
  for (const q of [
    'œuvrard',
    'OEUVR',
    'jean noel',
    'oeuv jea',
    'jn.oeuvrard@',
    'jn.oeuvrard@xn--thtre-ch',
    '99 00 56',
    '331990056',
    'répétons jeudi',
    'châtaigne',
    'theatre de la cha',
    '1987',
    ' - ?',
  ])
    expect(await found(q), q).toBe(true)
  for (const q of ['vrard', 'jean basile', 'taigne', '1988', '日本', "a'b:*&|!<>()\\"])
    expect(await found(q), q).toBe(false)
})

test.each([
  'status=open',
  'status=pending,open',
  'sort=nom_asc',
  'ids=12',
  'acteur_id=12',
  'page=0',
  'per_page=abc',
  `q=${'x'.repeat(201)}`,
])('GET /admin/claims returns 422 for %s', async (query) => {
  expect(await admin.get(`/admin/claims?${query}`)).toBeError(422, 'validation_failed')
})

test('GET /admin/claims returns 200 and an empty page without matching claims', async () => {
  const { body } = await admin.get(`/admin/claims?acteur_id=${uuidv7()}`)
  expect(body).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 0, next: null },
  })
})

test('GET /admin/claims returns 200 filtered by several statuses', async () => {
  const claimed = await acteur()
  const overdue = await claim({ acteur: claimed })
  await age(overdue, 31)
  const rejected = await claim({ acteur: claimed })
  await admin.patch(`/admin/claims/${rejected}`, { status: 'rejected' })
  const pending = await claim({ acteur: claimed })
  const list = async (status: string) => {
    const { body } = await admin.get(`/admin/claims?acteur_id=${claimed.id}&status=${status}`)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await list('pending,expired')).toEqual([pending, overdue])
  expect(await list('rejected,pending,pending')).toEqual([pending, rejected])
  expect(await list('approved,rejected')).toEqual([rejected])
  expect(await list('pending,approved,rejected,expired')).toEqual([pending, rejected, overdue])
})

test('GET /admin/claims returns 200 in each order; undecided claims come last', async () => {
  const made: Record<string, string> = {}
  for (const name of ['old', 'late', 'overdue', 'ended', 'first', 'second'] as const)
    made[name] = await claim()
  const { old = '', late = '', overdue = '', ended = '', first = '', second = '' } = made
  const days = { overdue: 40, ended: 39, old: 9, late: 8, first: 7, second: 6 }
  for (const [name, count] of Object.entries(days)) await age(made[name] ?? '', count)
  const claimant = await user()
  await admin.patch(`/admin/claims/${second}`, { status: 'rejected' })
  const named = { status: 'approved', user_id: claimant.id }
  expect((await admin.patch(`/admin/claims/${first}`, named)).status).toBe(200)
  await db
    .updateTable('claims')
    .set({ status: 'expired', ended_at: new Date() })
    .where('id', '=', ended)
    .execute()
  const list = async (sort: string) => {
    const { status, body } = await admin.get(
      `/admin/claims?ids=${Object.values(made).join(',')}&sort=${sort}`,
    )
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const byAge = [overdue, ended, old, late, first, second]
  expect(await list('created_at_asc')).toEqual(byAge)
  expect(await list('created_at_desc')).toEqual(byAge.toReversed())
  expect((await list('decided_at_asc')).slice(0, 2)).toEqual([second, first])
  expect((await list('decided_at_desc')).slice(0, 2)).toEqual([first, second])
  // An overdue claim is shown as expired and sorted among them.
  const byStatus = [first, ended, overdue, old, late, second]
  expect(await list('status_asc')).toEqual(byStatus)
  expect(await list('status_desc')).toEqual(byStatus.toReversed())
})

test('GET /admin/claims returns 200 by ids, combined with the other filters', async () => {
  const [one, other] = [await claim(), await claim()]
  await admin.patch(`/admin/claims/${other}`, { status: 'rejected' })
  const list = async (query: string) =>
    (await admin.get(`/admin/claims?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await list(`ids=${one.toUpperCase()},${other},${uuidv7()}`)).toEqual([other, one])
  expect(await list(`ids=${one},${other}&status=pending`)).toEqual([one])
})
