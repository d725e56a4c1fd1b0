// Not on another PostgreSQL, because other files run its statements too.
import { expect, test } from 'vitest'
import { tablesOfSources } from '../../src/platform/access/app-sources.ts'
import { tablesShown } from '../../src/platform/http/cache/lookup.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { statementsAbout } from '../support/statements.ts'
import { openWorld } from '../support/world.ts'

const shown = new Map<string, readonly string[]>()
const uncached: string[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    const path = url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')
    if (method !== 'GET') return
    const tables = tablesShown(config)
    if (tables !== null) shown.set(`GET ${path}`, tables)
    else if (config?.caching) uncached.push(`GET ${path}`)
  },
})

/** Written only by triggers of named tables, or notified of under the name of another one. */
const derived = [
  ...['publication_listings', 'listing_refreshes', 'publication_changes', 'alerte_changes'],
  ...['acteur_former_slugs', 'commune_former_slugs', 'group_former_slugs', 'publication_former_slugs'],
]
const notifiedAs = ['publication_communes', 'media', 'media_documents']

const read = /\b(?:from|join)\s+"?([a-z_]+)"?/g

const stage = await openStage(world)
const calls = Object.entries(await callsOfEachModule(stage))
const namesOf = async (text: string) =>
  new Set((await world.pool.query<{ name: string }>(text)).rows.map(({ name }) => name))
const telling = await namesOf(
  `select distinct tgrelid::regclass::text as name from pg_trigger
   where tgfoid in ('notify_change'::regproc, 'maintain_publications'::regproc)`,
)
const isTable = await namesOf("select relname as name from pg_class where relkind = 'r'")

/** Returns the tables that each staged call of a route reads. */
async function tablesOf(route: string): Promise<Set<string>[]> {
  const staged = calls.filter(([name]) => name.split('?')[0] === route)
  expect(staged, route).not.toEqual([])
  const found: Set<string>[] = []
  for (const [, stage] of staged) {
    const { by, path } = await stage()
    const sent = await statementsAbout(/select/, () => by.client.get(path))
    const names = sent.flatMap(({ sql }) => [...sql.matchAll(read)].map(([, name = '']) => name))
    found.push(new Set(names.filter((name) => isTable.has(name))))
  }
  return found
}

test('a cached route names every table it reads, and each of them notifies of changes', async () => {
  expect(shown.size).toBeGreaterThan(5)
  for (const [route, shows] of shown) {
    for (const tables of await tablesOf(route))
      expect(
        [...tables.difference(new Set([...shows, ...tablesOfSources, ...derived, ...notifiedAs]))],
        route,
      ).toEqual([])
    expect(
      shows.filter((table) => !telling.has(table)),
      route,
    ).toEqual([])
  }
  for (const table of tablesOfSources) expect(telling).toContain(table)
})

test('every table that an uncached public route reads notifies of changes, so that replicas can wait for them', async () => {
  expect(uncached.length).toBeGreaterThan(3)
  for (const route of uncached)
    for (const tables of await tablesOf(route))
      expect([...tables.difference(telling).difference(new Set(derived))], route).toEqual([])
})
