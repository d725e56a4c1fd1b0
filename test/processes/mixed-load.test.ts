// Not on another PostgreSQL, because other files run its statements too.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { jwtSecret, sessionKey, signingSecret } from '../support/factories.ts'
import { noteEffects } from './effects.ts'
import { filledDataDir } from './filled.ts'
import { type Load, openLoad } from './load/load.ts'
import { openOutside } from './load/outside.ts'
import { openStage } from './load/stage.ts'
import { writers } from './load/writers.ts'
import { itemsInFeed, writersOfJobs } from './load/writers-of-jobs.ts'
import { enter, killPostgres } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import {
  cleanUp,
  endedWell,
  killService,
  type Service,
  slowdown,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const rounds = isLong ? 20 : 2
const victims = ['service', 'PostgreSQL', 'both'] as const
const limitsOff = Object.fromEntries(
  ['CREATE', 'EDIT', 'CLAIM', 'SUPPORT', 'MODERATE', 'ACT'].map((name) => [`RATE_LIMIT_${name}`, 'off']),
)

test(`after kill -9 during writes to every area acknowledged writes are there and started work completes, once ${replay}`, {
  timeout: rounds * timeoutMs,
}, async () => {
  const random = randomFrom(seed)
  const outside = await openOutside()
  onTestFinished(outside.close)
  const secrets = {
    AUTH_JWT_SECRET: jwtSecret,
    SESSION_KEY: sessionKey,
    PAYMENT_SIGNING_SECRETS: signingSecret,
  }
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
    // The first kill hits an import halfway; the others whatever is running.
    const isOfImport = round % 4 === 0
    const release = isOfImport ? await holdImport(load, service) : await untilAllGoOn(load, service)
    await sleep(random() * (isOfImport ? 20 : 400))
    const victim = isLong ? victims[Math.floor(random() * 3)] : victims[round]
    if (victim !== 'service') killPostgres(dataDir, { whole: true })
    if (victim !== 'PostgreSQL') await killService(service)
    release?.()
    if (victim === 'PostgreSQL') await expectRecovery(load, service)
    else {
      service = startService({ dataDir, env })
      load.continueWith(service)
      await service.ready
    }
  }
  load.end()
  // pg-boss itself waits at least ten seconds before it considers a worker dead.
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

/** Jobs that failed with the database are retried after half a minute or more. */
const hurry = ({ query }: Load) => query("update pgboss.job set start_after = now() where state = 'retry'")

/** Work that is interrupted at every attempt is rightly given up in the end. */
async function untilNoneIsOnItsLastTry(load: Load): Promise<void> {
  const onLastTry = `
    select from pgboss.job where state in ('created', 'retry', 'active') and retry_count >= 2 and retry_limit < 5`
  await until(async () => {
    if (load.failed() !== undefined) throw load.failed()
    await hurry(load)
    return (await load.query(onLastTry)).length === 0
  })
}

/** Finds an import halfway, and keeps it there by a lock on its run until the returned function is called. */
async function holdImport(load: Load, service: Service): Promise<() => void> {
  const client = await enter(service.dataDir)
  const lock = 'select from import_runs where finished_at is null and fetched between 1 and $1 for update'
  const hold = async () => {
    await client.query('begin')
    const { rowCount } = await client.query(lock, [itemsInFeed - 200])
    if (rowCount === 0) await client.query('commit')
    return rowCount
  }
  expect(await until(async () => load.failed() ?? (await hold()), service)).toBe(1)
  return () => {
    // Rejects where PostgreSQL was killed too.
    client.end().catch(() => {})
  }
}

/** Waits until each writer without a job has been answered again. */
async function untilAllGoOn(load: Load, service: Service): Promise<void> {
  const before = load.done()
  const areas = ['communes', 'moderation', 'publications', 'acts', 'claims', 'support', 'payments']
  const goOn = () => areas.every((area) => (load.done().get(area) ?? 0) > (before.get(area) ?? 0))
  expect(await until(() => load.failed() ?? goOn(), service)).toBe(true)
}

/** When only PostgreSQL is killed, the service recovers without a restart. */
async function expectRecovery(load: Load, service: Service): Promise<void> {
  const killedAt = performance.now()
  await untilAllGoOn(load, service)
  expect(performance.now() - killedAt).toBeLessThan(5_000 * slowdown())
}
