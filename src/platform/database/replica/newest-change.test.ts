import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { newestChange } from './newest-change.ts'
import { type Position, readPosition } from './position.ts'

const generous = { timeout: 60_000 }

/** A newest change whose positions the test reads. */
function openNewest() {
  const reads: PromiseWithResolvers<Position>[] = []
  const newest = newestChange(() => {
    const reading = Promise.withResolvers<Position>()
    reads.push(reading)
    return reading.promise
  })
  async function answer(lsn: number, history = 'a') {
    await vi.waitUntil(() => reads.length > 0, generous)
    reads.shift()?.resolve({ history, lsn })
    await new Promise(setImmediate)
  }
  return { newest, reads, answer }
}

test('is unknown from a notification until the position after it was read', async () => {
  const { newest, answer } = openNewest()
  expect(newest.position()).toBeNull()
  newest.listening()
  expect(newest.position()).toBeNull()
  await answer(10)
  expect(newest.position()).toEqual({ history: 'a', lsn: 10 })
  newest.notified('communes')
  expect(newest.position()).toBeNull()
  // It may not include a change notified while it is read.
  newest.notified('elus')
  await answer(20)
  expect(newest.position()).toBeNull()
  await answer(30)
  expect(newest.position()?.lsn).toBe(30)
})

test('trusts nothing after a lost connection, not even a position that was being read', async () => {
  const { newest, answer } = openNewest()
  newest.listening()
  await answer(10)
  newest.notified('communes')
  newest.lost()
  expect(newest.position()).toBeNull()
  newest.listening()
  await answer(20)
  expect(newest.position()).toBeNull()
  await answer(5, 'b')
  expect(newest.position()).toEqual({ history: 'b', lsn: 5 })
})

test('reads the position again after a failure', async () => {
  const { newest, reads, answer } = openNewest()
  newest.listening()
  await vi.waitUntil(() => reads.length > 0, generous)
  reads.shift()?.reject(new Error('away'))
  await answer(10)
  expect(newest.position()?.lsn).toBe(10)
})

test('a position includes what was committed before, and another timeline or cluster begins a new history', async () => {
  const { db, commune } = await openWorld()
  // Reading positions needs no privilege beyond those of the service.
  const first = await readPosition(db)
  await commune()
  const second = await readPosition(db)
  expect(second.lsn).toBeGreaterThan(first.lsn)
  expect(second.history).toEqual(first.history)
  for (const change of [sql`timeline = '0000BEEF'`, sql`system_identifier = 1`]) {
    const before = await readPosition(db)
    await sql`update wal_timeline set ${change}`.execute(db)
    const [after, again] = [await readPosition(db), await readPosition(db)]
    expect(after.history).not.toBe(before.history)
    expect(again.history).toBe(after.history)
  }
})
