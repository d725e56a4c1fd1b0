import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Content, expectWhole, fingerprint, loadFewCommunes } from './content.ts'
import { filledDataDir } from './filled.ts'
import { callCommunes, keepBusy, untilFirstLoad, untilPostgresEnds } from './moments.ts'
import { ask, enter, killPostgres, roleIn } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import {
  cleanUp,
  endedWell,
  killService,
  newDataDir,
  type Service,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
/** In each round each victim is killed once; the long run explores more delays and orders. */
const rounds = isLong ? 20 : 1
const timeout = rounds * timeoutMs

const victims = ['service', 'PostgreSQL', 'both'] as const
type Victim = (typeof victims)[number]

test(`after kill -9 of the service, of PostgreSQL or of both during the start the next start is complete ${replay}`, {
  timeout,
}, async () => {
  await playRounds(async (random) => {
    const dataDir = newDataDir()
    const content = { demo: false, few: !isLong }
    for (const victim of shuffled(victims, random)) {
      const service = startIn(dataDir, random, content)
      await sleep(random() * 1_500)
      await kill(service, victim)
    }
    await expectNextStartWhole(dataDir, content)
  })
})

test(`after kill -9 of the service, of PostgreSQL or of both during the initial load the next start is complete ${replay}`, {
  timeout,
}, async () => {
  await playRounds(async (random, isFirst) => {
    const content = { demo: isFirst }
    let service = await startLoading(random, content)
    const { dataDir } = service
    for (const [index, victim] of shuffled(victims, random).entries()) {
      if (index > 0) {
        // A late kill lets the load finish; the next ones then hit a running service.
        service = startIn(dataDir, random, content)
        await untilFirstLoad(service)
      }
      await sleep(random() * 200)
      await kill(service, victim)
    }
    await expectNextStartWhole(dataDir, content)
  })
})

test(`after kill -9 of the service, of PostgreSQL or of both during service nothing is lost or loaded again ${replay}`, {
  timeout,
}, async () => {
  const random = randomFrom(seed)
  const dataDir = await filledDataDir()
  let service = startIn(dataDir, random)
  await service.ready
  const before = await ask(enter(dataDir), fingerprint)
  for (let round = 0; round < rounds; round++) {
    for (const victim of shuffled(victims, random)) {
      const calls = callOften(await service.ready)
      await sleep(random() * 100)
      if (victim === 'PostgreSQL') await expectRecovery(service)
      else await kill(service, victim)
      await calls
      if (service.state.ending !== null) service = startIn(dataDir, random)
      await service.ready
      expect(await until(() => ask(enter(dataDir), fingerprint).catch(() => null))).toEqual(before)
    }
  }
  await expectWhole(service, withoutDemo)
  expect(await stop(service)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
})

const withoutDemo: Content = { demo: false }
const settingsFor = ({ demo, few }: Content) => ({
  SEED: demo ? 'demo' : 'none',
  ...(few && loadFewCommunes()),
})

/** Two at a time. Each has its own random numbers, so that a seed reproduces delays and orders. */
async function playRounds(play: (random: () => number, isFirst: boolean) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 2) {
    const pair = [round, round + 1]
      .filter((each) => each < rounds)
      .map((each) => play(randomFrom(seed + each), each === 0))
    for (const played of await Promise.allSettled(pair)) if (played.status === 'rejected') throw played.reason
  }
}

const startIn = (dataDir: string, random: () => number, content = withoutDemo) =>
  startService({ dataDir, by: random() < 0.5 ? 'npm' : 'node', env: settingsFor(content) })

/** Starts a service during its initial load; retries when the load was over before it was seen. */
async function startLoading(random: () => number, content: Content): Promise<Service> {
  for (let tries = 0; tries < 5; tries++) {
    const service = startIn(newDataDir(), random, content)
    if (await untilFirstLoad(service)) return service
    await killService(service)
  }
  throw new Error('No load was seen')
}

/** Kills PostgreSQL alone: the service recovers, or exits with a reason and leaves none behind. Then all are gone. */
async function kill(service: Service, victim: Victim): Promise<void> {
  if (victim === 'service') return killService(service)
  killPostgres(service.dataDir, { whole: victim === 'both' })
  if (victim === 'both') return killService(service)
  await until(() => service.state.readyMs !== null || service.state.ending !== null)
  if (service.state.readyMs !== null) {
    expect(await stop(service)).toEqual(endedWell)
    return
  }
  expect(await service.ended).toEqual({ status: 1, signal: null })
  expect(service.state.err).toMatch(/^[^\n]+[^\s:]\n$/)
}

async function expectNextStartWhole(dataDir: string, content: Content): Promise<void> {
  const service = startService({ dataDir, env: settingsFor(content) })
  await expectWhole(service, content)
  expect(await stop(service)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
}

/** Without its PostgreSQL it returns 503 with Retry-After and recovers by itself. */
async function expectRecovery(service: Service): Promise<void> {
  const url = await service.ready
  const untilResponse = (wanted: number) =>
    until(async () => {
      const { status, headers } = await callCommunes(url)
      expect([200, 503]).toContain(status)
      if (status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      return status === wanted
    }, service)
  // It is restarted once it was missed, not before.
  const { kill, ended } = await keepBusy(await roleIn(service.dataDir, 'owner'))
  killPostgres(service.dataDir)
  expect(await untilResponse(503)).toBe(true)
  kill()
  await ended
  expect(await untilResponse(200)).toBe(true)
}

/** Some requests in flight, with any outcome. */
const callOften = (url: string) => Promise.allSettled([1, 2, 3, 4].map(() => callCommunes(url)))

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const placed = values.map((value) => ({ value, place: random() }))
  return placed.sort((a, b) => a.place - b.place).map(({ value }) => value)
}
