import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { type ListenTimes, type Notify, notifyOn, watchChanges } from './changes.ts'
import type { Connection } from './connection.ts'
import { openNetwork } from './network.test-kit.ts'
import { hasPgBouncer, openPgBouncer } from './pgbouncer.test-kit.ts'

const { db, database, commune } = await openWorld()
const generous = { timeout: 30_000, interval: 5 }

function watch(connection: Connection, times: Partial<ListenTimes> = {}, notify: Notify = notifyOn(db)) {
  const said: string[] = []
  const log = { warn: (message: unknown) => void said.push(`${message}`) }
  // A slow response is not a lost connection, unless a test says so.
  const usual = { checkEveryMs: 20, retryMs: 20, responseTimeoutMs: 30_000 }
  const changes = watchChanges(connection, notify, log, { ...usual, ...times })
  onTestFinished(changes.close)
  return { changes, said, isCaching: () => changes.generationOf([]) !== null }
}

const deaf = /^notifications do not arrive, .* cache disabled/

/** Passes all that PostgreSQL sends but notifications, as a pool in transaction mode does; `swallow` says since when. */
function swallowing(near: Socket, far: Socket, swallows: () => boolean): void {
  near.pipe(far)
  let received: Buffer = Buffer.alloc(0)
  far.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    // Each message: its kind as a letter, then its length, which counts itself.
    while (received.length >= 5 && received.length > received.readInt32BE(1)) {
      const message = received.subarray(0, received.readInt32BE(1) + 1)
      received = received.subarray(message.length)
      if (message.toString('latin1', 0, 1) !== 'A' || !swallows()) near.write(message)
    }
  })
}

test('starts caching after a notification from another connection, and counts each change', async () => {
  const { changes, isCaching } = watch(database.service)
  expect(isCaching()).toBe(false)
  await vi.waitFor(() => expect(isCaching()).toBe(true), generous)
  const before = changes.generationOf(['communes']) ?? 0
  await commune()
  await changes.arrived()
  expect(changes.generationOf(['communes'])).toBeGreaterThan(before)
})

test('never caches if LISTEN succeeds but notifications are lost, and logs the reason once', async () => {
  const connection = await openNetwork(database.service, (near, far) => swallowing(near, far, () => true))
  let nonces = 0
  const { changes, said, isCaching } = watch(
    connection,
    { responseTimeoutMs: 200, unconfirmedRetryMs: 20 },
    (...words) => {
      nonces++
      return notifyOn(db)(...words)
    },
  )
  // A slow machine may send some of them too late.
  await vi.waitFor(() => expect([nonces > 3, said.length]).toEqual([true, 1]), generous)
  expect(isCaching()).toBe(false)
  await changes.arrived()
  expect(said).toEqual([expect.stringMatching(deaf)])
})

test('stops caching when notifications are no longer delivered, although statements still work', async () => {
  let swallows = false
  const connection = await openNetwork(database.service, (near, far) => swallowing(near, far, () => swallows))
  const { said, isCaching } = watch(connection, {
    responseTimeoutMs: 200,
    confirmEveryMs: 50,
    unconfirmedRetryMs: 20,
  })
  await vi.waitFor(() => expect(isCaching()).toBe(true), generous)
  swallows = true
  // A slow machine may lose the connection besides, since it also responds too late.
  const saidDeaf = () => said.filter((message) => deaf.test(message))
  await vi.waitFor(() => expect(saidDeaf()).toHaveLength(1), generous)
  expect(isCaching()).toBe(false)
  swallows = false
  await vi.waitFor(() => expect(isCaching()).toBe(true), generous)
})

test('keeps caching when a nonce cannot be sent, but does not start before the first one', async () => {
  let isBusy = true
  const send: Notify = (...words) => (isBusy ? Promise.reject(new Error('busy')) : notifyOn(db)(...words))
  let tries = 0
  const { said, isCaching } = watch(database.service, { confirmEveryMs: 10 }, (...words) => {
    tries++
    return send(...words)
  })
  await vi.waitFor(() => expect(tries).toBeGreaterThan(3), generous)
  expect(isCaching()).toBe(false)
  isBusy = false
  await vi.waitFor(() => expect(isCaching()).toBe(true), generous)
  isBusy = true
  const before = tries
  await vi.waitFor(() => expect(tries).toBeGreaterThan(before + 3), generous)
  expect([isCaching(), said]).toEqual([true, []])
})

test.skipIf(!hasPgBouncer).each([
  ['transaction', false],
  ['session', true],
])('behind PgBouncer in %s mode: caches: %s (skipped without PgBouncer)', async (mode, caches) => {
  const connection = await openPgBouncer(database.service, { pool_mode: mode })
  let nonces = 0
  const { isCaching } = watch(
    connection,
    { responseTimeoutMs: 500, confirmEveryMs: 20, unconfirmedRetryMs: 20 },
    (...words) => {
      nonces++
      return notifyOn(db)(...words)
    },
  )
  await vi.waitFor(() => expect(nonces).toBeGreaterThan(3), generous)
  // A slow machine may have lost the connection for a moment.
  await vi.waitFor(() => expect(isCaching()).toBe(caches), generous)
})
