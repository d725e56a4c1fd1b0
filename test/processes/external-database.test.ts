import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Connection } from '../../src/platform/database/connection.ts'
import { sessionKey } from '../support/factories.ts'
import { expectWholeDatabase } from './content.ts'
import { ask, connect, urlOf } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  newDataDir,
  type Service,
  startService,
  stop,
  timeoutMs,
} from './service.ts'

const timeout = timeoutMs

describe.skipIf(!process.env.DATABASE_URL)('with DATABASE_URL (skipped unless it is set)', () => {
  const { superuser, owner, service } = inject('server')
  const databases = [1, 2].map(() => `parvis_processes_${randomBytes(4).toString('hex')}`)
  const [shared = '', single = ''] = databases

  beforeAll(async () => {
    for (const name of databases) await ask(connect(superuser), `create database ${name} owner ${owner.user}`)
  })
  afterAll(async () => {
    await cleanUp()
    for (const name of databases)
      await ask(connect(superuser), `drop database if exists ${name} with (force)`)
  }, timeout)

  const startOn = (database: string, env: Record<string, string>): Service =>
    startService({
      dataDir: newDataDir(),
      env: {
        AUTH_JWT_SECRET: 'a secret for tests: long enough to be one',
        SESSION_KEY: sessionKey,
        DATABASE_URL: urlOf(service, database),
        MIGRATE_DATABASE_URL: urlOf(owner, database),
        ...env,
      },
    })

  test('of five instances started together on a fresh database one loads it, all respond and stop cleanly', {
    timeout,
  }, async () => {
    const services = [1, 2, 3, 4, 5].map(() => startOn(shared, {}))
    const urls = await Promise.all(services.map(({ ready }) => ready))
    const statuses = await Promise.all(urls.map(async (url) => (await fetchServed(`${url}/readyz`)).status))
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    const loads = services.filter(({ state }) => state.out.includes('The communes of France are loaded'))
    expect(loads.length).toBe(1)
    // Demo content is never loaded by default here.
    await expectWholeDatabase(enterAs(owner, shared), { demo: false })
    expect(await Promise.all(services.map((each) => stop(each)))).toEqual(services.map(() => endedWell))
    expect(services.map(({ state }) => state.err)).toEqual(['', '', '', '', ''])
  })

  test('the tables belong to the owner, and the service cannot alter them', { timeout }, async () => {
    const { owners } = await ask(
      connect({ ...superuser, database: shared }),
      `select array_agg(distinct tableowner::text) as owners from pg_tables where schemaname = 'public'`,
    )
    expect(owners).toEqual([owner.user])
    const asService = () => enterAs(service, shared)
    await ask(
      asService(),
      `insert into app_sources (code, label) values ('processes', 'Written by the service')`,
    )
    await expect(ask(asService(), 'create table mine ()')).rejects.toThrow('permission denied')
    await expect(ask(asService(), 'alter table communes add column mine int')).rejects.toThrow('owner')
    await expect(ask(asService(), 'delete from first_loads')).rejects.toThrow('permission denied')
  })

  test('with one role it starts with a warning; it loads demo content on request', { timeout }, async () => {
    const started = startOn(single, {
      DATABASE_URL: urlOf(owner, single),
      MIGRATE_DATABASE_URL: '',
      SEED: 'demo',
    })
    await started.ready
    expect(started.state.out).toContain('set MIGRATE_DATABASE_URL')
    await expectWholeDatabase(enterAs(owner, single), { demo: true })
    expect(await stop(started)).toEqual(endedWell)
  })

  test('reports a missing database in one sentence', { timeout }, async () => {
    const started = startOn('parvis_processes_nowhere', {})
    expect(await started.ended).toEqual({ status: 1, signal: null })
    expect(started.state.err).toMatch(
      /^The database that DATABASE_URL names cannot be used: [^\n]+ does not exist\.\n$/,
    )
  })
})

const enterAs = (role: Connection, database: string) => connect({ ...role, database })
