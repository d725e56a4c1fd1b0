import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filledDataDir } from './filled.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  killService,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

const dataDir = await filledDataDir()
const env = { SEED: 'none', BACKOFFICE: 'on' }
const builds = () => {
  const folder = join(dataDir, 'web')
  return readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs])
}

afterAll(cleanUp, timeoutMs)

test('the application is built beside the service, also after kill -9 during the build, and only once', {
  timeout: 2 * timeoutMs,
}, async () => {
  const killed = startService({ dataDir, env })
  const early = await fetch(`${await killed.ready}/backoffice/`, { headers: { 'accept-language': 'fr' } })
  expect(early.status).toBe(503)
  expect(await early.text()).toContain('Le back-office se prépare')
  await killService(killed)

  const service = startService({ dataDir, env })
  const url = await service.ready
  // The API answers while it is built.
  const headers = { 'x-app-source': 'public' }
  const communes = await fetchServed(`${url}/api/v1/communes?q=chambery`, { headers })
  expect(communes.status).toBe(200)
  const page = await until(async () => {
    const response = await fetch(`${url}/backoffice/`)
    return response.status === 200 && response.text()
  }, service)
  const [, script = ''] = /src="(\/backoffice\/assets\/[^"]+\.js)"/.exec(page || '') ?? []
  const asset = await fetchServed(`${url}${script}`)
  expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(await stop(service)).toEqual(endedWell)

  const before = builds().filter(([name]) => !String(name).startsWith('.'))
  expect(before).toHaveLength(1)
  const again = startService({ dataDir, env })
  const nextUrl = await again.ready
  await until(async () => (await fetch(`${nextUrl}${script}`)).status === 200, again)
  expect(builds().filter(([name]) => !String(name).startsWith('.'))).toEqual(before)
  expect(await stop(again)).toEqual(endedWell)
})
