import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { importsKit } from '../imports.test-kit.ts'
import { deleteBatch } from './queries.ts'

const world = await openWorld()
world.setClock('2026-11-20T12:00:00.000Z')
const { acteur, commune, db, as } = world
const { admin, at, source } = await importsKit(world)
const list = '/admin/import-sources'
const feed = { nom: 'Agenda', type: 'rss', url: 'https://mediatheque.example/agenda.xml?key=1' }
const mapping = { external_id: 'id', title: 'titre', body: 'texte' }
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

test('POST /admin/import-sources returns 201 with an active source that has not run yet', async () => {
  const { id: acteur_id } = await acteur()
  const { id: commune_id } = await commune()
  const given = { ...feed, acteur_id, commune_id, moderation_status: 'published', cron: '0 6 * * 1-5' }
  const answer = await admin.post(list, given)
  expect(answer.status).toBe(201)
  expect(answer.body.data).toMatchObject({
    ...given,
    type_id: null,
    actif: true,
    skip_duplicates: true,
    mapping: null,
    failures: 0,
    paused_reason: null,
    last_run: null,
    version: 1,
  })
  const { id } = answer.body.data
  const { next_run_at } = await stored(id)
  // Monday at six in Paris.
  expect(next_run_at).toEqual(new Date('2026-11-23T05:00:00Z'))
  expect((await admin.get(at(id))).body.data).toEqual({ ...answer.body.data, present: [] })
})

test.each([
  ['url', { url: 'ftp://mediatheque.example/x' }],
  ['url', { url: 'file:///etc/passwd' }],
  ['url', { url: 'https://user:password@mediatheque.example/' }],
  ['url', { url: 'demo:agenda.xml' }],
  ['url', { url: 'agenda' }],
  ['nom', { nom: ' ' }],
  ['type', { type: 'xml' }],
  ['moderation_status', { moderation_status: 'approved' }],
  ['acteur_id', { acteur_id: unknown }],
  ['commune_id', { commune_id: unknown }],
  ['type_id', { type_id: unknown }],
  ['mapping', { mapping }],
  ['mapping', { type: 'csv' }],
  ['mapping', { type: 'json', mapping: { external_id: 'id', title: 'titre' } }],
  ['mapping.items', { type: 'csv', mapping: { ...mapping, items: 'x' } }],
  ['cron', { cron: 'every day' }],
  ['cron', { cron: '* * * * * *' }],
  ['cron', { cron: '@daily' }],
  ['cron', { cron: '0 0 31 2 *' }],
  ['cron', { cron: '61 * * * *' }],
  ['cron', { cron: '' }],
])('POST /admin/import-sources returns 422 naming %s: %j', async (field, values) => {
  const answer = await admin.post(list, { ...feed, ...values })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((detail: { field: string }) => detail.field)[0]).toContain(field)
})

test('refuses a deleted acteur', async () => {
  const { id: acteur_id } = await acteur({ deleted_at: new Date() })
  expect(await admin.post(list, { ...feed, acteur_id })).toBeError(422, 'validation_failed')
})

test('PATCH /admin/import-sources/{id} returns 200 and keeps the fields it does not name', async () => {
  const { id } = await source('', { cron: '0 6 * * *' })
  const answer = await admin.patch(at(id), { nom: 'Autre', actif: false })
  expect(answer.body.data).toMatchObject({ nom: 'Autre', actif: false, cron: '0 6 * * *', version: 2 })
  expect((await stored(id)).next_run_at).toBeNull()
  await admin.patch(at(id), { actif: true })
  expect((await stored(id)).next_run_at).toEqual(new Date('2026-11-21T05:00:00Z'))
  const table = await admin.patch(at(id), { type: 'csv', mapping })
  expect(table.body.data).toMatchObject({ type: 'csv', mapping })
  expect((await admin.patch(at(id), { type: 'rss' })).body.data).toMatchObject({ type: 'rss', mapping: null })
})

test('PATCH /admin/import-sources/{id} returns 422 for invalid values', async () => {
  const { id } = await source('')
  for (const body of [
    { type: 'csv' },
    { url: 'x' },
    { cron: 'x' },
    { acteur_id: unknown },
    { mapping },
    { failures: 0 },
  ])
    expect(await admin.patch(at(id), body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})

test('PATCH /admin/import-sources/{id} returns 412 for an outdated version', async () => {
  const { id } = await source('')
  const call = { headers: { 'if-match': '"7"' } }
  expect(await admin.patch(at(id), { nom: 'x' }, call)).toBeError(412, 'precondition_failed')
  expect(await admin.delete(at(id), call)).toBeError(412, 'precondition_failed')
})

test('PATCH /admin/import-sources/{id} drops the validators when a setting that affects reading changes', async () => {
  const { id } = await source('')
  const validators = { etag: '"1"', last_modified: 'Fri, 20 Nov 2026 12:00:00 GMT' }
  await db.updateTable('import_sources').set(validators).where('id', '=', id).execute()
  await admin.patch(at(id), { nom: 'Autre', actif: false, cron: '0 6 * * *' })
  expect(await stored(id)).toMatchObject(validators)
  await admin.patch(at(id), { moderation_status: 'published' })
  expect(await stored(id)).toMatchObject({ etag: null, last_modified: null })
})

test('DELETE /admin/import-sources/{id} returns 200 with the last state, and deletes the source and its history', async () => {
  const made = await source('')
  const asked = await admin.post(`${at(made.id)}/run`)
  expect(await admin.delete(at(made.id))).toBeError(409, 'import_in_progress')
  await db
    .updateTable('import_runs')
    .set({ status: 'succeeded', finished_at: new Date() })
    .where('id', '=', asked.body.data.id)
    .execute()
  const { present: _present, ...before } = (await admin.get(at(made.id))).body.data
  const answer = await admin.delete(at(made.id))
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual({ ...before, can: [] })
  expect(await admin.get(at(made.id))).toBeError(404, 'not_found')
  expect(await admin.delete(at(made.id))).toBeError(404, 'not_found')
  expect(await admin.get(`${at(made.id)}/runs`)).toBeError(404, 'not_found')
  while (await deleteBatch(db, made.id, 1));
  expect(await db.selectFrom('import_runs').select('id').where('source_id', '=', made.id).execute()).toEqual(
    [],
  )
  expect(await db.selectFrom('import_sources').select('id').where('id', '=', made.id).execute()).toEqual([])
})

test('GET /admin/import-sources returns a filtered, sorted page', async () => {
  const { id: acteur_id } = await acteur()
  const a = await source('', { nom: 'Zoo', type: 'ics', acteur_id })
  const b = await source('', { nom: 'Écomusée', actif: false, acteur_id })
  const idsOf = async (query: string) =>
    (await admin.get(`${list}?acteur_id=${acteur_id}&${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await idsOf('')).toEqual([b.id, a.id])
  expect(await idsOf('sort=created_at_asc')).toEqual([a.id, b.id])
  // Sorted by time, not by id, because clocks of instances differ.
  const moved = { created_at: new Date('2020-01-01T00:00:00Z') }
  await db.updateTable('import_sources').set(moved).where('id', '=', b.id).execute()
  expect(await idsOf('sort=created_at_asc')).toEqual([b.id, a.id])
  expect(await idsOf('sort=created_at_desc')).toEqual([a.id, b.id])
  expect(await idsOf('sort=nom_asc')).toEqual([b.id, a.id])
  expect(await idsOf('sort=nom_desc')).toEqual([a.id, b.id])
  expect(await idsOf('q=eco')).toEqual([b.id])
  expect(await idsOf('type=ics,csv')).toEqual([a.id])
  expect(await idsOf('actif=false')).toEqual([b.id])
  expect(await idsOf(`ids=${a.id}`)).toEqual([a.id])
  expect(await admin.get(`${list}?per_page=abc`)).toBeError(422, 'validation_failed')
})

test('import sources are for administrators only', async () => {
  expect(await (await as('moderator')).get(list)).toBeError(403, 'admin_required')
})

const stored = (id: string) =>
  db.selectFrom('import_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
