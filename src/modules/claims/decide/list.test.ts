import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/harness/world.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { claimsKit, message } from '../claims.test-kit.ts'

const world = await openWorld()
const { as, acteur, user } = world
const { claim, age } = claimsKit(world)
const admin = await as('admin')

test('GET /admin/claims answers 200 with all an administrator needs, the newest first', async () => {
  const claimed = await acteur({ nom: 'Boule des Accoules' })
  const owner = await user({
    nom: 'Zoé',
    email_verified: true,
    memberships: [{ acteur: claimed, role: 'owner' }],
  })
  await user({ memberships: [{ acteur: claimed, role: 'editor' }] })
  const claimant = await user()
  const contact = { nom: 'Odile', email: 'odile@example.org', telephone: '01 99 00 12 34' }
  const other = await claim()
  const id = await claim({ acteur: claimed, token: claimant.token, ...contact })
  const { status, body } = await (await as('moderator')).get('/admin/claims?per_page=2')
  expect(status).toBe(200)
  expect(body.meta).toMatchObject({ current_page: 1, per_page: 2, total: expect.any(Number) })
  expect(body.data).toMatchObject([{ id }, { id: other, owners: [], user_id: null }])
  expect(body.data[0]).toEqual({
    id,
    acteur_id: claimed.id,
    acteur: { id: claimed.id, nom: 'Boule des Accoules' },
    user_id: claimant.id,
    ...contact,
    message,
    status: 'pending',
    reason: null,
    decided_by: null,
    decided_at: null,
    email_status: null,
    owners: [{ user_id: owner.id, nom: 'Zoé', email: owner.email, email_verified: true }],
    version: 1,
    created_at: expect.stringMatching(/Z$/),
  })
})

test('GET /admin/claims answers 200 by status; one past its time is expired before the job has come by', async () => {
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

test('q finds a claim by beginnings of words of the claimant, of the message, of the acteur', async () => {
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

test.each(['status=open', 'acteur_id=12', 'page=0', 'per_page=abc', `q=${'x'.repeat(201)}`])(
  'GET /admin/claims answers 422 to %s',
  async (query) => {
    expect(await admin.get(`/admin/claims?${query}`)).toBeError(422, 'validation_failed')
  },
)

test('GET /admin/claims answers 200 and an empty page where there is nothing', async () => {
  const { body } = await admin.get(`/admin/claims?acteur_id=${uuidv7()}`)
  expect(body).toEqual({ data: [], meta: { current_page: 1, last_page: 1, per_page: 25, total: 0 } })
})

test('claims are not for support', async () => {
  expect(await (await as('support')).get('/admin/claims')).toBeError(403, 'admin_required')
})
