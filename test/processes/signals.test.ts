import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { expectWhole, loadFewCommunes } from './content.ts'
import {
  callCommunes,
  holdBody,
  holdRequest,
  untilFirstLoad,
  untilInitdb,
  untilPostgresEnds,
} from './moments.ts'
import { postgresPids } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import {
  cleanUp,
  endedWell,
  newDataDir,
  onTerminal,
  type Service,
  signalGroup,
  slowdown,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

const dataDir = newDataDir()
const env = { SEED: 'none' }
/** After the first test. */
const content = { demo: false, few: true }

afterAll(cleanUp, timeoutMs)

test(`a signal during the start ends it cleanly at any step, and the next start is complete ${replay}`, {
  timeout: 2 * timeoutMs,
}, async () => {
  const steps = [
    { reach: () => sleep(randomFrom(seed)() * 300), signal: 'SIGTERM' },
    { reach: untilInitdb, signal: 'SIGINT' },
    { reach: untilFirstLoad, signal: 'SIGTERM' },
  ] as const
  for (const [index, { reach, signal }] of steps.entries()) {
    const service = startService({ dataDir, env })
    await reach(service)
    const ending = await stop(service, signal)
    // Before its first line runs, the signal itself ends it and nothing has begun.
    const isUntouched = service.state.out === '' && ending.signal === signal
    expect(isUntouched ? endedWell : ending, `step ${index + 1}: ${service.state.err}`).toEqual(endedWell)
    expect(service.state.err).toBe('')
    await untilPostgresEnds(dataDir)
  }
  // Whatever the interrupted load has left, this one begins anew: few communes show that too.
  const service = startService({ dataDir, env: { ...env, ...loadFewCommunes() } })
  await expectWhole(service, content)
  expect(await stop(service)).toEqual(endedWell)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npm stopped by %s completes the request in flight, is not ready meanwhile, and exits with 0',
  {
    timeout: timeoutMs,
  },
  async (signal) => {
    const service = startService({ dataDir, by: 'npm', env })
    const { answer, release } = await holdBody(service)
    const notifiedAt = performance.now()
    service.child.kill(signal)
    await untilNotReady(service)
    release()
    expect(await answer, service.state.out).toEqual({ status: 422, type: 'application/json; charset=utf-8' })
    expect(await service.ended).toEqual(endedWell)
    expect(performance.now() - notifiedAt).toBeLessThan(10_000 * slowdown())
    await untilPostgresEnds(dataDir)
    expect(service.state.err).toBe('')
  },
)

test('a request that PostgreSQL does not answer in time delays the exit by 10 seconds at most', {
  timeout: timeoutMs,
}, async () => {
  const service = startService({ dataDir, env })
  const { answer } = await holdRequest(service)
  const notifiedAt = performance.now()
  expect(await stop(service)).toEqual(endedWell)
  expect(performance.now() - notifiedAt).toBeLessThan(10_000 * slowdown())
  await untilPostgresEnds(dataDir)
  expect((await answer.catch(() => ({ status: 503 }))).status).toBe(503)
})

test.each([
  ['npm', {}],
  [
    'node at a terminal, where it does not wait for a load balancer',
    { ...onTerminal, SHUTDOWN_DELAY: '300' },
  ],
] as const)(
  'Ctrl-C on %s, which reaches the service twice, counts as one signal',
  { timeout: timeoutMs },
  async (on, settings) => {
    const by = on === 'npm' ? 'npm' : 'node'
    const service = startService({ dataDir, by, env: { ...env, ...settings } })
    const { answer, release } = await holdBody(service)
    signalGroup(service.child, 'SIGINT')
    signalGroup(service.child, 'SIGINT')
    await untilNotReady(service)
    release()
    expect((await answer).status).toBe(422)
    expect(await service.ended).toEqual(endedWell)
    await untilPostgresEnds(dataDir)
    if (by === 'node')
      expect(service.state.out).toMatch(
        /^\d\d:\d\d:\d\d info {2}Parvis has stopped \d+ ms signal=SIGINT exit_code=0$/m,
      )
  },
)

test('closing its terminal stops the service and its PostgreSQL, without output and without the delay', {
  timeout: timeoutMs,
}, async () => {
  const service = startService({ dataDir, env: { ...env, ...onTerminal, SHUTDOWN_DELAY: '300' } })
  await service.ready
  // Later writes fail, as on a closed terminal.
  service.child.stdout.destroy()
  service.child.stderr.destroy()
  signalGroup(service.child, 'SIGHUP')
  signalGroup(service.child, 'SIGHUP')
  expect(await service.ended).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
})

test('under nohup, it survives that its terminal is closed', { timeout: timeoutMs }, async () => {
  const service = startService({ dataDir, env, node: 'nohup', nodeArguments: [process.execPath] })
  const url = await service.ready
  signalGroup(service.child, 'SIGHUP')
  // The line is written by the process that received the signal.
  await until(() => service.state.out.includes('"signal":"SIGHUP"'), service)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await stop(service)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
})

test('after the stop signal it serves for SHUTDOWN_DELAY, then answers 503 until its PostgreSQL has ended, and completes the request in flight', {
  timeout: timeoutMs,
}, async () => {
  // Long enough for a slow machine to answer a few requests meanwhile.
  const delaySeconds = 5
  const service = startService({ dataDir, env: { ...env, SHUTDOWN_DELAY: `${delaySeconds}` } })
  const url = await service.ready
  const { answer, release } = await holdBody(service)
  const notifiedAt = performance.now()
  service.child.kill('SIGTERM')
  await untilNotReady(service)
  const answers: Response[] = []
  const collect = async () => {
    answers.push(await callCommunes(url))
    // Often enough to observe the end, without a storm.
    await sleep(20)
  }
  while (answers.at(-1)?.status !== 503) await collect()
  expect(performance.now() - notifiedAt).toBeGreaterThan(1_000 * delaySeconds)
  const served = answers.filter(({ status }) => status === 200)
  expect(served.length).toBeGreaterThan(2)
  release()
  expect(await answer).toEqual({ status: 422, type: 'application/json; charset=utf-8' })
  for (let isAway = false; !isAway; )
    await collect().catch(() => {
      isAway = true
    })
  expect(postgresPids(dataDir)).toEqual([])
  for (const { headers } of answers) expect(headers.get('connection')).toBe('close')
  expect(await service.ended).toEqual(endedWell)
  const lines = service.state.out.split('\n').filter((line) => line.startsWith('{"level"'))
  expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg?.startsWith('Parvis'))).toEqual([
    expect.objectContaining({
      msg: 'Parvis is ready',
      url,
      ms: expect.any(Number),
      node: expect.any(String),
    }),
    expect.objectContaining({ msg: 'Parvis stops', signal: 'SIGTERM' }),
    expect.objectContaining({
      msg: 'Parvis has stopped',
      signal: 'SIGTERM',
      ms: expect.any(Number),
      exit_code: 0,
    }),
  ])
})

test('a second signal a second later ends it immediately, and the next start is complete', {
  timeout: 2 * timeoutMs,
}, async () => {
  const signalTwice = async () => {
    const service = startService({ dataDir, env })
    const { answer } = await holdBody(service)
    const heldAt = performance.now()
    service.child.kill('SIGINT')
    await untilNotReady(service).catch(() => {})
    await sleep(1_100)
    const heldMs = performance.now() - heldAt
    return { ending: await stop(service, 'SIGINT'), answer, heldMs }
  }
  let told = await signalTwice()
  // The request is held for 5 seconds, which then ends the service: a slow machine may miss the second signal.
  for (let tries = 1; tries < 5 && told.heldMs > 3_500; tries++) told = await signalTwice()
  expect(told.ending).toEqual({ status: 1, signal: null })
  // It ends at once: the request is not awaited.
  await expect(told.answer).rejects.toThrow()

  const next = startService({ dataDir, env })
  await expectWhole(next, content)
  expect(await stop(next)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
})

/** While a request is in flight it says that it stops: connections are neither refused nor kept alive. */
async function untilNotReady(service: Service): Promise<void> {
  const url = await service.ready
  await until(async () => {
    const { status, headers } = await fetch(`${url}/readyz`)
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    return status === 503 && headers.get('connection') === 'close'
  }, service)
}
