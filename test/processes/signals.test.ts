import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectWhole } from './content.ts'
import { holdRequest, untilFirstLoad, untilInitdb } from './moments.ts'
import { postgresPids } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  newDataDir,
  patienceMs,
  type Service,
  signalGroup,
  startService,
  stop,
  until,
} from './service.ts'

const dataDir = newDataDir()
const env = { SEED: 'none' }

beforeAll(async () => {
  const service = startService({ dataDir, env })
  await service.ready
  await stop(service)
}, patienceMs)
afterAll(cleanUp, patienceMs)

test.each([
  ['npm', 'SIGTERM'],
  ['npm', 'SIGINT'],
  ['node', 'SIGTERM'],
  ['node', 'SIGINT'],
] as const)(
  '%s told to stop by %s answers the request in flight, is not ready meanwhile, and ends with 0',
  {
    timeout: patienceMs,
  },
  async (by, signal) => {
    const service = startService({ dataDir, by, env })
    const { answer, release } = await holdRequest(service)
    const toldAt = performance.now()
    service.child.kill(signal)
    await untilNotReady(service)
    await release()
    const { status, headers } = await answer
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(await service.ended).toEqual(endedWell)
    expect(performance.now() - toldAt).toBeLessThan(10_000)
    expect(postgresPids(dataDir)).toEqual([])
    expect(service.state.err).toBe('')
  },
)

test('a request that PostgreSQL does not answer in time does not hold the end beyond 10 seconds', {
  timeout: patienceMs,
}, async () => {
  const service = startService({ dataDir, env })
  const { answer } = await holdRequest(service)
  const toldAt = performance.now()
  expect(await stop(service)).toEqual(endedWell)
  expect(performance.now() - toldAt).toBeLessThan(10_000)
  expect(postgresPids(dataDir)).toEqual([])
  expect((await answer.catch(() => ({ status: 503 }))).status).toBe(503)
})

test.each(['npm', 'node'] as const)(
  'Ctrl-C in front of %s, which reaches the service twice at once, counts as one signal',
  { timeout: patienceMs },
  async (by) => {
    const service = startService({ dataDir, by, env })
    const { answer, release } = await holdRequest(service)
    signalGroup(service.child, 'SIGINT')
    signalGroup(service.child, 'SIGINT')
    await untilNotReady(service)
    await release()
    expect((await answer).status).toBe(200)
    expect(await service.ended).toEqual(endedWell)
    expect(postgresPids(dataDir)).toEqual([])
  },
)

test('a second signal a second later ends it at once, and the next start is whole', {
  timeout: patienceMs,
}, async () => {
  const service = startService({ dataDir, env })
  const { answer } = await holdRequest(service)
  service.child.kill('SIGINT')
  await untilNotReady(service)
  await sleep(1_100)
  expect(service.state.ending).toBe(null)
  const toldAt = performance.now()
  expect(await stop(service, 'SIGINT')).toEqual({ status: 1, signal: null })
  expect(performance.now() - toldAt).toBeLessThan(2_000)
  await expect(answer).rejects.toThrow()

  const next = startService({ dataDir, env })
  await expectWhole(next, { demo: false })
  expect(await stop(next)).toEqual(endedWell)
  expect(postgresPids(dataDir)).toEqual([])
})

test('a signal during the start ends it cleanly at any step, and the next start is whole', {
  timeout: 2 * patienceMs,
}, async () => {
  const fresh = newDataDir()
  const steps = [
    { reach: () => sleep(Math.random() * 300), signal: 'SIGTERM' },
    { reach: untilInitdb, signal: 'SIGINT' },
    { reach: untilFirstLoad, signal: 'SIGTERM' },
  ] as const
  for (const [index, { reach, signal }] of steps.entries()) {
    const service = startService({ dataDir: fresh, env })
    await reach(service)
    const ending = await stop(service, signal)
    // Before its first line runs, the signal itself ends it: nothing has been begun.
    const isUntouched = service.state.out === '' && ending.signal === signal
    expect(isUntouched ? endedWell : ending, `step ${index + 1}: ${service.state.err}`).toEqual(endedWell)
    expect(service.state.err).toBe('')
    expect(postgresPids(fresh)).toEqual([])
  }
  const service = startService({ dataDir: fresh, env })
  await expectWhole(service, { demo: false })
  expect(await stop(service)).toEqual(endedWell)
})

/** Told to stop, it says so as long as a request is in flight: never is the connection refused. */
async function untilNotReady(service: Service): Promise<void> {
  const url = await service.ready
  await until(async () => {
    const { status, headers } = await fetch(`${url}/readyz`)
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    return status === 503
  }, service)
}
