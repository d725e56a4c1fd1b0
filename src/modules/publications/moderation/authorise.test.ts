import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import type { Role } from '../../../platform/access/areas.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication, restrictedSource } from '../publications.test-kit.ts'

const world = await openWorld()
const { db, user, client } = world

/** Opens a commune with its mairie, which may publish or not. */
async function openMairie(can_publish: boolean) {
  const acteur = await world.acteur({ type: 'mairie', valide: true, can_publish })
  const commune = await world.commune({ mairie_actor_id: acteur.id })
  return { acteur, commune }
}
const mairie = await openMairie(true)
const second = await world.commune({ mairie_actor_id: mairie.acteur.id })
const modest = await openMairie(false)
const elsewhere = await openMairie(true)
const association = await world.acteur({ commune_id: mairie.commune.id, valide: true })

const memberOf = (acteur: { id: string }, role: 'owner' | 'editor', ...permissions: Permission[]) =>
  user({ memberships: [{ acteur, role, permissions }] })
type Permission = 'manage_publications' | 'publish_publications'
const role = (...roles: Role[]) => user({ roles })

const callers = {
  admin: await role('admin'),
  platformAdmin: await role('platform_admin'),
  moderator: await role('moderator'),
  support: await role('support'),
  nobody: await user(),
  owner: await memberOf(mairie.acteur, 'owner'),
  publisher: await memberOf(mairie.acteur, 'editor', 'publish_publications'),
  manager: await memberOf(mairie.acteur, 'editor', 'manage_publications'),
  modestOwner: await memberOf(modest.acteur, 'owner'),
  foreignOwner: await memberOf(elsewhere.acteur, 'owner'),
  author: await memberOf(association, 'owner'),
}
type Caller = keyof typeof callers
const central: Caller[] = ['admin', 'platformAdmin', 'moderator']
const ofMairie: Caller[] = ['owner', 'publisher', 'manager']

const hidden = { moderation_status: 'pending', valide: false, publie_le: null }
const at = (...communes: { id: string }[]) => {
  const commune_ids = communes.map(({ id }) => id)
  return { commune_id: commune_ids[0] ?? null, commune_ids }
}
const byMairie = { acteur_id: mairie.acteur.id, ...at(mairie.commune) }
const byAssociation = { acteur_id: association.id, ...at(mairie.commune) }

/** The callers who may decide, and those who may see it and get 403. */
const publications: [string, Parameters<typeof insertPublication>[1], Caller[], Caller[]][] = [
  ['its own, hidden', { ...byMairie, ...hidden }, ['owner', 'publisher'], ['manager']],
  ['its own, visible', byMairie, ['owner', 'publisher'], ['everybody']],
  [
    'its own, elsewhere',
    { ...byMairie, ...at(elsewhere.commune), ...hidden },
    ['owner', 'publisher'],
    ['manager'],
  ],
  [
    "an association's, hidden",
    { ...byAssociation, ...hidden },
    ['owner', 'publisher'],
    ['manager', 'author'],
  ],
  ["an association's, visible", byAssociation, ['owner', 'publisher'], ['everybody']],
  [
    'in two communes of one mairie',
    { ...byAssociation, ...at(mairie.commune, second), ...hidden },
    ['owner', 'publisher'],
    ['manager', 'author'],
  ],
  [
    'in communes of two mairies',
    { ...byAssociation, ...at(mairie.commune, elsewhere.commune), ...hidden },
    [],
    ['author'],
  ],
  ['in no commune', { acteur_id: association.id, ...hidden }, [], ['author']],
  ['of no acteur', { ...at(mairie.commune), ...hidden }, [], []],
  [
    'of another mairie, in its commune',
    { acteur_id: elsewhere.acteur.id, ...at(mairie.commune), ...hidden },
    ['foreignOwner'],
    [],
  ],
  [
    'decided centrally',
    { ...byAssociation, ...hidden, decided_centrally: true },
    [],
    ['owner', 'publisher', 'manager', 'author'],
  ],
  ['its own, decided centrally', { ...byMairie, ...hidden, decided_centrally: true }, [], ofMairie],
  [
    'in a commune whose mairie may not publish',
    { ...byAssociation, ...at(modest.commune), ...hidden },
    [],
    ['modestOwner', 'author'],
  ],
  [
    'in a commune whose mairie may not publish, visible',
    { ...byAssociation, ...at(modest.commune) },
    [],
    ['everybody'],
  ],
].map(([name, values, may, knows]) => [
  name,
  values,
  may,
  `${knows}` === 'everybody' ? Object.keys(callers) : knows,
]) as never

// In applications other than the back-office, administrators have no special permissions.
const bearer = (caller: Caller, source: string | null = null) =>
  client({ source, token: callers[caller].token })

const calls = (Object.keys(callers) as Caller[]).flatMap((caller) =>
  [null, 'mairie', 'backoffice'].map((source) => [caller, source] as const),
)

test.each(publications)(
  'PATCH /publications/{id}/moderate returns 200 to deciders, 403 to other readers, 404 to all others: %s',
  async (_name, values, may, knows) => {
    for (const [caller, source] of calls) {
      const { id } = await insertPublication(world, values)
      const answer = await bearer(caller, source).patch(`/publications/${id}/moderate`, {
        moderation_status: 'published',
      })
      const decidesCentrally = central.includes(caller) && source === 'backoffice'
      const allowed = decidesCentrally || may.includes(caller)
      const mayKnow = central.includes(caller) || knows.includes(caller)
      const expected = allowed ? 200 : mayKnow ? 403 : 404
      expect([caller, source, answer.status]).toEqual([caller, source, expected])
      if (expected !== 200) expect(answer).toBeError(expected, expected === 403 ? 'forbidden' : 'not_found')
      const row = await db
        .selectFrom('publications')
        .select(['version', 'decided_centrally'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (!allowed) expect(row.version).toBe(1)
      else expect(row.decided_centrally).toBe(decidesCentrally)
    }
  },
)

test('PATCH /publications/{id}/moderate returns 200', async () => {
  const { id } = await insertPublication(world, { ...byAssociation, ...hidden })
  const answer = await bearer('owner').patch(`/publications/${id}/moderate`, {
    moderation_status: 'published',
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"2"')
  expect(answer.body.data).toMatchObject({ id, valide: true, moderation_status: 'published', version: 2 })
})

test('PATCH /publications/{id}/moderate returns 404', async () => {
  const { id: deleted } = await insertPublication(world, { ...byMairie, deleted_at: new Date() })
  for (const caller of ['admin', 'owner'] as const)
    for (const id of [uuidv7(), '12', deleted]) {
      const answer = await bearer(caller).patch(`/publications/${id}/moderate`, {
        moderation_status: 'rejected',
      })
      expect(answer).toBeError(404, 'not_found')
    }
})

test('PATCH /publications/{id}/moderate returns 422', async () => {
  const { id } = await insertPublication(world, byMairie)
  for (const body of [{}, { moderation_status: 'rejected', publie_le: null }, { moderation_status: 'no' }])
    expect(await bearer('owner').patch(`/publications/${id}/moderate`, body)).toBeError(
      422,
      'validation_failed',
    )
})

test('PATCH /publications/{id}/moderate returns 412 for an outdated version', async () => {
  const { id } = await insertPublication(world, byMairie)
  const decide = (tag: string) =>
    bearer('owner').patch(
      `/publications/${id}/moderate`,
      { moderation_status: 'rejected' },
      { headers: { 'if-match': tag } },
    )
  expect(await decide('"2"')).toBeError(412, 'precondition_failed')
  expect((await decide('"1"')).status).toBe(200)
})

test('a mairie that may not publish can still reject and postpone', async () => {
  const { id } = await insertPublication(world, { ...byAssociation, ...at(modest.commune) })
  for (const [moderation_status, status] of [
    ['rejected', 200],
    ['pending', 200],
    ['approved', 403],
    ['published', 403],
  ]) {
    const answer = await bearer('modestOwner').patch(`/publications/${id}/moderate`, { moderation_status })
    expect([moderation_status, answer.status]).toEqual([moderation_status, status])
  }
})

test("a mairie's decision can be changed by another member until it is decided centrally", async () => {
  const { id } = await insertPublication(world, { ...byAssociation, ...hidden })
  const decide = async (caller: Caller, moderation_status: string, source: string | null = null) =>
    (await bearer(caller, source).patch(`/publications/${id}/moderate`, { moderation_status })).status
  expect(await decide('owner', 'published')).toBe(200)
  expect(await decide('publisher', 'rejected')).toBe(200)
  expect(await decide('moderator', 'rejected')).toBe(403)
  expect(await decide('moderator', 'rejected', 'backoffice')).toBe(200)
  expect(await decide('owner', 'published')).toBe(403)
  expect(await decide('owner', 'rejected')).toBe(403)
})

test('an administrator who is a member of a mairie decides from other applications as a member', async () => {
  const decide = async (caller: { token: string }, moderation_status: string) => {
    const { id } = await insertPublication(world, { ...byMairie, ...hidden })
    const { token } = caller
    const path = `/publications/${id}/moderate`
    return (await client({ source: 'mairie', token }).patch(path, { moderation_status })).status
  }
  const admins = { roles: ['admin' as const] }
  const owner = await user({ ...admins, memberships: [{ acteur: mairie.acteur, role: 'owner' }] })
  const editor = await user({ ...admins, memberships: [{ acteur: mairie.acteur }] })
  expect(await decide(owner, 'published')).toBe(200)
  expect(await decide(editor, 'published')).toBe(403)
})

test('a mairie that is inactive, deleted or no longer named by a commune decides nothing', async () => {
  for (const end of [
    { active: false, deleted_at: null },
    { active: true, deleted_at: new Date() },
  ]) {
    const { id } = await insertPublication(world, { ...byAssociation, ...hidden })
    await db.updateTable('acteurs').set(end).where('id', '=', mairie.acteur.id).execute()
    const answer = await bearer('owner').patch(`/publications/${id}/moderate`, {
      moderation_status: 'rejected',
    })
    expect(answer).toBeError(404, 'not_found')
  }
  const alive = { active: true, deleted_at: null }
  await db.updateTable('acteurs').set(alive).where('id', '=', mairie.acteur.id).execute()
})

test('an application restricted to communes decides nothing elsewhere', async () => {
  const source = await restrictedSource(world, [elsewhere.commune.id])
  for (const caller of ['admin', 'owner'] as const) {
    const { id } = await insertPublication(world, byMairie)
    const answer = await bearer(caller, source).patch(`/publications/${id}/moderate`, {
      moderation_status: 'rejected',
    })
    expect(answer).toBeError(403, 'scope_violation')
  }
  const { id } = await insertPublication(world, { ...byMairie, ...hidden })
  const stranger = await bearer('nobody', source).patch(`/publications/${id}/moderate`, {
    moderation_status: 'rejected',
  })
  expect(stranger).toBeError(404, 'not_found')
})

const adminRoutes = (id: string): [string, string, unknown?][] => [
  ['GET', '/admin/publications'],
  ['GET', `/admin/publications/${id}`],
  ['GET', `/admin/publications/${id}/reports`],
  ['PATCH', '/admin/publications/bulk/moderate', { ids: [id], moderation_status: 'published' }],
  ['PATCH', `/admin/publications/${id}/moderate`, { moderation_status: 'rejected' }],
  ['PATCH', `/admin/publications/${id}/valide`],
  ['PATCH', `/admin/publications/${id}/feature`, { en_avant: true }],
  ['DELETE', `/admin/publications/${id}`],
  ['PATCH', `/admin/publications/${id}/restore`],
]

test.each(Object.keys(callers) as Caller[])('the back-office routes, for %s', async (caller) => {
  const { id } = await insertPublication(world, byMairie)
  const { token } = callers[caller]
  for (const [method, path, body] of adminRoutes(id)) {
    const outside = await client({ source: 'mairie', token }).send(method, path, body)
    expect(outside).toBeError(403, 'scope_violation')
    const answer = await client({ source: 'backoffice', token }).send(method, path, body)
    if (central.includes(caller)) expect([path, answer.status]).toEqual([path, 200])
    else expect(answer).toBeError(403, 'admin_required')
  }
})
