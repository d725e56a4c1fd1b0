import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { allowPrivate, importsKit, openFeedServer, rss } from './imports.test-kit.ts'

const world = await openWorld({ env: allowPrivate })
const { admin, source, run, dryRun } = await importsKit(world)
const { serve, url } = await openFeedServer()
const { db, acteur, commune } = world
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const library = await acteur({ commune_id: (await commune()).id, valide: true })
const published = { acteur_id: library.id, moderation_status: 'published' }

const unsaved = (values: object = {}) => ({ nom: 'Essai', type: 'rss', url: `${url}/tried`, ...values })
const attempt = (values: object = {}) => admin.post('/admin/import-sources/dry-run', unsaved(values))
const item = (guid: string, more: object = {}) => ({
  guid,
  title: `Titre ${guid}`,
  description: `Texte ${guid}`,
  ...more,
})

test('POST /admin/import-sources/dry-run reports what a saved source then does, and stores nothing', async () => {
  await run(await source(rss(item('other', { title: 'Marché', description: 'Samedi' })), published))
  const feed = rss(
    item('1'),
    item('2', { title: 'Marché', description: 'Samedi' }),
    item('3', { description: 'x'.repeat(20_001) }),
  )
  const before = await db.selectFrom('audit_log').select('id').execute()
  serve('/tried', { body: feed })
  const { body } = await attempt(published)
  expect(body.data).toMatchObject({
    ...{ dry_run: true, status: 'partial', error: null },
    ...{ fetched: 3, created: 1, duplicates: 1, rejected: 1, unchanged: 0, updated: 0, held: 0 },
    items: [{ action: 'created' }, { action: 'duplicate' }, { action: 'rejected' }],
  })
  expect(await db.selectFrom('audit_log').select('id').execute()).toHaveLength(before.length)
  expect(await db.selectFrom('import_sources').select('id').execute()).toHaveLength(1)
  expect(await db.selectFrom('import_runs').select('id').execute()).toHaveLength(1)

  const saved = await source({ body: feed }, published)
  const { id, source_id, held_decision, held_decided_at, started_at, finished_at, ...tried } =
    await dryRun(saved)
  expect(body.data).toMatchObject(tried)
})

test('reports a source that cannot be read as failed, with the reason', async () => {
  serve('/tried', { body: 'Bonjour' })
  expect(
    (await attempt({ type: 'json', mapping: { external_id: 'a', title: 'b', body: 'c' } })).body.data,
  ).toMatchObject({
    status: 'failed',
    error: 'It cannot be read as JSON.',
    items: [],
  })
  serve('/tried', { body: '', status: 500 })
  expect((await attempt()).body.data).toMatchObject({ status: 'failed', error: 'The server answered 500.' })
})

test('refuses the settings that a creation refuses, with the same errors', async () => {
  serve('/tried', { body: rss(item('1')) })
  for (const values of [
    { url: 'demo:agenda.xml' },
    { url: 'https://u:p@a.example/' },
    { type: 'csv' },
    { mapping: { external_id: 'a', title: 'b', body: 'c' } },
    { cron: 'often' },
    { acteur_id: unknown },
    { commune_id: unknown },
    { type_id: unknown },
    { nom: ' ' },
    { more: 1 },
  ]) {
    const tried = await attempt(values)
    const created = await admin.post('/admin/import-sources', unsaved(values))
    expect(tried).toBeError(422, 'validation_failed')
    expect(tried.body.error.details).toEqual(created.body.error.details)
  }
})

test('shows at most a thousand items and counts all', async () => {
  serve('/tried', { body: rss(...Array.from({ length: 1_050 }, (_, n) => item(String(n)))) })
  const { body } = await attempt(published)
  expect(body.data).toMatchObject({ fetched: 1_050, created: 1_050 })
  expect(body.data.items).toHaveLength(1_000)
})

test('reaches no private address', async () => {
  const guarded = await (await openWorld({ database: world.database })).as('admin')
  const { body } = await guarded.post('/admin/import-sources/dry-run', unsaved())
  expect(body.data).toMatchObject({ status: 'failed', error: expect.stringMatching(/private or reserved/) })
})

test('a dry run says so when many items have one address', async () => {
  const link = 'https://m.example/agenda'
  const items = Array.from({ length: 25 }, (_, n) => item(`shared-${n}`, { link }))
  for (const [feed, shared_address] of [
    [rss(...items, item('own', { link: 'https://m.example/own' })), { url: link, items: 25 }],
    [rss(...items.slice(0, 10)), null],
  ] as const) {
    serve('/tried', { body: feed })
    expect((await attempt(published)).body.data).toMatchObject({ error: null, shared_address })
    const saved = await source(feed, published)
    expect(await dryRun(saved)).toMatchObject({ error: null, shared_address })
  }
})
