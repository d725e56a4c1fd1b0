import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { readSecret } from '../../src/embedded-postgres/files/secrets.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import { sessionKey } from '../support/factories.ts'
import { cloneDatabase } from '../support/world.ts'
import { filledDataDir } from './filled.ts'
import { ask, connect, urlOf } from './postgres.ts'
import { cleanUp, makeFolder, newDataDir, startService, stop, timeoutMs, until } from './service.ts'

afterAll(cleanUp, timeoutMs)

/** Returns all strings that a running service can still reach. */
async function readMemory(dataDir: string, env: Record<string, string>): Promise<Buffer> {
  const folder = makeFolder()
  const nodeArguments = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`]
  const service = startService({ dataDir, env: { SEED: 'none', ...env }, nodeArguments })
  const url = await service.ready
  service.child.kill('SIGUSR2')
  await until(() => readdirSync(folder).length > 0, service)
  // It does not respond until the file is complete.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await stop(service)
  return readFileSync(join(folder, readdirSync(folder)[0] ?? ''))
}

test('once migrated, the service has no password of the owner or the superuser in memory', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = await filledDataDir()
  const memory = await readMemory(dataDir, {})
  const { owner, superuser, service } = clusterNames.roles
  const isKnown = (role: string) => memory.includes(readSecret(dataDir, role) ?? 'it has no password')
  expect({ service: isKnown(service), owner: isKnown(owner), superuser: isKnown(superuser) }).toEqual({
    service: true,
    owner: false,
    superuser: false,
  })
})

test('after migrating it has no MIGRATE_DATABASE_URL in memory', { timeout: timeoutMs }, async () => {
  const { name } = await cloneDatabase()
  const { owner, service } = inject('server')
  await ask(connect({ ...owner, database: name }), "insert into first_loads values ('communes')")
  const memory = await readMemory(newDataDir(), {
    DATABASE_URL: urlOf(service, name),
    MIGRATE_DATABASE_URL: urlOf(owner, name),
    AUTH_JWT_SECRET: 'a secret for tests: long enough to be one',
    SESSION_KEY: sessionKey,
  })
  expect([memory.includes(`${service.password}`), memory.includes(`${owner.password}`)]).toEqual([
    true,
    false,
  ])
})
