import { afterAll, expect, test, vi } from 'vitest'
import { modules } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { connect as openPools } from '../../src/platform/database/connect.ts'
import { hasPgBouncer, openPgBouncer } from '../../src/platform/database/pgbouncer.test-kit.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { schedulesOf } from '../../src/platform/module.ts'
import { jwtSecret, sessionKey } from '../support/factories.ts'
import { cloneDatabase, run } from '../support/world.ts'
import { ask, connect, urlOf } from './postgres.ts'
import { cleanUp, endedWell, fetchServed, newDataDir, startService, stop, timeoutMs } from './service.ts'

afterAll(cleanUp)

/** A loaded machine may take longer than the timeout of `/readyz`. */
const readiness = (url: string) =>
  vi.waitFor(async () => {
    const response = await fetch(`${url}/readyz`)
    expect(response.status).toBe(200)
    return response.json()
  }, timeoutMs / 4)

const warning = 'DATABASE_URL leads through a connection pooler: set DIRECT_DATABASE_URL'

test('one process serves requests, another runs the jobs, behind PgBouncer where it is installed', {
  timeout: timeoutMs,
}, async () => {
  const database = await cloneDatabase()
  // This test needs no communes.
  await run(
    database.owner,
    "insert into first_loads (name) values ('communes'), ('former-names'), ('groups')",
  )
  const pooler = hasPgBouncer
    ? await openPgBouncer(database.service, { pool_mode: 'transaction' })
    : database.service
  const start = (env: Record<string, string>) =>
    startService({
      dataDir: newDataDir(),
      env: {
        ...{ AUTH_JWT_SECRET: jwtSecret, SESSION_KEY: sessionKey, PREPARED_STATEMENTS: 'off' },
        DATABASE_URL: urlOf(pooler, `${pooler.database}`),
        ...env,
      },
    })
  const open = () => connect(database.owner)
  const serving = start({ JOBS: 'off' })
  const url = await serving.ready
  expect(await readiness(url)).toMatchObject({ status: 'ready', jobs: 'off' })
  const communes = await fetchServed(`${url}/api/v1/communes`, { headers: { 'x-app-source': 'public' } })
  expect(communes.status).toBe(200)
  expect(serving.state.out.includes(warning)).toBe(hasPgBouncer)
  expect(await ask(open(), 'select count(*)::int as schedules from pgboss.schedule')).toEqual({
    schedules: 0,
  })

  const [schedule] = schedulesOf(modules, readConfig(modules, {}))
  if (schedule === undefined) throw new Error('there is no schedule')
  const { db, pools, close } = openPools(database.service, { warn: () => {} }, { timeoutMs: 30_000 })
  const jobs = createJobs({ db, pool: pools.jobs, log: { warn: () => {}, error: () => {} } })
  const id = await jobs.enqueue(db, schedule.job, schedule.payload)
  await jobs.stop()
  await close()

  const working = start({ JOBS: 'only', DIRECT_DATABASE_URL: urlOf(database.service, database.name) })
  const other = await working.ready
  expect(await readiness(other)).toMatchObject({ status: 'ready', jobs: 'only' })
  expect((await fetchServed(`${other}/api/v1/communes`)).status).toBe(404)
  expect(working.state.out).not.toContain(warning)
  await vi.waitFor(async () => {
    const row = await ask(open(), `select state::text from pgboss.job where id = '${id}'`)
    expect(row).toEqual({ state: 'completed' })
  }, timeoutMs / 2)
  expect(await ask(open(), 'select count(*) > 0 as scheduled from pgboss.schedule')).toEqual({
    scheduled: true,
  })
  expect(await Promise.all([serving, working].map((each) => stop(each)))).toEqual([endedWell, endedWell])
})
