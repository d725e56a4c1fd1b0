// Not on another PostgreSQL, because other files run its statements too.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { deleteOldResponses } from '../../src/platform/idempotency.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { openWorld } from '../support/world.ts'

const creating: string[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, schema, config }) => {
    if (method !== 'POST' || config?.scope?.audience === 'webhook') return
    const answers = (schema?.response ?? {}) as object
    if (!('201' in answers || '202' in answers)) return
    creating.push(`POST ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`)
  },
})
const { acteur, as, db, client, user } = world
const stage = await openStage(world)
const calls = await callsOfEachModule(stage)
const admin = await as('admin')
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

const named = (nom: string) => ({ nom, type: 'association' })
const count = async (nom: string) =>
  (await db.selectFrom('acteurs').select('id').where('nom', '=', nom).execute()).length

test('finds routes that create', () => expect(creating.length).toBeGreaterThan(4))

test.each(creating)(
  '%s retried with the same key returns the same response and has no second effect',
  async (name) => {
    const { by, path, body, headers } = (await calls[name]?.()) ?? expect.fail(`no call of ${name} is staged`)
    const key = keyed(`again-${name.length}-${creating.indexOf(name)}`).headers
    const send = () => by.client.post(path, body, { headers: { ...key, ...headers } })
    const first = await send()
    expect([201, 202], first.text).toContain(first.status)
    const auditEntries = () => db.selectFrom('audit_log').select('id').execute()
    const before = await auditEntries()
    const second = await send()
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body })
    expect(await auditEntries()).toHaveLength(before.length)
    // As if another instance were still working on the first.
    const [kept] = await db
      .selectFrom('idempotent_responses')
      .select('key')
      .orderBy('created_at', 'desc')
      .limit(1)
      .execute()
    const other = await db.startTransaction().execute()
    await sql`select pg_advisory_xact_lock(hashtextextended(${kept?.key}, 0))`.execute(other)
    expect(await send()).toBeError(409, 'conflict')
    await other.rollback().execute()
  },
)

test('another body with the same key returns 422 naming the header', async () => {
  await admin.post('/admin/acteurs', named('Clef'), keyed('one'))
  const other = await admin.post('/admin/acteurs', named('Autre clef'), keyed('one'))
  expect(other).toBeError(422, 'validation_failed')
  expect(other.body.details).toEqual([
    { field: 'Idempotency-Key', message: 'was already used with a different body' },
  ])
  // Compared as bytes: the same fields in another form are another body.
  const spaced = await admin.post('/admin/acteurs', `${JSON.stringify(named('Clef'))} `, keyed('one'))
  expect(spaced).toBeError(422, 'validation_failed')
  expect(await count('Autre clef')).toBe(0)
})

test.each(['', 'é', 'a b', 'x'.repeat(201)])(
  'the malformed key %j returns 422 naming the header',
  async (key) => {
    const answer = await admin.post('/admin/acteurs', named('Malformée'), {
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe('Idempotency-Key')
  },
)

test('of concurrent requests with one key one is executed; the others get 409 or its response', async () => {
  const sent = Array.from({ length: 8 }, () => admin.post('/admin/acteurs', named('Course'), keyed('race')))
  const answers = await Promise.all(sent)
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
  expect(ids.size).toBe(1)
  for (const answer of answers) if (answer.status !== 201) expect(answer).toBeError(409, 'conflict')
  expect(await count('Course')).toBe(1)
})

test('a refusal is not stored: the same key works once the cause is fixed', async () => {
  const { id } = await acteur({ active: false })
  const claim = { acteur_id: id, message: 'La page de mon club', email: 'club@example.org' }
  expect(await world.post('/claims', claim, keyed('later'))).toBeError(404, 'not_found')
  await db.updateTable('acteurs').set({ active: true }).where('id', '=', id).execute()
  expect((await world.post('/claims', claim, keyed('later'))).status).toBe(201)
})

test('a key belongs to its caller and path', async () => {
  const other = await as('admin')
  const first = await admin.post('/admin/acteurs', named('Mienne'), keyed('mine'))
  const second = await other.post('/admin/acteurs', named('Mienne'), keyed('mine'))
  expect(second.body.data.id).not.toBe(first.body.data.id)
  const { rows } = await sql<{ key: string }>`select key from idempotent_responses`.execute(db)
  expect(rows.map(({ key }) => key).join()).not.toContain('mine')
})

test('token and permissions are checked before a stored response is returned', async () => {
  const { id, token } = await user({ roles: ['admin'] })
  const officer = client({ source: 'backoffice', token })
  expect((await officer.post('/admin/acteurs', named('Avant'), keyed('rights'))).status).toBe(201)
  await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
  expect(await officer.post('/admin/acteurs', named('Avant'), keyed('rights'))).toBeError(
    403,
    'admin_required',
  )
})

test('permissions on the acteur are checked too: without them no stored response is returned', async () => {
  const { id: commune_id } = await world.commune()
  const mairie = await acteur({ type: 'mairie', valide: true, commune_id })
  await db.updateTable('communes').set({ mairie_actor_id: mairie.id }).where('id', '=', commune_id).execute()
  const editor = await user({ memberships: [{ acteur: mairie, permissions: ['manage_publications'] }] })
  const member = client({ token: editor.token })
  const content = { title: 'Fermeture', body: 'La mairie ferme à midi.' }
  const forMairie = () => member.post(`/mairie/acteurs/${mairie.id}/publications`, content, keyed('mairie'))
  const ofActeur = () => member.post('/publications', { ...content, acteur_id: mairie.id }, keyed('acteur'))
  for (const create of [forMairie, ofActeur]) expect((await create()).status).toBe(201)
  const membership = db.updateTable('actor_users').where('user_id', '=', editor.id)
  await membership.set({ permissions: [] }).execute()
  for (const create of [forMairie, ofActeur]) expect(await create()).toBeError(403, 'forbidden')
  await membership.set({ permissions: ['manage_publications'] }).execute()
  for (const create of [forMairie, ofActeur]) expect((await create()).status).toBe(201)
  const { rows } = await sql`select from publications where acteur_id = ${mairie.id}`.execute(db)
  expect(rows).toHaveLength(2)
})

test('PATCH /admin/publications/{id}/valide without a body honours the key: a repeat does not toggle back', async () => {
  const { id } = await insertPublication(world)
  const path = `/admin/publications/${id}/valide`
  const first = await admin.patch(path, undefined, keyed('toggle'))
  expect(first.body.data).toMatchObject({ valide: false, version: 2 })
  const again = await admin.patch(path, undefined, keyed('toggle'))
  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
  expect((await admin.patch(path, undefined, keyed('another'))).body.data.valide).toBe(true)
  // With a body it says what it wants, and the header is ignored.
  expect((await admin.patch(path, { valide: true }, keyed('toggle'))).body.data.valide).toBe(true)
  expect(await admin.patch(path, undefined, keyed('not a key'))).toBeError(422, 'validation_failed')
})

test('after a day the stored response is deleted and the key can be used again', async () => {
  await admin.post('/admin/acteurs', named('Hier'), keyed('day'))
  await db
    .updateTable('idempotent_responses')
    .set({ created_at: sql<Date>`now() - interval '25 hours'` })
    .execute()
  await admin.post('/admin/acteurs', named('Hier'), keyed('day'))
  expect(await count('Hier')).toBe(2)
  await db
    .updateTable('idempotent_responses')
    .set({ created_at: sql<Date>`now() - interval '25 hours'` })
    .execute()
  await deleteOldResponses(db)
  expect(await db.selectFrom('idempotent_responses').select('key').execute()).toEqual([])
})

test('the header is ignored on routes that create nothing', async () => {
  const { id } = await acteur()
  const call = { headers: { 'idempotency-key': 'not a key' } }
  expect((await admin.patch(`/admin/acteurs/${id}`, { nom: 'Autre' }, call)).status).toBe(200)
  expect((await admin.post(`/admin/acteurs/${id}/can-publish`, { can_publish: true }, call)).status).toBe(200)
})
