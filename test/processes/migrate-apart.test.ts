import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Connection } from '../../src/platform/database/connection.ts'
import { sessionKey } from '../support/factories.ts'
import { loadFewCommunes } from './content.ts'
import { ask, connect, urlOf } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  newDataDir,
  ownCheckout,
  startService,
  stop,
  systemPath,
  timeoutMs,
  until,
} from './service.ts'

const { superuser, owner, service } = inject('server')
const database = `parvis_apart_${randomBytes(4).toString('hex')}`
const asRole = (role: Connection) => urlOf(role, database)

beforeAll(() => ask(connect(superuser), `create database ${database} owner ${owner.user}`))
afterAll(async () => {
  await cleanUp()
  await ask(connect(superuser), `drop database if exists ${database} with (force)`)
}, timeoutMs)

const startAlone = () =>
  startService({
    dataDir: newDataDir(),
    env: {
      DATABASE_URL: asRole(service),
      AUTH_JWT_SECRET: 'a secret for tests: long enough to be one',
      SESSION_KEY: sessionKey,
    },
  })

/** As in a deployment job: with the owner and without the service's secrets. */
function startMigration() {
  const child = spawn('npm', ['run', '-s', 'migrate'], {
    cwd: ownCheckout,
    env: {
      PATH: systemPath,
      HOME: newDataDir(),
      DATABASE_URL: asRole(service),
      MIGRATE_DATABASE_URL: asRole(owner),
      npm_config_update_notifier: 'false',
      ...loadFewCommunes(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Promise.all([once(child, 'close'), text(child.stdout)])
}

test('without the owner role the service exits with one sentence if the database is not migrated', {
  timeout: timeoutMs,
}, async () => {
  const early = startAlone()
  expect(await early.ended).toEqual({ status: 1, signal: null })
  expect(early.state.err).toMatch(
    /^The database that DATABASE_URL names is not ready, since [^\n]+: run "npm run migrate" with MIGRATE_DATABASE_URL, [^\n]+\.\n$/,
  )
})

test('it waits while the migration runs, then serves without the owner', {
  timeout: 2 * timeoutMs,
}, async () => {
  // The migration waits for the transaction that creates a table with this name.
  const [other, onlooker] = [await connect({ ...owner, database }), await connect({ ...owner, database })]
  await other.query('begin; create table app_sources ()')
  const migrating = startMigration()
  await until(async () => (await onlooker.query(isHeldUp)).rowCount)
  await onlooker.end()
  const alone = startAlone()
  await until(() => alone.state.out.includes('is migrating the database: waiting'), alone)
  await other.query('rollback')
  await other.end()
  const url = await alone.ready
  const [[status], said] = await migrating
  expect([status, said]).toEqual([0, expect.stringContaining('The communes of France are loaded.')])
  const headers = { 'x-app-source': 'public' }
  await until(async () => (await fetch(`${url}/api/v1/communes/chambery`, { headers })).status === 200, alone)
  expect(alone.state.out).not.toContain('MIGRATE_DATABASE_URL')
  expect(await stop(alone)).toEqual(endedWell)
  expect(alone.state.err).toBe('')
})

const isHeldUp = `
  select from pg_stat_activity
  where datname = current_database() and application_name = 'parvis-migrate' and wait_event_type = 'Lock'`
