import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const { as, acteur, commune, user, client, db, get } = await openWorld()

const me = async (token: string) => {
  const { status, body } = await client({ token }).get('/me')
  expect(status).toBe(200)
  return body.data
}

test('GET /me returns 200 with the user, their acteurs and permissions', async () => {
  const hall = await acteur({ type: 'mairie', nom: 'Mairie de Bourg', can_publish: true })
  const [second, first] = [
    await commune({ nom: 'Péronnas', mairie_actor_id: hall.id }),
    await commune({ nom: 'Bourg', mairie_actor_id: hall.id }),
  ]
  const club = await acteur({ nom: 'Amis du Château', active: false })
  const gone = await acteur({ deleted_at: new Date() })
  const permissions = ['manage_publications' as const]
  const one = await user({
    nom: 'Zoé',
    email_verified: true,
    memberships: [
      { acteur: hall, role: 'editor', permissions },
      { acteur: club, role: 'owner' },
      { acteur: gone, role: 'owner' },
    ],
  })
  // The token's own e-mail is stored at its first use.
  await db.updateTable('users').set({ last_seen_at: new Date() }).where('id', '=', one.id).execute()
  expect(await me(one.token)).toEqual({
    id: one.id,
    email: one.email,
    email_verified: true,
    nom: 'Zoé',
    langue: 'fr',
    digest: { daily: false },
    acceptance_mails: true,
    mail: 'files',
    mails_delayed: false,
    outbox: null,
    roles: [],
    areas: [],
    invitations: [],
    acteurs: [
      {
        acteur_id: club.id,
        nom: 'Amis du Château',
        slug: club.slug,
        type: 'association',
        role: 'owner',
        permissions: [],
        can_publish: false,
        valide: false,
        active: false,
        commune: null,
        mairie_of: [],
        groups: [],
        can: ['edit', 'members', 'pin'],
      },
      {
        acteur_id: hall.id,
        nom: 'Mairie de Bourg',
        slug: hall.slug,
        type: 'mairie',
        role: 'editor',
        permissions,
        can_publish: true,
        valide: false,
        active: true,
        commune: null,
        mairie_of: [first, second].map(({ id, slug, nom }) => ({ id, slug, nom })),
        groups: [],
        can: [],
      },
    ],
  })
})

test('GET /me returns a new user without roles for an unknown identity', async () => {
  const { token } = await user({ nom: null, email: null })
  expect(await me(token)).toMatchObject({ nom: null, roles: [], areas: [], acteurs: [] })
})

test('GET /me lists the areas of a role: all for an administrator, their own for an operator', async () => {
  const areasOf = async (...roles: Parameters<typeof as>) => (await me((await user({ roles })).token)).areas
  const all = await areasOf('admin')
  expect(all).toEqual(
    expect.arrayContaining(['acteurs', 'audit', 'claims', 'communes', 'publications', 'users']),
  )
  expect(all).toEqual([...new Set(all)].sort())
  expect(await areasOf('platform_admin')).toEqual(all)
  expect(await areasOf('moderator')).toEqual(['claims', 'dashboard', 'publications'])
  expect(await areasOf('support')).toContain('dashboard')
  expect(await areasOf('support')).not.toContain('claims')
})

test('GET /me names the outbox to administrators on the embedded database only, while mails are files', async () => {
  const asked = async (env: Record<string, string>) => {
    const other = await openWorld({ env })
    const outcomes = []
    for (const role of ['admin', 'moderator'] as const) {
      const { mail, outbox } = (await (await other.as(role)).get('/me')).body.data
      outcomes.push([mail, outbox])
    }
    return outcomes
  }
  expect(await asked({ DATA_DIR: '/srv/parvis' })).toEqual([
    ['files', '/srv/parvis/outbox'],
    ['files', null],
  ])
  for (const [env, mail] of [
    [{ MAIL_URL: 'smtp://mail.example.org' }, 'smtp'],
    [{ DATABASE_URL: 'postgres://parvis@db.example.org/parvis' }, 'files'],
  ] as const)
    expect(await asked(env)).toEqual([
      [mail, null],
      [mail, null],
    ])
})

test('granting or removing a permission takes effect with the next request', async () => {
  const one = await user()
  const admin = await as('admin')
  const { id } = await acteur()
  expect(await me(one.token)).toMatchObject({ roles: [], acteurs: [] })
  await admin.post(`/admin/users/${one.id}/roles`, { role: 'moderator' })
  await admin.patch(`/admin/users/${one.id}`, { acteurs: [{ acteur_id: id, role: 'owner' }] })
  expect(await me(one.token)).toMatchObject({ roles: ['moderator'], acteurs: [{ acteur_id: id }] })
  await admin.patch(`/admin/users/${one.id}`, { acteurs: [] })
  expect((await me(one.token)).acteurs).toEqual([])
})

test('GET /me returns 401 for an invalid token, 403 for an inactive application, 422 for a parameter', async () => {
  await db.insertInto('app_sources').values({ code: 'off', label: 'Off', active: false }).execute()
  const { token } = await user()
  expect(await get('/me')).toBeError(401, 'unauthenticated')
  expect(await get('/me', { token: 'nonsense' })).toBeError(401, 'unauthenticated')
  expect((await get('/me', { token, source: null })).status).toBe(200)
  expect(await get('/me', { token, source: 'off' })).toBeError(403, 'scope_violation')
  expect(await get('/me?fields=id', { token })).toBeError(422, 'validation_failed')
})
