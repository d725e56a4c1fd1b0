import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cloneDatabase, run } from '../../../test/support/world.ts'
import { connect, type Database } from './connect.ts'
import { openNetwork, openSilenceableNetwork } from './network.test-kit.ts'
import { defaultPools } from './pools/pools.ts'

const database = await cloneDatabase()
const quiet = { warn: () => {} }
// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 30_000 }

async function openThrough(join: (near: Socket, far: Socket) => void) {
  const { db, close } = connect(await openNetwork(database.service, join), quiet, { timeoutMs: 30_000 })
  onTestFinished(close)
  return { db, ask: () => ask(db) }
}

const ask = async (db: Database) => (await sql`select 1 as n`.execute(db)).rows

test('does not reuse a connection that PostgreSQL has ended while its socket is still closing', async () => {
  const { db, ask } = await openThrough((near, far) => {
    near.pipe(far)
    far.pipe(near, { end: false })
    far.on('end', async () => {
      await sleep(200)
      near.end()
    })
  })
  const cut = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
  await expect(cut).rejects.toMatchObject({ code: 'unavailable' })
  expect(await ask()).toEqual([{ n: 1 }])
})

test('on a deadlock one transaction fails as unavailable and the other completes', async () => {
  const { db } = await openThrough((near, far) => void near.pipe(far).pipe(near))
  const held = Promise.withResolvers<void>()
  let holders = 0
  const lockBoth = (first: number, second: number) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${first})`.execute(tx)
      if (++holders === 2) held.resolve()
      await held.promise
      await sql`select pg_advisory_xact_lock(${second})`.execute(tx)
    })
  const ends = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'unavailable' } })
})

/** Opens connected pools behind a network that can become unresponsive. */
async function openSilenceable(options: Parameters<typeof connect>[2] = {}) {
  const network = await openSilenceableNetwork(database.service)
  const said: unknown[] = []
  const log = { warn: (_about: unknown, message?: string) => void said.push(message ?? _about) }
  const { db, reads, pools, close } = connect(network.connection, log, {
    timeoutMs: 30_000,
    // A loaded machine may take long to open the connection of a probe.
    responsivenessTimes: { suspectMs: 300, probeMs: 1_500, retryMs: 100 },
    ...options,
  })
  onTestFinished(close)
  expect(await ask(reads)).toEqual([{ n: 1 }])
  await db.transaction().execute(ask)
  return { ...network, db, reads, pools, said, ask: () => ask(reads) }
}

const isSilent = { code: 'unavailable', cause: 'the database does not respond' }

test('an unresponsive database delays its callers briefly, also within a transaction, and leaks no connection', async () => {
  const { db, reads, ask, fallSilent, speak } = await openSilenceable()
  const asked = Promise.withResolvers<void>()
  const reading = reads.connection().execute(async (one) => {
    await asked.promise
    await ask()
    await sql`select 1`.execute(one)
  })
  const writing = Array.from({ length: defaultPools.writes.max + 2 }, () =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_sleep(0.2)`.execute(tx)
      fallSilent()
      asked.resolve()
      await sql`select 1`.execute(tx)
    }),
  )
  for (const work of [reading, ...writing]) await expect(work).rejects.toMatchObject(isSilent)
  speak()
  await vi.waitFor(async () => expect(await ask()).toEqual([{ n: 1 }]), generous)
  expect(await db.transaction().execute(async (tx) => (await sql`select 2 as n`.execute(tx)).rows)).toEqual([
    { n: 2 },
  ])
})

test('refuses immediately, without a statement, while the database is known to be unresponsive', async () => {
  const { ask, said, fallSilent, speak, connections, pools } = await openSilenceable({
    responsivenessTimes: { suspectMs: 300, probeMs: 1_500, retryMs: 600_000 },
  })
  fallSilent()
  await expect(ask()).rejects.toMatchObject(isSilent)
  const before = connections()
  await Promise.all(Array.from({ length: 50 }, () => expect(ask()).rejects.toMatchObject(isSilent)))
  expect(connections()).toBe(before)
  expect(pools.reads.waitingCount).toBe(0)
  expect(said).toEqual(['the database does not respond'])
  speak()
})

test('a query with a callback gets its error by the callback, before and while PostgreSQL is unresponsive', async () => {
  const { pools, ask, fallSilent, speak } = await openSilenceable()
  const [used, idle] = [await pools.jobs.connect(), await pools.jobs.connect()]
  onTestFinished(() => idle.release(true))
  used.release()
  fallSilent()
  // Under way when the silence is noticed; and sent later, on a connection that was there before.
  await expect(pools.jobs.query('select 1')).rejects.toMatchObject(isSilent)
  await expect(ask()).rejects.toMatchObject(isSilent)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  expect(idle.query('select 1', resolve)).toBeUndefined()
  expect(await promise).toMatchObject(isSilent)
  speak()
})

test('probes until the database responds, then uses new connections', async () => {
  const { ask, said, fallSilent, speak, connections } = await openSilenceable()
  fallSilent()
  await expect(ask()).rejects.toMatchObject(isSilent)
  const before = connections()
  await vi.waitUntil(() => connections() > before + 2, generous)
  await expect(ask()).rejects.toMatchObject(isSilent)
  speak()
  await vi.waitFor(async () => expect(await ask()).toEqual([{ n: 1 }]), generous)
  expect(said.slice(0, 2)).toEqual(['the database does not respond', 'the database responds again'])
})

test('does not mistake a slow statement for an unresponsive database', async () => {
  const { db, said } = await openSilenceable({
    responsivenessTimes: { suspectMs: 50, probeMs: 20_000, retryMs: 100 },
  })
  expect((await sql`select 3 as n from pg_sleep(1)`.execute(db)).rows).toEqual([{ n: 3 }])
  expect(said).toEqual([])
})

/** Opens pools behind a proxy that leaves its first connection without a response once `freeze` is called. */
async function openFailover(rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes) {
  const frozen = new Set<Socket>()
  const open = new Set<Socket>()
  const connection = await openNetwork(database.service, (near, far) => {
    open.add(near)
    near.on('data', (bytes) => frozen.has(near) || far.write(bytes))
    far.on('data', (bytes) => frozen.has(near) || near.write(rewrite(bytes as Buffer)))
  })
  const said: unknown[] = []
  const log = { warn: (about: unknown, message?: string) => void said.push(message ?? about) }
  const { db, close } = connect(connection, log, {
    timeoutMs: 30_000,
    responsivenessTimes: { suspectMs: 300, probeMs: 20_000, retryMs: 100 },
  })
  onTestFinished(close)
  return {
    ...{ db, said },
    /** Not a probe that a slow machine has begun by then: it would be without a response for long. */
    freeze() {
      const [first] = open
      if (first) frozen.add(first)
    },
  }
}

test('a statement on a frozen former primary fails soon, and the next one runs on the new primary', async () => {
  const { db, said, freeze } = await openFailover()
  const waiting = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    freeze()
    await run(database.superuser, `select pg_terminate_backend(${rows[0]?.pid})`)
    await sql`select 1`.execute(tx)
  })
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  // Twice if a probe that was under way sees it too.
  expect([...new Set(said)]).toEqual([expect.stringContaining('not the primary any more')])
  expect(await ask(db)).toEqual([{ n: 1 }])
})

test('a slow statement behind a connection pooler, whose process ids are its own, is not mistaken for a lost one', async () => {
  const keyData = Buffer.from([0x4b, 0, 0, 0, 12])
  const { db, said } = await openFailover((bytes) => {
    const at = bytes.indexOf(keyData)
    if (at !== -1) bytes.writeInt32BE(1_234_567, at + keyData.length)
    return bytes
  })
  expect((await sql`select 3 as n from pg_sleep(1)`.execute(db)).rows).toEqual([{ n: 3 }])
  expect(said).toEqual([])
})

test('passes on the errors of a database that refuses connections', async () => {
  const { host = '', port = 5432 } = database.service
  const { db, close } = connect({ ...database.service, host, port, database: 'nowhere' }, quiet, {
    responsivenessTimes: { suspectMs: 0, probeMs: 20_000, retryMs: 100 },
  })
  onTestFinished(close)
  for (let time = 0; time < 5; time++)
    await expect(ask(db)).rejects.toMatchObject({ code: 'unavailable', cause: { code: '3D000' } })
})

test.runIf(process.env.PARVIS_TEST_LONG)(
  'an unresponsive database costs the first callers 3 s, later ones nothing, and recovery takes under 2 s',
  { timeout: 60_000 },
  async () => {
    const network = await openSilenceableNetwork(database.service)
    const { db, close } = connect(network.connection, quiet)
    onTestFinished(close)
    const took = async (work: () => Promise<unknown>) => {
      const began = performance.now()
      await work().catch(() => {})
      return performance.now() - began
    }
    await ask(db)
    network.fallSilent()
    const first = await Promise.all(Array.from({ length: 40 }, () => took(() => ask(db))))
    expect(Math.max(...first)).toBeLessThan(3_500)
    const next = await Promise.all(Array.from({ length: 40 }, () => took(() => ask(db))))
    expect(Math.max(...next)).toBeLessThan(100)
    network.speak()
    const recovery = await took(() => vi.waitFor(() => ask(db), { timeout: 20_000 }))
    expect(recovery).toBeLessThan(2_500)
  },
)
