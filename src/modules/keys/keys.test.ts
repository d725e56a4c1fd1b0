import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jwtSecret } from '../../../test/support/factories.ts'
import { openMairie } from '../../../test/support/mairies.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld } from '../../../test/support/world.ts'
import { newKey } from '../../platform/access/keys.ts'
import { signToken } from '../../platform/access/tokens.ts'
import { maxKeys } from './keys.ts'

const world = await openWorld()
const { as, db, user, client, acteur, commune } = world

const [village, elsewhere] = [await commune(), await commune()]
const club = await acteur({ valide: true, commune_id: village.id })
const choir = await acteur({ valide: true })
const write = { name: 'Site', scopes: ['publication.read', 'publication.write'] }
const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }

/** An owner of both acteurs, with a session that is freshly confirmed. */
async function owner() {
  const { id } = await user({
    memberships: [club, choir].map((acteur) => ({ acteur, role: 'owner' as const })),
  })
  const { headers } = await openSession(db, id)
  return { id, client: client({ source: 'public', headers }) }
}
type Owner = Awaited<ReturnType<typeof owner>>
async function keyOf({ client: own }: Owner, body: object = write) {
  const { status, body: made, text } = await own.post('/me/keys', body)
  expect(status, text).toBe(200)
  return {
    ...(made.data as { id: string; key: string }),
    client: client({ source: 'public', token: made.data.key }),
  }
}
type Key = Awaited<ReturnType<typeof keyOf>>
const publish = ({ client }: Key, acteur_id = club.id) =>
  client.post('/publications', { ...content, acteur_id })

test('POST /me/keys returns the key once; only its digest is stored, also with an Idempotency-Key', async () => {
  const her = await owner()
  const headers = { 'idempotency-key': 'k1' }
  const { body } = await her.client.post('/me/keys', write)
  const { headers: cookie } = await openSession(db, her.id)
  const repeated = await client({ source: 'public' }).post('/me/keys', write, {
    headers: { ...cookie, ...headers },
  })
  expect(body.data.key).toMatch(/^pvs_[0-9a-f]{56}$/)
  for (const key of [body.data.key, repeated.body.data.key]) {
    for (const table of ['access_keys', 'idempotent_responses', 'audit_log']) {
      const { rows } =
        await sql`select from ${sql.table(table)} t where t::text like ${`%${key.slice(4)}%`}`.execute(db)
      expect(rows, table).toEqual([])
    }
  }
  const listed = (await her.client.get('/me/keys')).body.data
  expect(listed).toHaveLength(2)
  expect(listed.flatMap(Object.keys)).not.toContain('key')
})

test('POST /me/keys returns 403 without a fresh confirmation and 422 for what its owner cannot use', async () => {
  const her = await owner()
  await sql`update sessions set confirmed_until = now() - interval '1 minute' where user_id = ${her.id}`.execute(
    db,
  )
  expect(await her.client.post('/me/keys', write)).toBeError(403, 'confirmation_required')
  const one = await owner()
  const stranger = await acteur()
  for (const wrong of [
    { ...write, scopes: [] },
    { ...write, scopes: ['own.change'] },
    { ...write, scopes: ['office.read'] },
    { ...write, scopes: ['own.read'], acteur_id: club.id },
    { ...write, acteur_id: stranger.id },
    { ...write, commune_id: elsewhere.id },
    { ...write, commune_id: village.id, acteur_id: club.id },
    { ...write, scopes: ['own.read'], commune_id: village.id },
    { ...write, app_source: 'nowhere' },
    { ...write, expires_at: new Date(Date.now() - 1000).toISOString() },
    { ...write, expires_at: new Date(Date.now() + 366 * 86_400_000).toISOString() },
  ])
    expect(await one.client.post('/me/keys', wrong)).toBeError(422, 'validation_failed')
})

test('a token whose owner has just signed in makes keys, one that was refreshed since changes none', async () => {
  const { email, token } = await user({ memberships: [{ acteur: club, role: 'owner' }] })
  const fresh = client({ source: 'public', token })
  const key = (await fresh.post('/me/keys', { ...write, acteur_id: club.id })).body.data
  const refreshed = client({
    source: 'public',
    token: await signToken(jwtSecret, email ?? '', '', 60, new Date()),
  })
  expect(await refreshed.post('/me/keys', write)).toBeError(403, 'confirmation_required')
  expect(await refreshed.post(`/me/keys/${key.id}/rotate`)).toBeError(403, 'confirmation_required')
  expect(await refreshed.delete(`/me/keys/${key.id}`)).toBeError(403, 'confirmation_required')
  const withKey = client({ source: 'public', token: key.key })
  expect(await withKey.post('/me/keys', write)).toBeError(403, 'key_refused')
  expect((await withKey.get('/me/publications')).status).toBe(200)
})

test('POST /me/keys returns 409 above the limit, for concurrent requests too', async () => {
  const her = await owner()
  await sql`
    insert into access_keys (id, user_id, name, scopes, digest, expires_at)
    select gen_random_uuid(), ${her.id}, 'Clé', '{own.read}', sha256(gen_random_uuid()::text::bytea), now() + interval '1 day'
    from generate_series(2, ${maxKeys})`.execute(db)
  const both = await Promise.all([her.client.post('/me/keys', write), her.client.post('/me/keys', write)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a key publishes for its owner; the audit entry names the key, and its use is noted at most once in five minutes', async () => {
  const her = await owner()
  const key = await keyOf(her)
  const made = await publish(key)
  expect(made.status, made.text).toBe(201)
  const entry = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('entity_id', '=', made.body.data.id)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ user_id: her.id, after: { access_key: key.id } })
  const used = async () =>
    (
      await sql<{
        xmin: string
        network: string
      }>`select xmin::text, network from access_keys where id = ${key.id}`.execute(db)
    ).rows[0]
  const first = await used()
  expect(first?.network).toBe('127.0.0.0/24')
  await publish(key)
  expect(await used()).toEqual(first)
})

test('a key returns 403 for a scope that it lacks, for its owner’s account and for public writes', async () => {
  const key = await keyOf(await owner(), { ...write, scopes: ['publication.read'] })
  const refused = await publish(key)
  expect(refused).toBeError(403, 'key_refused')
  expect(refused.body.message).toContain('publication.write')
  expect(await key.client.get('/me')).toBeError(403, 'key_refused')
  expect(await key.client.get('/me/keys')).toBeError(403, 'key_refused')
  expect(await key.client.post('/me/keys', write)).toBeError(403, 'key_refused')
  expect(await key.client.delete(`/me/keys/${key.id}`)).toBeError(403, 'key_refused')
  expect(await key.client.post('/support/messages', { body: 'Bonjour', email: 'a@example.org' })).toBeError(
    403,
    'key_refused',
  )
})

test('a key of an acteur publishes for no other, not even what its owner has written there', async () => {
  const her = await owner()
  const wide = await keyOf(her)
  const { id } = (await publish(wide, choir.id)).body.data
  const key = await keyOf(her, { ...write, acteur_id: club.id })
  expect((await publish(key)).status).toBe(201)
  expect((await publish(key, choir.id)).status).toBe(403)
  expect((await key.client.patch(`/publications/${id}`, { title: 'Autre' })).status).toBe(404)
  expect((await wide.client.patch(`/publications/${id}`, { title: 'Autre' })).status).toBe(200)
})

test('a key of a commune acts for its acteurs of the owner, and ends when the owner leaves one of them', async () => {
  const her = await owner()
  const [fair, elsewhere] = [
    await acteur({ valide: true, commune_id: village.id }),
    await acteur({ valide: true }),
  ]
  for (const { id } of [fair, elsewhere])
    await sql`
      insert into actor_users (acteur_id, user_id, role, permissions)
      values (${id}, ${her.id}, 'editor', '{manage_publications, publish_publications}')`.execute(db)
  const key = await keyOf(her, { ...write, commune_id: village.id })
  const wide = await keyOf(her)
  expect((await her.client.get('/me/keys')).body.data[1]).toMatchObject({
    acteur_id: null,
    commune_id: village.id,
  })
  const { id } = (await publish(wide, choir.id)).body.data
  const leave = ({ id }: { id: string }) =>
    sql`delete from actor_users where acteur_id = ${id} and user_id = ${her.id}`.execute(db)
  const statuses = async () =>
    Promise.all([club, fair, choir].map(async ({ id }) => (await publish(key, id)).status))
  expect(await statuses()).toEqual([201, 201, 403])
  expect((await key.client.patch(`/publications/${id}`, { title: 'Autre' })).status).toBe(404)
  await leave(elsewhere)
  expect(await statuses()).toEqual([201, 201, 403])
  await leave(fair)
  expect(await publish(key)).toBeError(401, 'unauthenticated')
})

test('the audit log names the key by which something was done', async () => {
  const her = await owner()
  const key = await keyOf(her, { ...write, name: 'Agenda de la ville' })
  const { id } = (await publish(key)).body.data
  const { body } = await (await as('admin')).get(`/admin/audit?entity=publication&entity_id=${id}`)
  const change = body.data[0].changes.find(({ field }: { field: string }) => field === 'access_key')
  expect(change).toMatchObject({ after: key.id, after_name: 'Agenda de la ville' })
})

test('a key of an acteur lists what that acteur has published, and no team', async () => {
  const her = await owner()
  const wide = await keyOf(her)
  for (const { id } of [club, choir]) await publish(wide, id)
  const scopes = [...write.scopes, 'acteur.read', 'acteur.write']
  const { client: key } = await keyOf(her, { ...write, scopes, acteur_id: club.id })
  const listed = (await key.get('/me/publications')).body.data as { acteur_id: string }[]
  expect([...new Set(listed.map(({ acteur_id }) => acteur_id))]).toEqual([club.id])
  const { can } = (await key.get(`/me/acteurs/${club.id}`)).body.data
  expect(can).toEqual(expect.arrayContaining(['edit', 'publications']))
  expect(can).not.toContain('members')
})

test('a key that reads a commune is not offered to edit it', async () => {
  const { hall, commune } = await openMairie(world)
  const { id } = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const { headers } = await openSession(db, id)
  const her = { id, client: client({ source: 'public', headers }) }
  for (const [scopes, can] of [
    [['mairie.read', 'commune.write'], ['edit']],
    [['mairie.read'], []],
  ] as const) {
    const { key } = await keyOf(her, { name: 'Site', scopes })
    const { body } = await client({ source: 'mairie', token: key }).get(`/mairie/communes/${commune.id}`)
    expect(body.data.can).toEqual(can)
  }
})

test('a key lists publications only with the scope to read them', async () => {
  const { client: key } = await keyOf(await owner(), { ...write, scopes: ['own.read'] })
  expect(await key.get('/me/publications')).toBeError(403, 'key_refused')
})

test('a key of an application names it in any spelling, and one of `public` may leave it out', async () => {
  const key = await keyOf(await owner(), { ...write, app_source: 'public' })
  for (const source of ['PUBLIC', undefined]) {
    const here = client({ token: key.key, ...(source && { source }) })
    expect((await here.get('/me/publications')).status, source).toBe(200)
  }
})

test('a key of an application returns 403 in another', async () => {
  const key = await keyOf(await owner(), { ...write, app_source: 'public' })
  expect((await publish(key)).status).toBe(201)
  const elsewhere = client({ source: 'mairie', token: key.key })
  expect(await elsewhere.post('/publications', { ...content, acteur_id: club.id })).toBeError(
    403,
    'scope_violation',
  )
})

test('an administrator’s key has the role only with a scope of the back-office, and opens no accounts', async () => {
  const { id } = await user({ roles: ['admin'] })
  const { headers } = await openSession(db, id)
  const admin = { id, client: client({ source: 'backoffice', headers }) }
  expect((await publish(await keyOf(admin))).status).toBe(403)
  const office = client({
    source: 'backoffice',
    token: (await keyOf(admin, { name: 'Lecture', scopes: ['office.read'] })).key,
  })
  expect((await office.get('/admin/acteurs')).status).toBe(200)
  expect(await office.post('/admin/acteurs', { nom: 'Club', type: 'association' })).toBeError(
    403,
    'key_refused',
  )
  expect(await office.get('/admin/users')).toBeError(403, 'key_refused')
})

test('a key that reads for the back-office has no role where it writes', async () => {
  const { id } = await user({ roles: ['admin'] })
  const { headers } = await openSession(db, id)
  const admin = { id, client: client({ source: 'backoffice', headers }) }
  const her = await owner()
  const made = await publish(await keyOf(her))
  const mixed = await keyOf(admin, {
    name: 'Lecture',
    scopes: [...write.scopes, 'publication.moderate', 'office.read'],
  })
  const office = client({ source: 'backoffice', token: mixed.key })
  expect((await office.get(`/admin/publications/${made.body.data.id}`)).status).toBe(200)
  expect((await office.patch(`/publications/${made.body.data.id}`, { title: 'Autre' })).status).toBe(404)
  const decision = { moderation_status: 'rejected', reason: 'Non' }
  expect((await office.patch(`/publications/${made.body.data.id}/moderate`, decision)).status).toBe(404)
})

test.each([
  ['unknown', async () => newKey()],
  ['malformed', async (key: Key) => `${key.key.slice(0, -1)}${key.key.endsWith('0') ? '1' : '0'}`],
  [
    'expired',
    async (key: Key) => {
      await sql`update access_keys set expires_at = now() where id = ${key.id}`.execute(db)
      // Without a notification an instance believes a lookup for 200 ms: this one has made none.
      return key.key
    },
  ],
])('returns 401 for a key that is %s', async (_name, change) => {
  const key = await keyOf(await owner())
  const token = await change(key)
  expect(await client({ source: 'public', token }).get('/me/publications')).toBeError(401, 'unauthenticated')
})

/** Each ends the keys of their owner at once, also those that were just used. */
const ends: Record<string, (her: Owner, key: Key) => Promise<unknown>> = {
  'it is revoked': (her, key) => her.client.delete(`/me/keys/${key.id}`),
  'an administrator revokes it': async (her, key) =>
    (await as('admin')).delete(`/admin/users/${her.id}/keys/${key.id}`),
  'its owner leaves the team': (her) => her.client.delete(`/me/acteurs/${club.id}/members/${her.id}`),
  'its owner is disabled': async (her) =>
    (await as('admin')).patch(`/admin/users/${her.id}`, { actif: false }),
  'its owner’s tokens are revoked': async (her) =>
    (await as('admin')).patch(`/admin/users/${her.id}`, { revoke_tokens: true }),
}
test.each(Object.keys(ends))('a key ends at once when %s', async (what) => {
  const her = await owner()
  const key = await keyOf(her, { ...write, acteur_id: club.id })
  // The last owner of an acteur cannot leave it.
  await owner()
  expect((await publish(key)).status).toBe(201)
  const answer = (await ends[what]?.(her, key)) as { status: number; text: string }
  expect(answer.status, answer.text).toBe(200)
  expect(await publish(key)).toBeError(401, 'unauthenticated')
})

test('a key of the back-office ends when its owner loses a role, others stay', async () => {
  const { id } = await user({ roles: ['support', 'moderator'] })
  const { headers } = await openSession(db, id)
  const colleague = { id, client: client({ source: 'backoffice', headers }) }
  const office = await keyOf(colleague, { name: 'Lecture', scopes: ['office.read'] })
  const own = await keyOf(colleague, { name: 'Soi', scopes: ['own.read'] })
  const inOffice = client({ source: 'backoffice', token: office.key })
  expect((await inOffice.get('/admin/claims')).status).toBe(200)
  const admin = await as('admin')
  expect((await admin.delete(`/admin/users/${id}/roles/support`)).status).toBe(200)
  expect(await inOffice.get('/admin/claims')).toBeError(401, 'unauthenticated')
  expect((await own.client.get('/me')).status).toBe(200)
})

test('a member with fewer permissions has a narrower key at once', async () => {
  const her = await owner()
  const key = await keyOf(her)
  expect((await publish(key)).status).toBe(201)
  await sql`update actor_users set role = 'editor', permissions = '{}' where user_id = ${her.id}`.execute(db)
  await expect.poll(async () => (await publish(key)).status).toBe(403)
})

test('a key follows a merge of its acteur', async () => {
  const her = await owner()
  const [from, into] = [await acteur({ valide: true }), await acteur({ valide: true })]
  await sql`insert into actor_users (acteur_id, user_id, role) values (${from.id}, ${her.id}, 'owner')`.execute(
    db,
  )
  const key = await keyOf(her, { ...write, acteur_id: from.id })
  const merged = await (await as('admin')).post(`/admin/acteurs/${from.id}/merge`, { into: into.id })
  expect(merged.status, merged.text).toBeLessThan(300)
  expect((await publish(key, into.id)).status).toBe(201)
})

test('a key of a merged acteur ends when its owner leaves the target', async () => {
  const her = await owner()
  const [from, into] = [await acteur({ valide: true }), await acteur({ valide: true })]
  await sql`
    insert into actor_users (acteur_id, user_id, role) values (${from.id}, ${her.id}, 'owner')`.execute(db)
  const { id } = await user()
  await sql`insert into actor_users (acteur_id, user_id, role) values (${into.id}, ${id}, 'owner')`.execute(
    db,
  )
  const key = await keyOf(her, { ...write, acteur_id: from.id })
  const admin = await as('admin')
  await admin.post(`/admin/acteurs/${from.id}/merge`, { into: into.id })
  expect((await admin.delete(`/me/acteurs/${into.id}/members/${her.id}`)).status).toBe(200)
  expect(await publish(key, into.id)).toBeError(401, 'unauthenticated')
})

test('a key stays revoked when its owner’s account is enabled again', async () => {
  const her = await owner()
  const key = await keyOf(her)
  const admin = await as('admin')
  for (const actif of [false, true]) await admin.patch(`/admin/users/${her.id}`, { actif })
  expect(await publish(key)).toBeError(401, 'unauthenticated')
})

test('POST /me/keys/{id}/rotate keeps the former key for a day; revoking ends both', async () => {
  const her = await owner()
  const key = await keyOf(her)
  const { body } = await her.client.post(`/me/keys/${key.id}/rotate`)
  const rotated = { ...key, client: client({ source: 'public', token: body.data.key }) }
  expect([(await publish(key)).status, (await publish(rotated)).status]).toEqual([201, 201])
  await her.client.delete(`/me/keys/${key.id}`)
  expect([(await publish(key)).status, (await publish(rotated)).status]).toEqual([401, 401])
  const other = await keyOf(her)
  await her.client.post(`/me/keys/${other.id}/rotate`)
  await sql`update access_keys set former_until = now() where id = ${other.id}`.execute(db)
  await expect.poll(async () => (await publish(other)).status).toBe(401)
})

test('rotating or revoking the key of somebody else returns 404, an id that is none too', async () => {
  const key = await keyOf(await owner())
  const other = await owner()
  for (const id of [key.id, 'x']) {
    expect(await other.client.post(`/me/keys/${id}/rotate`)).toBeError(404, 'not_found')
    expect(await other.client.delete(`/me/keys/${id}`)).toBeError(404, 'not_found')
    expect(await (await as('admin')).delete(`/admin/users/${other.id}/keys/${id}`)).toBeError(
      404,
      'not_found',
    )
  }
  expect(await (await as('admin')).get('/admin/users/x/keys')).toBeError(404, 'not_found')
})

test('GET /admin/users/{userId}/keys lists the live keys of a user', async () => {
  const her = await owner()
  const [kept, ended] = [await keyOf(her), await keyOf(her)]
  await her.client.delete(`/me/keys/${ended.id}`)
  const listed = await (await as('admin')).get(`/admin/users/${her.id}/keys`)
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([kept.id])
})

test.each(['acteur_id', 'scopes', 'expires_at'])(
  'the database refuses a key with a wrong %s',
  async (column) => {
    const { id } = await keyOf(await owner(), { ...write, acteur_id: club.id })
    const wrong = {
      scopes: sql`'{office.write}'`,
      expires_at: sql`now() + interval '2 years'`,
      acteur_id: sql`gen_random_uuid()`,
    }
    const value = wrong[column as keyof typeof wrong]
    await expect(
      sql`update access_keys set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db),
    ).rejects.toThrow()
  },
)
