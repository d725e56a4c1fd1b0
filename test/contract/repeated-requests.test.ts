import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteOldAnswers } from '../../src/platform/idempotency.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { openWorld } from '../support/world.ts'

const creating: string[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, schema, config }) => {
    if (method !== 'POST' || config?.audience === 'webhook') return
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

test('there are routes that create', () => expect(creating.length).toBeGreaterThan(4))

test.each(creating)(
  '%s sent again under the same key gets the same answer, and nothing is done twice',
  async (name) => {
    const { by, path, body } = (await calls[name]?.()) ?? expect.fail(`no call of ${name} is staged`)
    const send = () => by.client.post(path, body, keyed(`again-${name.length}-${creating.indexOf(name)}`))
    const first = await send()
    expect([201, 202], first.text).toContain(first.status)
    const trail = () => db.selectFrom('audit_log').select('id').execute()
    const before = await trail()
    const second = await send()
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body })
    expect(await trail()).toHaveLength(before.length)
    // As while another instance is still at work on the first.
    const [kept] = await db
      .selectFrom('kept_answers')
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

test('another body under the same key answers 422 that names the header', async () => {
  await admin.post('/admin/acteurs', named('Clef'), keyed('one'))
  const other = await admin.post('/admin/acteurs', named('Autre clef'), keyed('one'))
  expect(other).toBeError(422, 'validation_failed')
  expect(other.body.details).toEqual([{ field: 'Idempotency-Key', message: 'was used with another body' }])
  // As bytes: the same fields written otherwise are another body.
  const spaced = await admin.post('/admin/acteurs', `${JSON.stringify(named('Clef'))} `, keyed('one'))
  expect(spaced).toBeError(422, 'validation_failed')
  expect(await count('Autre clef')).toBe(0)
})

test.each(['', 'é', 'a b', 'x'.repeat(201)])(
  'the malformed key %j answers 422 that names the header',
  async (key) => {
    const answer = await admin.post('/admin/acteurs', named('Malformée'), {
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe('Idempotency-Key')
  },
)

test('of many at once under one key, one is done; the others are told to wait or get its answer', async () => {
  const sent = Array.from({ length: 8 }, () => admin.post('/admin/acteurs', named('Course'), keyed('race')))
  const answers = await Promise.all(sent)
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
  expect(ids.size).toBe(1)
  for (const answer of answers) if (answer.status !== 201) expect(answer).toBeError(409, 'conflict')
  expect(await count('Course')).toBe(1)
})

test('a refusal keeps no answer: once mended, the same key does the work', async () => {
  const { id } = await acteur({ active: false })
  const claim = { acteur_id: id, message: 'La page de mon club', email: 'club@example.org' }
  expect(await world.post('/claims', claim, keyed('later'))).toBeError(404, 'not_found')
  await db.updateTable('acteurs').set({ active: true }).where('id', '=', id).execute()
  expect((await world.post('/claims', claim, keyed('later'))).status).toBe(201)
})

test('a key is its caller’s own, and of one path', async () => {
  const other = await as('admin')
  const first = await admin.post('/admin/acteurs', named('Mienne'), keyed('mine'))
  const second = await other.post('/admin/acteurs', named('Mienne'), keyed('mine'))
  expect(second.body.data.id).not.toBe(first.body.data.id)
  const { rows } = await sql<{ key: string }>`select key from kept_answers`.execute(db)
  expect(rows.map(({ key }) => key).join()).not.toContain('mine')
})

test('token and rights come first: who lost them gets no kept answer', async () => {
  const { id, token } = await user({ roles: ['admin'] })
  const officer = client({ source: 'backoffice', token })
  expect((await officer.post('/admin/acteurs', named('Avant'), keyed('rights'))).status).toBe(201)
  await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
  expect(await officer.post('/admin/acteurs', named('Avant'), keyed('rights'))).toBeError(
    403,
    'admin_required',
  )
})

test('after a day a key is free again, and its answer gone', async () => {
  await admin.post('/admin/acteurs', named('Hier'), keyed('day'))
  await db.updateTable('kept_answers').set({ created_at: sql<Date>`now() - interval '25 hours'` }).execute()
  await admin.post('/admin/acteurs', named('Hier'), keyed('day'))
  expect(await count('Hier')).toBe(2)
  await db.updateTable('kept_answers').set({ created_at: sql<Date>`now() - interval '25 hours'` }).execute()
  await deleteOldAnswers(db)
  expect(await db.selectFrom('kept_answers').select('key').execute()).toEqual([])
})

test('where nothing is created the header is ignored', async () => {
  const { id } = await acteur()
  const call = { headers: { 'idempotency-key': 'not a key' } }
  expect((await admin.patch(`/admin/acteurs/${id}`, { nom: 'Autre' }, call)).status).toBe(200)
  expect((await admin.post(`/admin/acteurs/${id}/can-publish`, { can_publish: true }, call)).status).toBe(200)
})
