// Not on another PostgreSQL, because other files run its statements too.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { StartError } from '../../src/platform/config/start-error.ts'
import { hasPgBouncer, openPgBouncer } from '../../src/platform/database/pgbouncer.test-kit.ts'
import { refuseOtherDatabase } from '../../src/platform/database/replica/refuse-other-database.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { jwtSecret, sessionKey } from '../support/factories.ts'
import { freePort } from './free-port.ts'
import { type Member, signalAll } from './pair.ts'
import { urlOf } from './postgres.ts'
import { openReplicated, patient } from './replicated.ts'
import { cleanUp, fetchServed, makeFolder, startService, stop, timeoutMs, until } from './service.ts'

afterAll(cleanUp)
const isLong = process.env.PARVIS_TEST_LONG === '1'

const replicated = await openReplicated()
const { primary, replica, other, ask, caughtUp } = replicated
const one = await replicated.open()
type Instance = typeof one

/** A public acteur, whose name counts its changes. */
async function countingActeur() {
  const { id } = await one.acteur({ nom: '0', valide: true, active: true })
  const rename = (nom: number) => sql`update acteurs set nom = ${`${nom}`} where id = ${id}`.execute(one.db)
  const nameOn = async ({ get }: Instance) => {
    const { status, body } = await get(`/acteurs/${id}`)
    expect(status).toBe(200)
    return Number(body.data.nom)
  }
  return { id, rename, nameOn }
}

/** An uncached read. */
const alertesOf = (communeId: string) => `/communes/${communeId}/alertes`

/** Waits until a replica serves reads. */
async function untilReplicaServes(instance: Instance) {
  const { id } = await one.commune()
  // Not created by a request, which would have waited for its own notification.
  await instance.changes?.arrived()
  await vi.waitUntil(async () => {
    const before = instance.served().replica
    expect((await instance.get(alertesOf(id))).status).toBe(200)
    return instance.served().replica > before
  }, patient)
}

const replay = {
  lags: "alter system set recovery_min_apply_delay = '300ms'",
  follows: 'alter system reset recovery_min_apply_delay',
  pauses: 'select pg_wal_replay_pause()',
  resumes: 'select pg_wal_replay_resume()',
}
async function set(state: keyof typeof replay, member: Member = replica) {
  // Replay may cancel these too.
  for (const text of [replay[state], 'select pg_reload_conf()'])
    await vi.waitUntil(() => ask(member, text).catch(() => null), patient)
}

test('public reads use the replica, signed-in reads do not', async () => {
  await untilReplicaServes(one)
  const { id } = await one.commune()
  const admin = await one.as('admin')
  await caughtUp()
  // Not a cached response: were the first read late for the replica, no later one would reach a database.
  await vi.waitUntil(async () => {
    const before = one.served()
    expect((await one.get(alertesOf(id))).status).toBe(200)
    const now = one.served()
    return now.replica > before.replica && now.primary === before.primary
  }, patient)
  const before = one.served()
  expect((await admin.get('/admin/acteurs')).status).toBe(200)
  expect(one.served()).toEqual(before)
})

test('the feed of changes skips no change that commits late, although a replica serves other reads', async () => {
  await untilReplicaServes(one)
  const feed = async (since: string) => {
    const { status, body } = await one.get(`/publications/changes?since=${encodeURIComponent(since)}`)
    expect(status).toBe(200)
    return { ids: body.data.map(({ id }: { id: string }) => id), next: body.meta.next }
  }
  const start = new Date().toISOString()
  const late = await one.db.startTransaction().execute()
  const first = await insertPublication({ db: late } as never)
  const second = await insertPublication(one)
  await one.changes?.arrived()
  await caughtUp()
  const before = await feed(start)
  await late.commit().execute()
  const after = await feed(before.next)
  expect([...before.ids, ...after.ids]).toEqual([first.id, second.id])
})

describe('after a change', () => {
  const rounds = isLong ? 2_000 : 60

  test(`no read of ${rounds} rounds is older than a change that was heard, or than an earlier read`, {
    timeout: 900_000,
  }, async () => {
    // The second instance alternates between two replicas, one of which lags throughout.
    const two = await replicated.open({ replica: await replicated.inTurn([replica, other]) })
    const instances = [one, two]
    await set('lags', other)
    onTestFinished(() => set('follows', other))
    const { rename, nameOn } = await countingActeur()
    const { id: communeId } = await one.commune()
    const phases = ['follows', 'lags', 'pauses', 'resumes', 'follows'] as const
    const before = instances.map(({ served }) => served())
    let isDone = false
    onTestFinished(() => {
      isDone = true
    })
    const undone: string[] = []
    /** Reads again and again, as a client that saw each response before its next request. */
    async function watch(instance: Instance) {
      let last = 0
      while (!isDone) {
        const name = await nameOn(instance)
        if (name < last) undone.push(`${name} after ${last}`)
        last = name
        await sleep(1)
      }
    }
    const watching = Promise.all(instances.map(watch))
    const stale: string[] = []
    for (let round = 1; round <= rounds; round++) {
      const phase = ((round - 1) * phases.length) / rounds
      if (Number.isInteger(phase)) await set(phases[phase] ?? 'follows')
      await rename(round)
      await one.db
        .insertInto('alertes')
        .values({ id: uuidv7(), titre: `${round}`, message: 'x', niveau: 'info', commune_id: communeId })
        .execute()
      for (const instance of instances) {
        await instance.changes?.arrived()
        const name = await nameOn(instance)
        if (name !== round) stale.push(`acteur ${name} in round ${round}`)
        const { total } = (await instance.get(alertesOf(communeId))).body.meta
        if (total !== round) stale.push(`${total} alertes in round ${round}`)
      }
      // Lets a replica serve some of the reads between two changes.
      if (round % 3 === 0) await sleep(20)
    }
    isDone = true
    await watching
    expect([stale, undone]).toEqual([[], []])
    for (const [at, { served }] of instances.entries()) {
      const [now, then] = [served(), before[at] ?? served()]
      expect(now.replica - then.replica).toBeGreaterThan(rounds / 20)
      expect(now.primary - then.primary).toBeGreaterThan(rounds / 20)
      if (isLong) process.stderr.write(`reads by server: ${JSON.stringify(now)}\n`)
    }
  })

  test('a paused replica serves no read', async () => {
    const { rename, nameOn } = await countingActeur()
    await caughtUp()
    await untilReplicaServes(one)
    await set('pauses')
    onTestFinished(() => set('resumes'))
    await rename(1)
    await one.changes?.arrived()
    const before = one.served()
    expect(await nameOn(one)).toBe(1)
    expect((await one.get('/communes?q=ville')).status).toBe(200)
    expect(one.served().replica).toBe(before.replica)
    await vi.waitUntil(() => !one.publicly.replica.isUsed, patient)
  })
})

describe('a replica costs no request when it', () => {
  const lose = {
    restarts: () => replicated.restart(replica),
    'is killed': () => replicated.stop(replica, 'SIGQUIT').then(() => replicated.restart(replica)),
    freezes: () => {
      signalAll(replica, 'SIGSTOP')
      return vi
        .waitUntil(() => !one.publicly.replica.isUsed, patient)
        .finally(() => signalAll(replica, 'SIGCONT'))
    },
  }

  test.each(Object.entries(lose))('%s', { timeout: timeoutMs }, async (_how, lost) => {
    const { id } = await one.commune()
    await caughtUp()
    await untilReplicaServes(one)
    let isBack = false
    const statuses = new Set<number>()
    let longestMs = 0
    async function read() {
      while (!isBack) {
        const began = performance.now()
        statuses.add((await one.get(alertesOf(id))).status)
        longestMs = Math.max(longestMs, performance.now() - began)
      }
    }
    const reading = Promise.all(Array.from({ length: 6 }, read))
    const before = one.served()
    await lost()
    await vi.waitUntil(() => one.served().primary > before.primary, patient)
    isBack = true
    await reading
    expect([...statuses]).toEqual([200])
    // A second until a frozen replica is given up; the rest is for a loaded machine.
    expect(longestMs).toBeLessThan(10_000)
    await one.isUsed()
    await untilReplicaServes(one)
  })

  test('cancels a statement in favour of replay (40001)', async () => {
    await caughtUp()
    await untilReplicaServes(one)
    // Long on a replica alone, which replay cancels before.
    const statement = sql<{ isReplica: boolean }>`
      select pg_is_in_recovery() as "isReplica", case when pg_is_in_recovery() then pg_sleep(0.9) end
      from (select count(*) from elus) as read`
    const read = async () => (await statement.execute(one.publicly.reads)).rows[0]?.isReplica
    const countCancelled = async () => {
      const counted = `select confl_lock::int as n from pg_stat_database_conflicts where datname = 'parvis'`
      return (await ask(replica, counted))[0].n
    }
    const isSleeping = async () =>
      (await ask(replica, "select from pg_stat_activity where wait_event = 'PgSleep'")).length > 0
    // Where a slow machine replays the lock only after the statement has ended, the next one is cancelled.
    await vi.waitUntil(async () => {
      const before = await countCancelled()
      let isOver = false
      const reading = read().finally(() => {
        isOver = true
      })
      await vi.waitUntil(async () => isOver || (await isSleeping()), patient)
      await ask(primary, 'begin; lock table elus in access exclusive mode; commit')
      const isReplica = await reading
      const isCancelled = (await countCancelled()) > before
      // Its rows then come from the primary.
      expect(isReplica && isCancelled).toBe(false)
      return isCancelled
    }, patient)
  })
})

describe('a server is not used', () => {
  test('if its clock differs from that of the primary', async () => {
    const replicaOptions = { maxClockDifferenceMs: -1_000, lookEveryMs: 50 }
    const instance = await replicated.open({ replicaOptions })
    const { id } = await one.commune()
    await sleep(300)
    expect((await instance.get(alertesOf(id))).status).toBe(200)
    expect(instance.served().replica).toBe(0)
  })

  test('if it is no replica, but a proxy leads to it now and then', async () => {
    const instance = await replicated.open({
      replica: await replicated.inTurn([replica, primary]),
      replicaOptions: { lookEveryMs: 50 },
    })
    const { rename, nameOn } = await countingActeur()
    for (let name = 1; name <= 20; name++) {
      await rename(name)
      await instance.changes?.arrived()
      expect(await nameOn(instance)).toBe(name)
    }
    await untilReplicaServes(instance)
  })
})

test.skipIf(!hasPgBouncer)('serves through PgBouncer in transaction mode (skipped without it)', async () => {
  const pooler = await openPgBouncer(replicated.ofReplica, { pool_mode: 'transaction', default_pool_size: 2 })
  const instance = await replicated.open({ replica: pooler })
  await caughtUp()
  await instance.isUsed()
  await untilReplicaServes(instance)
  const { rename, nameOn } = await countingActeur()
  await rename(1)
  await instance.changes?.arrived()
  expect(await nameOn(instance)).toBe(1)
})

describe('a start', () => {
  const named = (READ_DATABASE_URL: string) =>
    startService({
      dataDir: makeFolder(),
      env: {
        ...{ AUTH_JWT_SECRET: jwtSecret, SESSION_KEY: sessionKey, READ_DATABASE_URL },
        DATABASE_URL: urlOf({ ...replicated.service, password: '' }, 'parvis'),
      },
    })

  test('refuses READ_DATABASE_URL of another cluster or database in one sentence', async () => {
    const sentence = new StartError(
      'READ_DATABASE_URL names another database or cluster than DATABASE_URL: let it name a streaming replica of the same one.',
    )
    const { service, ofReplica } = replicated
    const refused = (connection: object) => refuseOtherDatabase(connection, service)
    await expect(refused(inject('server').superuser)).rejects.toThrow(sentence)
    await expect(refused({ ...ofReplica, database: 'postgres' })).rejects.toThrow(sentence)
    await refused(ofReplica)
  })

  test('succeeds while the replica is unavailable, and fails for another database', {
    timeout: timeoutMs,
  }, async () => {
    await ask(
      primary,
      "insert into first_loads (name) values ('communes'), ('former-names'), ('groups') on conflict do nothing",
    )
    const away = named(`postgres://parvis_reads@127.0.0.1:${await freePort()}/parvis`)
    const wrong = named(urlOf({ ...replicated.ofReplica, password: '' }, 'postgres'))
    const url = await away.ready
    const headers = { 'x-app-source': 'public' }
    expect((await fetchServed(`${url}/api/v1/communes`, { headers })).status).toBe(200)
    await until(() => away.state.out.includes('the read replica is not used'), away)
    await stop(away)
    expect(await wrong.ended).toEqual({ status: 1, signal: null })
    expect(wrong.state.err).toMatch(/^READ_DATABASE_URL names another database [^\n]+\n$/)
  })

  test('logs that the replica is used, and later why a connection to it was lost', {
    timeout: timeoutMs,
  }, async () => {
    const service = named(urlOf({ ...replicated.ofReplica, password: '' }, 'parvis'))
    await service.ready
    await until(() => service.state.out.includes('"the read replica is used"'), service)
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parvis'"
    await until(async () => {
      await ask(replica, end).catch((error) => {
        // Vacuum on the primary may cancel a statement of its replica.
        if (error.code !== '40001') throw error
      })
      return service.state.out.includes('read replica: an idle database connection was lost')
    }, service)
    expect(service.state.out).not.toContain('[object Object]')
    await stop(service)
  })
})

test('a promoted replica is not used any more', { timeout: timeoutMs }, async () => {
  const { rename, nameOn } = await countingActeur()
  await caughtUp()
  await untilReplicaServes(one)
  await ask(replica, 'select pg_promote(true, 30)')
  // The former replica now has a position of its own, beyond that of the primary.
  await ask(replica, 'create table beyond as select generate_series(1, 100000)')
  const before = one.served()
  for (let name = 1; name <= 20; name++) {
    await rename(name)
    await one.changes?.arrived()
    expect(await nameOn(one)).toBe(name)
  }
  expect(one.served().replica).toBe(before.replica)
  expect(one.publicly.replica.isUsed).toBe(false)
  // It may contain what the primary never had.
  const { id } = await one.commune()
  await replicated.stop(primary, 'SIGINT')
  await vi.waitUntil(() => one.changes?.generationOf([]) === null, patient)
  expect(await one.get(alertesOf(id))).toBeError(503, 'unavailable')
  expect((await fetch(`${one.url}/readyz`)).status).toBe(503)
})
