import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Content, expectWhole } from './content.ts'
import { isLong, kill, rounds, settingsFor, shuffled, startIn, timeout, victims } from './kills.ts'
import { untilFirstLoad, untilPostgresEnds } from './moments.ts'
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
} from './service.ts'

afterAll(cleanUp, timeoutMs)

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

/** Two at a time. Each has its own random numbers, so that a seed reproduces delays and orders. */
async function playRounds(play: (random: () => number, isFirst: boolean) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 2) {
    const pair = [round, round + 1]
      .filter((each) => each < rounds)
      .map((each) => play(randomFrom(seed + each), each === 0))
    for (const played of await Promise.allSettled(pair)) if (played.status === 'rejected') throw played.reason
  }
}

/** Starts a service during its initial load; retries when the load was over before it was seen. */
async function startLoading(random: () => number, content: Content): Promise<Service> {
  for (let tries = 0; tries < 5; tries++) {
    const service = startIn(newDataDir(), random, content)
    if (await untilFirstLoad(service)) return service
    await killService(service)
  }
  throw new Error('No load was seen')
}

async function expectNextStartWhole(dataDir: string, content: Content): Promise<void> {
  const service = startService({ dataDir, env: settingsFor(content) })
  await expectWhole(service, content)
  expect(await stop(service)).toEqual(endedWell)
  await untilPostgresEnds(dataDir)
}
