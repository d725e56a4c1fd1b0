import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { listen } from '../events/events.test-kit.ts'
import { allowPrivate, importsKit, rss } from './imports.test-kit.ts'
import { deleteOldRuns } from './retention.ts'
import { doRun } from './run/rules.ts'

const world = await openWorld({ env: allowPrivate })
const { admin, at, source, say, run, dryRun, reading } = await importsKit(world)
const { db, acteur, commune, user } = world
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const library = await acteur({ commune_id: (await commune()).id, valide: true })
const published = { acteur_id: library.id, moderation_status: 'published' }
const item = (guid: string, more: object = {}) => ({
  guid,
  title: `Titre ${guid}`,
  description: `Texte ${guid}`,
  ...more,
})
const list = async (query = '') => (await admin.get(`/admin/import-runs?${query}`)).body
const items = async (id: string, query = '') =>
  (await admin.get(`/admin/import-runs/${id}/items?${query}`)).body

test('GET /admin/import-runs lists the runs of all sources with their names, by filter and time', async () => {
  const good = await source(rss(item('a1')))
  const bad = await source({ body: '', status: 500 }, { nom: 'Agenda cassé' })
  const first = await run(good)
  const second = await run(bad)
  const third = await dryRun(good)
  const { data, meta } = await list()
  expect(data.map(({ id }: { id: string }) => id)).toEqual([third.id, second.id, first.id])
  expect(meta).toMatchObject({ total: 3, next: null })
  expect(data[1]).toMatchObject({ source: { id: bad.id, nom: 'Agenda cassé' }, status: 'failed', can: [] })
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)
  expect(await idsOf('status=failed,partial')).toEqual([second.id])
  expect(await idsOf(`source_id=${good.id}&dry_run=false`)).toEqual([first.id])
  expect(await idsOf(`since=${second.started_at}&sort=started_at_asc`)).toEqual([second.id, third.id])
  expect(await idsOf(`until=${second.started_at}`)).toEqual([first.id])
  expect(await idsOf('held=true')).toEqual([])
  for (const wrong of ['status=lost', 'source_id=x', 'since=yesterday', 'sort=nom_asc', 'after=x'])
    expect(await admin.get(`/admin/import-runs?${wrong}`)).toBeError(422, 'validation_failed')
  const csv = await admin.get('/admin/import-runs?status=failed', { headers: { accept: 'text/csv' } })
  expect(csv.text).toContain('Agenda cassé')
  await admin.delete(at(good.id))
  expect(await idsOf('')).toEqual([second.id])
  expect(await admin.get(`/admin/import-runs/${first.id}/items`)).toBeError(404, 'not_found')
})

test('GET /admin/import-runs/{id}/items lists what each item became, with its publication as it is now', async () => {
  const made = await source(
    rss(item('b1'), item('b2'), item('b3', { description: 'x'.repeat(20_001) })),
    published,
  )
  const first = await run(made)
  const became = await items(first.id)
  expect(became.meta).toMatchObject({ total: 3 })
  expect(became.data).toMatchObject([
    {
      position: 0,
      external_id: 'b1',
      title: 'Titre b1',
      action: 'created',
      publication: { moderation_status: 'published', deleted: false },
    },
    { position: 1, action: 'created' },
    {
      position: 2,
      action: 'rejected',
      publication_id: null,
      publication: null,
      reason: expect.stringMatching(/too long|body/),
    },
  ])
  await db
    .updateTable('publications')
    .set({ moderation_status: 'approved' })
    .where('id', '=', became.data[0].publication_id)
    .execute()
  expect((await items(first.id, 'per_page=1')).data).toMatchObject([
    { publication: { moderation_status: 'approved' } },
  ])
  expect((await items(first.id, 'action=rejected')).data).toHaveLength(1)
  const { data, meta } = await items(first.id, 'per_page=2')
  expect(data).toHaveLength(2)
  expect((await items(first.id, `per_page=2&after=${meta.next}`)).data).toMatchObject([{ position: 2 }])

  // An update names the publication too; what stays the same is only counted.
  say(made, rss(item('b1', { title: 'Autre titre' }), item('b2')))
  const second = await run(made)
  expect(second).toMatchObject({ updated: 1, unchanged: 1 })
  expect((await items(second.id)).data).toMatchObject([
    { external_id: 'b1', action: 'updated', publication: { title: 'Autre titre' } },
  ])
  await admin.delete(`/admin/publications/${became.data[0].publication_id}`)
  expect((await items(first.id)).data[0].publication).toMatchObject({ deleted: true })
  expect(await admin.get(`/admin/import-runs/${unknown}/items`)).toBeError(404, 'not_found')
  expect(await admin.get(`/admin/import-runs/${first.id}/items?action=lost`)).toBeError(
    422,
    'validation_failed',
  )
})

test('stores the first thousand items of a run and deletes them with it, and with their source', async () => {
  const made = await source(rss(...Array.from({ length: 1_100 }, (_, n) => item(`c${n}`))), published)
  const { id } = await run(made)
  expect((await items(id)).meta).toMatchObject({ total: 1_000 })
  await db
    .updateTable('import_runs')
    .set({ started_at: '2020-01-01T00:00:00Z', finished_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  expect(await deleteOldRuns(db, 6, 500)).toBe(1)
  expect(await admin.get(`/admin/import-runs/${id}/items`)).toBeError(404, 'not_found')
  expect(await db.selectFrom('import_run_items').select('id').where('run_id', '=', id).execute()).toEqual([])
})

test('a run taken up again stores each item once', async () => {
  const made = await source(rss(item('d1'), item('d2')), published)
  let attempts = 0
  const breaking = {
    read: async function* () {
      for await (const batch of reading.read(
        {
          type: 'rss',
          mapping: null,
          url: made.url,
          parts: [{ body: Buffer.from(rss(item('d1'), item('d2'))), contentType: null }],
          now: new Date(),
        },
        reading.signal,
      )) {
        yield batch
        if (++attempts === 1) throw new Error('killed')
      }
    },
  }
  await expect(run(made, breaking)).rejects.toThrow('killed')
  const { id } = await db
    .selectFrom('import_runs')
    .select('id')
    .where('source_id', '=', made.id)
    .executeTakeFirstOrThrow()
  await doRun(world, id, reading)
  expect((await items(id)).data).toMatchObject([
    { position: 0, action: 'created', publication: { title: 'Titre d1' } },
    { position: 1, action: 'created', publication: { title: 'Titre d2' } },
  ])
})

test('GET /admin/events sends an event when a schedule starts a run, and when a job ends it', async () => {
  const made = await source(rss(item('e1')))
  const { token } = await user({ roles: ['admin'] })
  const one = await listen(world, { authorization: `Bearer ${token}` })
  await one.until('it is open', () => one.lastId() !== '')
  const id = uuidv7()
  await db
    .insertInto('import_runs')
    .values({ id, source_id: made.id, dry_run: false, status: 'queued' })
    .execute()
  await one.until('it hears of the start', () => one.topics().includes('runs'))
  const before = one.topics().length
  await db
    .updateTable('import_runs')
    .set({ status: 'succeeded', finished_at: new Date() })
    .where('id', '=', id)
    .execute()
  await one.until('it hears of the end', () => one.topics().length > before)
  await one.leave()
})
