// Round: usual, because it is the one crash round there.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { keepBusy } from '../../src/embedded-postgres/cluster/cluster.test-kit.ts'
import { expectWhole, fingerprint } from './content.ts'
import { filledDataDir } from './filled.ts'
import { kill, rounds, shuffled, startIn, timeout, victims, withoutDemo } from './kills.ts'
import { callCommunes, untilPostgresEnds } from './moments.ts'
import { ask, enter, killPostgres, roleIn } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import { cleanUp, endedWell, type Service, stop, timeoutMs, until } from './service.ts'

afterAll(cleanUp, timeoutMs)

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
