import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filledDataDir } from './filled.ts'
import { enter, postgresPids } from './postgres.ts'
import { signal } from './processes.ts'
import { cleanUp, endedWell, type Service, startService, stop, timeoutMs, until } from './service.ts'

const dataDir = await filledDataDir()
let service: Service
let url: string

beforeAll(async () => {
  service = startService({ dataDir, env: { SEED: 'none' } })
  url = await service.ready
}, timeoutMs)
afterAll(cleanUp, timeoutMs)

test('an unresponsive PostgreSQL for six seconds ends no process, and the service recovers', {
  timeout: timeoutMs,
}, async () => {
  const status = (path: string) => fetch(`${url}${path}`).then((answer) => answer.status)
  const pids = postgresPids(dataDir)
  for (const pid of pids) signal(pid, 'SIGSTOP')
  // Workers look for jobs each second, on connections that were there before and on new ones.
  const over = sleep(6_000)
  expect(await until(async () => (await status('/readyz')) === 503, service)).toBe(true)
  await over
  for (const pid of pids) signal(pid, 'SIGCONT')
  expect(await until(async () => (await status('/readyz')) === 200, service)).toBe(true)
  expect(service.state.ending).toBeNull()
  expect(service.state.out).toContain('the database does not respond')
  expect(service.state.out).not.toContain('was not handled')
})

test('/readyz returns 503 while writes wait for a missing synchronous standby, and 200 once it is not required', {
  timeout: timeoutMs,
}, async () => {
  const becomes = (status: number) =>
    until(async () => (await fetch(`${url}/readyz`)).status === status, service)
  await becomes(200)
  const client = await enter(dataDir, 'superuser')
  await client.query("alter system set synchronous_standby_names = 'gone'")
  await client.query('select pg_reload_conf()')
  await becomes(503)
  await until(() => service.state.out.includes('writes wait for a synchronous standby that is gone'), service)
  // PostgreSQL reports a commit whose wait is cancelled as successful, but a failover would lose it.
  const writing = fetch(`${url}/api/v1/support/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-source': 'public' },
    body: JSON.stringify({ subject: 'Horaires', body: 'Bonjour', email: 'ada@example.org', nom: 'Ada' }),
  })
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
  expect(await until(async () => ((await client.query(cancel)).rowCount ?? 0) > 0, service)).toBe(true)
  expect((await writing).status).toBe(503)
  await client.query('alter system reset synchronous_standby_names')
  await client.query('select pg_reload_conf()')
  await becomes(200)
  await client.end()
  expect(await stop(service)).toEqual(endedWell)
})
