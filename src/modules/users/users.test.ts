import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { ownIssuer, signToken } from '../../platform/access/tokens.ts'
import { uuidv7, uuidv7At } from '../../platform/formats/uuid.ts'
import { grantAndSign } from './tokens.ts'

const { as, user, acteur, db, client, config, database } = await openWorld()
const admin = await as('admin')

const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('at').orderBy('id').execute()
const rolesPath = ({ id }: { id: string }) => `/admin/users/${id}/roles`
const at = ({ id }: { id: string }) => `/admin/users/${id}`

test('GET /admin/users returns 200 with the newest first, 25 a page', async () => {
  const made = []
  for (let n = 0; n < 27; n++) made.push((await user({ id: later(n), nom: 'Page' })).id)
  const first = await admin.get('/admin/users?q=page')
  expect(first.status).toBe(200)
  expect(first.body.meta).toEqual({
    current_page: 1,
    last_page: 2,
    per_page: 25,
    total: 27,
    next: expect.any(String),
  })
  const second = await admin.get('/admin/users?q=page&page=2')
  const ids = [...first.body.data, ...second.body.data].map(({ id }) => id)
  expect(ids).toEqual(made.reverse())
})

/** An id as created that many milliseconds from now. */
const later = (ms: number) => uuidv7At(Date.now() + ms)

test('GET /admin/users returns 200 by name, e-mail address, role and state', async () => {
  const zoe = await user({ nom: 'Zoé Lœuf', email: 'zoe.l@example.org', roles: ['support'] })
  const off = await user({ nom: 'Ancien', email: 'ancien@parti.example', actif: false })
  const found = async (query: string) =>
    (await admin.get(`/admin/users?${query}`)).body.data.map(({ id }: { id: string }) => id)
  for (const q of ['zoe', 'ZOÉ', 'loeuf', 'zoé lœ', 'zoe.l@exam', 'l@example'])
    expect(await found(`q=${encodeURIComponent(q)}`), q).toContain(zoe.id)
  for (const q of ['oe', 'zoe_l@nowhere', 'ancien', '東京'])
    expect(await found(`q=${encodeURIComponent(q)}`), q).not.toContain(zoe.id)
  for (const q of ['…', '%']) expect(await found(`q=${encodeURIComponent(q)}`), q).toContain(zoe.id)
  expect(await found('q=parti')).toEqual([off.id])
  expect(await found('role=support')).toEqual([zoe.id])
  expect(await found('actif=false')).toEqual([off.id])
  expect(await found('role=support&actif=false')).toEqual([])
  expect(await found('role=admin')).toHaveLength(1)
  expect(await found('role=support,admin')).toHaveLength(2)
  expect(await found('actif=false,true&q=parti')).toEqual([off.id])
  expect(await found(`ids=${off.id.toUpperCase()},${zoe.id}`)).toEqual([off.id, zoe.id])
  expect(await found(`ids=${off.id},${zoe.id}&role=support`)).toEqual([zoe.id])
})

test('GET /admin/users returns 200 with the members of an acteur', async () => {
  const club = await acteur()
  const owner = await user({ memberships: [{ acteur: club, role: 'owner' }] })
  const editor = await user({ memberships: [{ acteur: club }] })
  const members = async (query: string) =>
    (await admin.get(`/admin/users?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await members(`acteur_id=${club.id}&sort=created_at_asc`)).toEqual([owner.id, editor.id])
  expect(await members(`acteur_id=${(await acteur()).id}`)).toEqual([])
})

test('GET /admin/users returns 200 in each order; missing sort values come last', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const one = await user({ nom: 'Émile', email: 'B@example.org', last_seen_at: at(3) })
  const two = await user({ nom: 'Zoé', email: 'a@example.org', last_seen_at: at(1) })
  const three = await user({ nom: 'anna', email: 'c@example.org', last_seen_at: at(2) })
  const bare = await user({ nom: null, email: null })
  const ids = [one, two, three, bare].map(({ id }) => id)
  const order = async (sort: string) => {
    const { body } = await admin.get(`/admin/users?ids=${ids.join(',')}&sort=${sort}`)
    return body.data.map(({ id }: { id: string }) => ids.indexOf(id) + 1)
  }
  expect(await order('created_at_asc')).toEqual([1, 2, 3, 4])
  expect(await order('created_at_desc')).toEqual([4, 3, 2, 1])
  expect(await order('nom_asc')).toEqual([3, 1, 2, 4])
  expect(await order('nom_desc')).toEqual([2, 1, 3, 4])
  expect(await order('email_asc')).toEqual([2, 1, 3, 4])
  expect(await order('email_desc')).toEqual([3, 1, 2, 4])
  expect(await order('last_seen_at_asc')).toEqual([2, 3, 1, 4])
  expect(await order('last_seen_at_desc')).toEqual([1, 3, 2, 4])
})

test.each([
  'role=king',
  'role=admin,king',
  'sort=id_asc',
  'ids=',
  'acteur_id=12',
  'actif=1',
  'page=0',
  'q=a%00b',
])('GET /admin/users returns 422 for %s', async (query) => {
  expect(await admin.get(`/admin/users?${query}`)).toBeError(422, 'validation_failed')
})

test('GET /admin/users/{userId} returns 200 with roles and memberships, and nothing secret', async () => {
  const mairie = await acteur({ type: 'mairie' })
  const one = await user({
    nom: 'Odile',
    roles: ['support', 'moderator'],
    memberships: [{ acteur: mairie, role: 'editor', permissions: ['publish_publications'] }],
  })
  const { status, body, headers } = await admin.get(at(one))
  expect(status).toBe(200)
  expect(headers.get('etag')).toBe('"1"')
  expect(body.data).toEqual({
    present: [],
    id: one.id,
    email: one.email,
    email_verified: false,
    nom: 'Odile',
    actif: true,
    roles: ['moderator', 'support'],
    acteurs: [{ acteur_id: mairie.id, role: 'editor', permissions: ['publish_publications'] }],
    acteur_names: [{ id: mairie.id, nom: mairie.nom }],
    created_at: one.created_at.toISOString(),
    last_seen_at: null,
    version: 1,
    can: ['edit', 'roles'],
  })
})

test.each([uuidv7(), '12'])('GET /admin/users/{userId} returns 404 for %s', async (id) => {
  expect(await admin.get(`/admin/users/${id}`)).toBeError(404, 'not_found')
})

test('PATCH /admin/users/{userId} returns 200 with the updated user and is audited', async () => {
  const one = await user()
  const answer = await admin.patch(at(one), { nom: 'Renommée', actif: false })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ nom: 'Renommée', actif: false, version: 2 })
  const same = await admin.patch(at(one), { nom: 'Renommée' })
  expect(same.body.data.version).toBe(2)
  expect(await auditEntries(one.id)).toMatchObject([
    {
      action: 'user.update',
      entity: 'user',
      user_id: expect.any(String),
      app_source: 'backoffice',
      before: { actif: true },
      after: { nom: '(personal)', actif: false },
    },
  ])
})

test("PATCH /admin/users/{userId} replaces the memberships, and each change increments the user's version", async () => {
  const [one, club, shop] = [await user(), await acteur(), await acteur()]
  const owner = { acteur_id: club.id, role: 'owner' }
  const editor = { acteur_id: shop.id, role: 'editor', permissions: ['publish_publications'] }
  const made = await admin.patch(at(one), { acteurs: [editor, owner] })
  const expected = [
    { ...owner, permissions: [] },
    { ...editor, permissions: ['publish_publications'] },
  ]
  expect(made.body.data).toMatchObject({ version: 2, acteurs: expected })
  expect(made.body.data.acteur_names).toEqual([club, shop].map(({ id, nom }) => ({ id, nom })))
  // The response can be sent back unchanged.
  for (const same of [made.body.data.acteurs, made.body.data.acteurs.toReversed()])
    expect((await admin.patch(at(one), { acteurs: same })).body.data.version).toBe(2)
  const both = ['publish_publications', 'manage_publications']
  const wider = await admin.patch(at(one), { acteurs: [{ ...editor, permissions: both }] })
  expect(wider.body.data).toMatchObject({
    version: 3,
    acteurs: [{ ...editor, permissions: both.toSorted() }],
  })
  expect((await admin.patch(at(one), { acteurs: [] })).body.data).toMatchObject({ version: 4, acteurs: [] })
  expect((await auditEntries(one.id)).map(({ before, after }) => [before, after])).toEqual([
    [{ acteurs: [] }, { acteurs: expected }],
    [{ acteurs: expected }, { acteurs: wider.body.data.acteurs }],
    [{ acteurs: wider.body.data.acteurs }, { acteurs: [] }],
  ])
})

test('an existing membership survives the deletion of its acteur; new ones are refused', async () => {
  const gone = await acteur({ deleted_at: new Date() })
  const member = await user({ memberships: [{ acteur: gone, role: 'owner' }] })
  const { acteurs } = (await admin.get(at(member))).body.data
  expect((await admin.patch(at(member), { acteurs, nom: 'Autre' })).status).toBe(200)
  const stranger = await admin.patch(at(await user()), { acteurs })
  expect(stranger).toBeError(422, 'validation_failed')
})

test('an acteur may appear once in the list', async () => {
  const { id: acteur_id } = await acteur()
  const acteurs = ['owner', 'editor'].map((role) => ({ acteur_id, role }))
  const answer = await admin.patch(at(await user()), { acteurs })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toEqual([{ field: 'acteurs.1.acteur_id', message: 'is already in the list' }])
})

const editor = { acteur_id: uuidv7(), role: 'editor' }
test.each([
  ['acteurs.0.acteur_id', { acteurs: [editor] }],
  ['acteurs.1.acteur_id', { acteurs: [editor, { ...editor, role: 'owner' }] }],
  ['acteurs.0.role', { acteurs: [{ ...editor, role: 'admin' }] }],
  ['acteurs.0.permissions.0', { acteurs: [{ ...editor, permissions: ['all'] }] }],
  ['acteurs.0.admin', { acteurs: [{ ...editor, admin: true }] }],
  ['nom', { nom: '' }],
  ['nom', { nom: 'Odile\nVauquelin' }],
  ['actif', { actif: 'true' }],
  ['roles', { roles: ['admin'] }],
  ['email', { email: 'other@example.org' }],
])('PATCH /admin/users/{userId} returns 422 and changes nothing: %s', async (field, body) => {
  const one = await user()
  const answer = await admin.patch(at(one), body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
  expect((await admin.get(at(one))).body.data).toMatchObject({ version: 1, acteurs: [], roles: [] })
})

test('PATCH /admin/users/{userId} returns 404 for an unknown user', async () => {
  for (const id of [uuidv7(), '12'])
    expect(await admin.patch(`/admin/users/${id}`, { nom: 'X' })).toBeError(404, 'not_found')
})

test('changes of a user and its roles return 412 for an outdated version', async () => {
  const one = await user()
  const etag = (await admin.get(at(one))).headers.get('etag') ?? ''
  const call = { headers: { 'if-match': etag } }
  expect((await admin.post(rolesPath(one), { role: 'support' }, call)).status).toBe(200)
  expect(await admin.post(rolesPath(one), { role: 'moderator' }, call)).toBeError(412, 'precondition_failed')
  expect(await admin.delete(`${rolesPath(one)}/support`, call)).toBeError(412, 'precondition_failed')
  expect(await admin.patch(at(one), { nom: 'X' }, call)).toBeError(412, 'precondition_failed')
  expect((await admin.get(at(one))).headers.get('etag')).toBe('"2"')
})

test('POST /admin/users/{userId}/roles returns 200 with the roles; a second time it changes nothing', async () => {
  const one = await user()
  for (let time = 0; time < 2; time++) {
    const { status, body } = await admin.post(rolesPath(one), { role: 'moderator' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { user_id: one.id, roles: ['moderator'] } },
    })
  }
  expect((await admin.get(at(one))).body.data.version).toBe(2)
  expect(await auditEntries(one.id)).toMatchObject([
    { action: 'user.role_add', entity: 'user', before: { roles: [] }, after: { roles: ['moderator'] } },
  ])
})

test('DELETE /admin/users/{userId}/roles/{role} returns 200 with the roles; a second time it changes nothing', async () => {
  const one = await user({ roles: ['moderator', 'support'] })
  for (let time = 0; time < 2; time++) {
    const { status, body } = await admin.delete(`${rolesPath(one)}/moderator`)
    expect({ status, body }).toEqual({ status: 200, body: { data: { user_id: one.id, roles: ['support'] } } })
  }
  expect(await auditEntries(one.id)).toMatchObject([
    {
      action: 'user.role_remove',
      before: { roles: ['moderator', 'support'] },
      after: { roles: ['support'] },
    },
  ])
})

test('two roles granted concurrently are both stored and audited in sequence', async () => {
  const one = await user()
  const roles = ['moderator', 'support', 'platform_admin'] as const
  await Promise.all(roles.map((role) => admin.post(rolesPath(one), { role })))
  const { body } = await admin.get(at(one))
  expect(body.data).toMatchObject({ roles: roles.toSorted(), version: 4 })
  const counts = (await auditEntries(one.id)).map(({ after }) => (after as { roles: string[] }).roles.length)
  expect(counts.sort()).toEqual([1, 2, 3])
})

test('POST /admin/users/{userId}/roles returns 404 for an unknown user', async () => {
  expect(await admin.post(`/admin/users/${uuidv7()}/roles`, { role: 'support' })).toBeError(404, 'not_found')
})

test('DELETE /admin/users/{userId}/roles/{role} returns 404 for an unknown user or role', async () => {
  expect(await admin.delete(`/admin/users/${uuidv7()}/roles/support`)).toBeError(404, 'not_found')
  expect(await admin.delete(`${rolesPath(await user())}/king`)).toBeError(404, 'not_found')
})

test.each([[{}], [{ role: 'king' }], [{ role: 'owner' }], [{ role: 'support', more: 1 }]])(
  'POST /admin/users/{userId}/roles returns 422 for %j',
  async (body) => {
    expect(await admin.post(rolesPath(await user()), body)).toBeError(422, 'validation_failed')
  },
)

test('a disabled user is refused from the next request on and accepted again when enabled', async () => {
  const one = await user({ roles: ['support'] })
  const its = client({ source: 'backoffice', token: one.token })
  expect(await its.get('/admin/users')).toBeError(403, 'admin_required')
  const challenge = async (call = its) => {
    const answer = await call.get('/me')
    expect(answer).toBeError(401, 'unauthenticated')
    return answer.headers.get('www-authenticate')
  }
  await admin.patch(at(one), { actif: false })
  expect(await its.get('/admin/users')).toBeError(401, 'unauthenticated')
  // A new token would not help: clients can tell this from an expired one.
  expect(await challenge()).toBe('Bearer error="account_disabled"')
  expect(await challenge(client({ token: 'none' }))).toBe('Bearer')
  await admin.patch(at(one), { revoke_tokens: true })
  expect(await challenge()).toBe('Bearer')
  await db.updateTable('users').set({ tokens_valid_from: null }).where('id', '=', one.id).execute()
  await admin.patch(at(one), { actif: true })
  expect(await its.get('/admin/users')).toBeError(403, 'admin_required')
})

test('granting or removing a role takes effect with the next request', async () => {
  const one = await user()
  const its = client({ source: 'backoffice', token: one.token })
  await admin.post(rolesPath(one), { role: 'admin' })
  expect((await its.get('/admin/users')).status).toBe(200)
  await admin.delete(`${rolesPath(one)}/admin`)
  expect(await its.get('/admin/users')).toBeError(403, 'admin_required')
})

test('revoke_tokens refuses earlier tokens and accepts later ones', async () => {
  const sign = () => {
    const wish = { email: 'revoked@example.org', role: null, ttlS: 60, now: new Date() }
    return grantAndSign(db, {
      ...wish,
      secret: config.auth.jwtSecret ?? '',
      digests: identityDigests(config),
    })
  }
  const old = await sign()
  const query = db.selectFrom('users').selectAll().where('subject', '=', 'revoked@example.org')
  const one = await query.executeTakeFirstOrThrow()
  const its = (token: string) => client({ source: 'backoffice', token }).get('/admin/users')
  expect(await its(old)).toBeError(403, 'admin_required')
  expect((await admin.patch(at(one), { revoke_tokens: false })).body.data.version).toBe(1)
  const { body } = await admin.patch(at(one), { revoke_tokens: true })
  expect(body.data.version).toBe(2)
  expect(Object.keys(body.data)).not.toContain('tokens_valid_from')
  expect(await its(old)).toBeError(401, 'unauthenticated')
  // One millisecond later: the token is dated as far ahead as the tolerance allows.
  await new Promise((resolve) => setTimeout(resolve, 2))
  expect(await its(await sign())).toBeError(403, 'admin_required')
  expect((await auditEntries(one.id)).slice(1).map(({ action, after }) => [action, after])).toEqual([
    ['user.update', { tokens_valid_from: expect.any(String) }],
  ])
  expect(one.issuer).toBe(ownIssuer)
})

test.each([0, 3, 5])(
  'a token dated %d s ahead by a fast clock does not survive a revocation',
  async (ahead) => {
    const one = await user()
    const now = Date.now()
    const sign = (seconds: number) =>
      signToken(config.auth.jwtSecret ?? '', one.subject ?? '', '', 60, new Date(now + seconds * 1_000))
    const instance = (seconds: number) =>
      openWorld({ database, clock: () => new Date(now + seconds * 1_000) })
    const [present, later] = [await instance(0), await instance(ahead + 1)]
    const enter = async (world: typeof present, token: string) =>
      (await world.get('/admin/users', { source: 'backoffice', token })).status
    const old = await sign(ahead)
    expect(await enter(present, old)).toBe(403)
    const by = await present.as('admin')
    await by.patch(at(one), { revoke_tokens: true })
    expect([await enter(present, old), await enter(later, old)]).toEqual([401, 401])
    expect(await enter(await instance(6), await sign(6))).toBe(403)
  },
)

test('an erased account gets no roles, memberships or names again', async () => {
  const one = await user({ roles: ['support'] })
  expect((await admin.post('/admin/people/erase', { user_id: one.id })).status).toBe(200)
  const erased = (await admin.get(at(one))).body.data
  expect(erased).toMatchObject({ actif: false, roles: [], acteurs: [], can: [] })
  expect(await admin.post(rolesPath(one), { role: 'admin' })).toBeError(409, 'conflict')
  const acteurs = [{ acteur_id: (await acteur()).id, role: 'owner' }]
  for (const body of [{ acteurs }, { nom: 'Odile' }, { actif: true }, { revoke_tokens: true }])
    expect(await admin.patch(at(one), body), JSON.stringify(body)).toBeError(409, 'conflict')
  expect((await admin.get(at(one))).body.data).toEqual(erased)
})

test('another erasure of an account reports the rights that it removes', async () => {
  const one = await user()
  const erase = () => admin.post('/admin/people/erase', { user_id: one.id })
  await erase()
  await db.insertInto('user_roles').values({ user_id: one.id, role: 'support' }).execute()
  expect((await erase()).body.data.places).toMatchObject([{ name: 'users', rows: 1 }])
  expect((await erase()).body.data.places).toEqual([])
})
