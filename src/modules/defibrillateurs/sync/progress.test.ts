import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { ownConnections } from '../../../platform/database/connections/own-connection.ts'
import { listen } from '../../events/events.test-kit.ts'
import { insertDefibrillateur } from '../defibrillateurs.test-kit.ts'
import { runSync } from './jobs.ts'
import { csv, device, openRegistry } from './registry.test-kit.ts'

const registry = await openRegistry()
afterAll(registry.close)
const world = await openWorld({ env: { GEODAE_CSV_URL: registry.csvUrl, GEODAE_API_URL: registry.apiUrl } })
const { db, config, as, user, database } = world
const deps = { db, config, onOwnConnection: ownConnections(database.service) }
const admin = await as('admin')
const many = (count: number) => Array.from({ length: count }, (_, n) => device(n + 1))

const request = async () => (await admin.post('/admin/defibrillateurs-france/sync')).body.data.id as string
const run = (id: string) => runSync(deps, id, { signal: new AbortController().signal })
const latest = async () => (await admin.get('/admin/defibrillateurs-france/syncs')).body.data[0]

test('a running sync shows what it has read and what to expect, and live events tell of it until its end', async () => {
  registry.has(many(40))
  await run(await request())
  expect(await latest()).toMatchObject({ status: 'succeeded', progress: null, failure: null })

  const { token } = await user({ roles: ['admin'] })
  const live = await listen(world, { authorization: `Bearer ${token}` })
  await live.until('it is open', () => live.lastId() !== '')
  const times = () => live.topics().filter((topic) => topic === 'defibrillateurs').length
  const text = csv(many(8_000))
  const { promise: isShown, resolve: go } = Promise.withResolvers<void>()
  registry.says(async (response) => {
    response.setHeader('content-type', 'text/csv').write(text.slice(0, text.length / 2))
    await isShown
    response.end(text.slice(text.length / 2))
  })
  const id = await request()
  await live.until('it hears of the request', () => times() >= 1)
  const running = run(id)
  await expect.poll(async () => (await latest()).progress?.read ?? 0).toBeGreaterThan(500)
  const { status, progress } = await latest()
  expect(status).toBe('running')
  expect(progress.expected).toBe(40)
  expect(progress.read).toBeLessThan(8_000)
  const heard = times()
  await live.until('it hears of the progress', () => times() > heard || heard > 1)
  const before = times()
  go()
  await running
  expect(await latest()).toMatchObject({ status: 'succeeded', progress: null, counts: { read: 8_000 } })
  await live.until('it hears of the end', () => times() > before)
  await live.leave()
})

test('a sync refused for its fall names how many it would remove, some of them, and nothing else', async () => {
  await db.deleteFrom('defibrillateurs').execute()
  for (let n = 1; n <= 30; n++)
    await insertDefibrillateur(db, { gid: `${n}`, nom: `Salle ${100 + n}`, commune_nom: 'Aval' })
  await insertDefibrillateur(db, { gid: 'gone', nom: 'Absente', absent_depuis: new Date() })
  registry.has([...many(10), device(900)])
  await run(await request())
  const { status, failure, error } = await latest()
  expect(status).toBe('failed')
  expect(error).toContain('If this is correct, retry with')
  expect(failure).toMatchObject({ code: 'fall', received: 11, present: 30, missing: 20 })
  expect(failure.examples).toHaveLength(10)
  expect(failure.examples[0]).toEqual({ gid: '11', nom: 'Salle 111', commune_nom: 'Aval' })
})

test.each([
  ['unreachable', 'the registry fails', () => registry.says((response) => response.writeHead(500).end())],
  [
    'content',
    'it answers a web page',
    () => registry.says((response) => response.end('<!doctype html><p>x</p>')),
  ],
  ['content', 'it has no device', () => registry.has([])],
] as const)('a failed sync says %s when %s', async (code, _when, stage) => {
  stage()
  await run(await request())
  expect((await latest()).failure).toEqual({ code })
})

test('the error of the latest sync is in French for who prefers it', async () => {
  const shown = async (language: string) =>
    (await admin.get('/admin/defibrillateurs-france', { headers: { 'accept-language': language } })).body.meta
      .sync_error
  registry.says((response) => response.writeHead(503).end())
  await run(await request())
  expect(await shown('en')).toBe('The registry answered 503.')
  expect(await shown('fr')).toBe(
    'Le registre n’a pas répondu comme il faut. Détail technique : The registry answered 503.',
  )
  await insertDefibrillateur(db, { gid: 'a' })
  await insertDefibrillateur(db, { gid: 'b' })
  registry.has([device(1)])
  await db
    .updateTable('defibrillateurs')
    .set({ absent_depuis: new Date() })
    .where('gid', 'not in', ['a', 'b'])
    .execute()
  await run(await request())
  expect(await shown('fr')).toBe(
    'Le registre n’a plus ou ne retient plus que 0 des 2 défibrillateurs. Si c’est bien le cas, relancez avec accept_fall=true.',
  )
  await db.deleteFrom('defibrillateur_syncs').execute()
  expect(await shown('fr')).toBeNull()
})

test('a sync that lost its worker says interrupted', async () => {
  const id = await request()
  await db
    .updateTable('defibrillateur_syncs')
    .set({ status: 'running', started_at: new Date(Date.now() - 4 * 3_600_000) })
    .where('id', '=', id)
    .execute()
  await request()
  const { body } = await admin.get('/admin/defibrillateurs-france/syncs')
  expect(body.data[1]).toMatchObject({ id, status: 'failed', failure: { code: 'interrupted' } })
})
