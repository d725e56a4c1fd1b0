import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../test/support/world.ts'
import { type Connection, connect } from './connect.ts'

const database = await cloneDatabase()
const quiet = { warn: () => {} }

/** PostgreSQL behind a network of the test's own, which joins each connection to it. */
async function openThrough(join: (near: Socket, far: Socket) => void, options = {}) {
  const network = createServer((near) => {
    const far = dial(addressOf(database.service))
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => near.destroy())
    join(near, far)
  })
  await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening))
  const { port } = network.address() as AddressInfo
  const { db, close } = connect({ ...database.service, host: '127.0.0.1', port }, quiet, options)
  onTestFinished(async () => {
    await close()
    network.close()
  })
  return { db, ask: async () => (await sql`select 1 as n`.execute(db)).rows }
}

const addressOf = ({ host = '', port = 5432 }: Connection) =>
  host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }

test('a connection that PostgreSQL has ended is not lent again while its socket still closes', async () => {
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

test('a server that goes silent costs a moment, also within a transaction, and no connection for good', async () => {
  let silent = false
  const { db, ask } = await openThrough(
    (near, far) => {
      near.on('data', (bytes) => silent || far.write(bytes))
      far.on('data', (bytes) => silent || near.write(bytes))
    },
    { silenceMs: 2_000 },
  )
  expect(await ask()).toEqual([{ n: 1 }])
  const all = Promise.all(
    Array.from({ length: 10 }, () =>
      db.transaction().execute(async (tx) => {
        await sql`select pg_sleep(0.2)`.execute(tx)
        silent = true
        await sql`select 1`.execute(tx)
      }),
    ),
  )
  await expect(all).rejects.toMatchObject({ code: 'unavailable' })
  silent = false
  expect(await ask()).toEqual([{ n: 1 }])
})

test('of two transactions that wait for each other one is unavailable, and the other goes on', async () => {
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
