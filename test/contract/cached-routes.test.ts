import { expect, test } from 'vitest'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { statementsAbout } from '../support/statements.ts'
import { openWorld } from '../support/world.ts'

const shown = new Map<string, readonly string[]>()
const world = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    const path = url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')
    if (method === 'GET' && config?.shows) shown.set(`GET ${path}`, config.shows)
  },
})

/** Written only by triggers of named tables. */
const derived = ['publication_listings', 'listing_counts', 'publication_counts']

const read = /\b(?:from|join)\s+"?([a-z_]+)"?/g

test('a cached route names every table it reads, and each of them notifies of changes', async () => {
  const calls = Object.entries(await callsOfEachModule(await openStage(world)))
  const { rows } = await world.pool.query(
    "select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'tell_change'::regproc",
  )
  const telling = new Set(rows.map(({ name }) => name))
  const tables = await world.pool.query("select relname as name from pg_class where relkind = 'r'")
  const isTable = new Set(tables.rows.map(({ name }) => name))
  expect(shown.size).toBeGreaterThan(5)
  for (const [route, shows] of shown) {
    const staged = calls.filter(([name]) => name.split('?')[0] === route)
    expect(staged, route).not.toEqual([])
    for (const [, stage] of staged) {
      const { by, path } = await stage()
      const sent = await statementsAbout(/select/, () => by.client.get(path))
      const tables = sent.flatMap(({ sql }) => [...sql.matchAll(read)].map(([, name = '']) => name))
      const missing = new Set(tables).difference(new Set([...shows, 'app_sources', ...derived]))
      expect(
        [...missing].filter((name) => isTable.has(name)),
        route,
      ).toEqual([])
    }
    expect(
      shows.filter((table) => !telling.has(table)),
      route,
    ).toEqual([])
  }
  expect(telling).toContain('app_sources')
})
