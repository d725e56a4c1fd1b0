import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { jwtSecret, signingSecret } from '../support/factories.ts'
import { noteEffects } from './effects.ts'
import { filledDataDir } from './filled.ts'
import { type Load, openLoad } from './load/load.ts'
import { openOutside } from './load/outside.ts'
import { openStage } from './load/stage.ts'
import { writers } from './load/writers.ts'
import { itemsInFeed, writersOfJobs } from './load/writers-of-jobs.ts'
import { killPostgres } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import {
  cleanUp,
  endedWell,
  killService,
  patienceMs,
  type Service,
  slowdown,
  startService,
  stop,
  until,
} from './service.ts'

afterAll(cleanUp, patienceMs)

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const rounds = isLong ? 20 : 2
const victims = ['service', 'PostgreSQL', 'both'] as const
const limitsOff = Object.fromEntries(
  ['CREATE', 'EDIT', 'CLAIM', 'SUPPORT', 'MODERATE'].map((name) => [`RATE_LIMIT_${name}`, 'off']),
)

test(`kill -9 while every area is written to: what was answered is there, what was begun is done, all once ${replay}`, {
  timeout: rounds * patienceMs,
}, async () => {
  const random = randomFrom(seed)
  const outside = await openOutside()
  onTestFinished(outside.close)
  const secrets = { AUTH_JWT_SECRET: jwtSecret, PAYMENT_SIGNING_SECRETS: signingSecret }
  const env = { ...limitsOff, ...secrets, ...outside.settings, SEED: 'none' }
  const dataDir = await filledDataDir()
  let service = startService({ dataDir, env })
  const stage = await openStage(service)
  const load = openLoad(service)
  const table = { ...writers(load, stage), ...writersOfJobs(load, stage, outside) }
  await noteEffects(load.query)
  const running = load.run(table)
  running.catch(() => {})

  for (let round = 0; round < rounds; round++) {
    await untilNoneIsOnItsLastTry(load)
    // The first hits an import in its middle; the others, whatever is under way.
    if (round % 4 === 0) await untilImportIsHalfDone(load, service)
    else await untilAllGoOn(load, service)
    await sleep(random() * (round % 4 === 0 ? 20 : 400))
    const victim = isLong ? victims[Math.floor(random() * 3)] : victims[round]
    if (victim !== 'service') killPostgres(dataDir, { whole: true })
    if (victim === 'PostgreSQL') await expectRecovery(load, service)
    else {
      await killService(service)
      service = startService({ dataDir, env })
      load.continueWith(service)
      await service.ready
    }
  }
  load.end()
  // pg-boss itself takes nobody for dead before ten seconds.
  await load.query('update pgboss.job set heartbeat_seconds = 3')
  await running
  await hurry(load)
  await load.untilSome(nothingWaits)
  for (const { check } of Object.values(table)) await check()
  expect(
    await load.query(
      "select source_name, data from pgboss.job where name = 'dead-letters' and source_name <> 'imports.tick'",
    ),
  ).toEqual([])
  const attempts = await load.query('select attempts from import_runs where attempts > 1')
  expect(attempts.length).toBeGreaterThan(0)
  if (isLong) process.stdout.write(`works by area: ${JSON.stringify(Object.fromEntries(load.done()))}\n`)
  expect(await stop(service)).toEqual(endedWell)
})

const nothingWaits = `
  select where not exists (
    select from pgboss.job where state in ('created', 'retry', 'active') and name not in ('imports.tick', '__pgboss__send-it'))`

/** What failed with its database is tried again after half a minute, or more. */
const hurry = ({ query }: Load) => query("update pgboss.job set start_after = now() where state = 'retry'")

/** Whatever is cut off at every attempt is given up in the end, as it should be. */
async function untilNoneIsOnItsLastTry(load: Load): Promise<void> {
  const onLastTry = `
    select from pgboss.job where state in ('created', 'retry', 'active') and retry_count >= 2 and retry_limit < 5`
  await until(async () => {
    if (load.failed() !== undefined) throw load.failed()
    await hurry(load)
    return (await load.query(onLastTry)).length === 0
  })
}

async function untilImportIsHalfDone(load: Load, service: Service): Promise<void> {
  const isHalfDone = 'select from import_runs where finished_at is null and fetched between 1 and $1'
  // PostgreSQL may be starting.
  const look = () => load.query(isHalfDone, [itemsInFeed - 200]).catch(() => [])
  expect(await until(async () => load.failed() ?? (await look()).length, service)).toBe(1)
}

/** Each of those who wait for no job has been answered since. */
async function untilAllGoOn(load: Load, service: Service): Promise<void> {
  const before = load.done()
  const areas = ['communes', 'moderation', 'publications', 'claims', 'support', 'payments']
  const goOn = () => areas.every((area) => (load.done().get(area) ?? 0) > (before.get(area) ?? 0))
  expect(await until(() => load.failed() ?? goOn(), service)).toBe(true)
}

/** Of PostgreSQL alone the service needs no start of its own. */
async function expectRecovery(load: Load, service: Service): Promise<void> {
  const killedAt = performance.now()
  await untilAllGoOn(load, service)
  expect(performance.now() - killedAt).toBeLessThan(5_000 * slowdown())
}
