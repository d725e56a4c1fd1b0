// Not on another PostgreSQL, because other files run its statements too.
import { expect, test } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld({ keeps: true })
const { get, url, changes, commune, acteur } = world

const ofOneResponse = new Set(['x-request-id', 'date', 'connection', 'keep-alive'])

test('each direct route has the headers that Fastify gives, and the same length and ETag', async () => {
  const communes = [await commune(), await commune()]
  const acteurs = [await acteur({ valide: true }), await acteur({ valide: true })]
  const publications = [await insertPublication(world), await insertPublication(world)]
  await changes?.arrived()
  const paths = [
    ...communes.flatMap(({ id, slug }) => [
      `/communes/${slug}`,
      `/communes/${id}/elus`,
      `/communes/${id}/infos`,
    ]),
    ...acteurs.map(({ id }) => `/acteurs/${id}`),
    ...publications.map(({ id }) => `/publications/${id}`),
    ...['/publications/types', '/grounds'],
  ]
  for (const path of paths) {
    const { status, headers } = await get(path)
    expect([path, status]).toEqual([path, 200])
    const byFastify = await fetch(`${url}/api/v1${path}`, {
      method: 'HEAD',
      headers: { 'x-app-source': 'public' },
    })
    const own = (all: Headers) => [...all].filter(([name]) => !ofOneResponse.has(name))
    expect(own(headers)).toEqual(own(byFastify.headers))
  }
})
