import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { filledDataDir } from './filled.ts'
import { homeOf } from './postgres.ts'
import { cleanUp, fetchServed, startService, stop, timeoutMs, until } from './service.ts'

afterAll(cleanUp, timeoutMs)

test('while its data folder is removed, the service answers 503, never 500', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = await filledDataDir()
  const service = startService({ dataDir, env: { SEED: 'none' } })
  const url = await service.ready
  const paths = [
    '/readyz',
    '/communes/lons-le-saunier',
    '/recherche?q=lons',
    '/api/v1/communes',
    '/api/v1/publications',
  ]
  const callAll = (by: typeof fetchServed) =>
    Promise.all(paths.map((path) => by(`${url}${path}`, { headers: { 'x-app-source': 'public' } })))
  const served = await callAll(fetchServed)
  expect(served.map(({ status }) => status)).toEqual(paths.map(() => 200))
  rmSync(homeOf(dataDir), { recursive: true })
  const seen = new Set<number>()
  await until(async () => {
    const statuses = (await callAll(fetch)).map(({ status }) => status)
    for (const status of statuses) seen.add(status)
    return statuses[0] === 503
  }, service)
  expect(seen.difference(new Set([200, 503]))).toEqual(new Set())
  await stop(service)
})
