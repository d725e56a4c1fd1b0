import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { type PrimaryPosition, readPosition } from './position.ts'
import { requiredPositions } from './required-positions.ts'

const generous = { timeout: 60_000 }

/** Positions whose reads the test ends. */
function openPositions() {
  const reads: PromiseWithResolvers<PrimaryPosition>[] = []
  const positions = requiredPositions(() => {
    const reading = Promise.withResolvers<PrimaryPosition>()
    reads.push(reading)
    return reading.promise
  })
  async function answer(lsn: number, history = 'a') {
    await vi.waitUntil(() => reads.length > 0, generous)
    reads.shift()?.resolve({ history, lsn, database: 'x', clock: { aheadMs: 0, uncertaintyMs: 0 } })
    await new Promise(setImmediate)
  }
  return { positions, reads, answer }
}

test('requires the position after the last change of a table, and of all tables without keys', async () => {
  const { positions, answer } = openPositions()
  expect(positions.of(['communes'])).toBeNull()
  positions.listening()
  expect(positions.of(['communes'])).toBeNull()
  await answer(10)
  expect(positions.of(['communes'])).toEqual({ history: 'a', lsn: 10 })
  positions.notified('communes')
  expect([positions.of(['communes']), positions.of(['elus', 'communes']), positions.of(null)]).toEqual([
    null,
    null,
    null,
  ])
  expect(positions.of(['elus'])).toEqual({ history: 'a', lsn: 10 })
  await answer(20)
  expect(positions.of(['communes'])?.lsn).toBe(20)
  expect(positions.of(['elus'])?.lsn).toBe(10)
  expect(positions.of(null)?.lsn).toBe(20)
})

test('a change notified while a position is read needs the next one; a finer key counts for its table', async () => {
  const { positions, answer } = openPositions()
  positions.listening()
  await answer(10)
  positions.notified('publications:one')
  positions.notified('publications:two')
  await answer(20)
  expect(positions.of(['publications'])).toBeNull()
  await answer(30)
  expect(positions.of(['publications:one'])?.lsn).toBe(30)
})

test('trusts nothing after a lost connection or in a new history, not even a position that was being read', async () => {
  const { positions, answer } = openPositions()
  positions.listening()
  await answer(10)
  positions.notified('communes')
  positions.lost()
  expect(positions.of(['elus'])).toBeNull()
  positions.listening()
  await answer(20)
  expect(positions.of(['elus'])).toBeNull()
  await answer(5, 'b')
  expect(positions.of(['elus'])).toEqual({ history: 'b', lsn: 5 })
  expect(positions.of(['communes'])).toEqual({ history: 'b', lsn: 5 })
})

test('reads the position again after a failure', async () => {
  const { positions, reads, answer } = openPositions()
  positions.listening()
  await vi.waitUntil(() => reads.length > 0, generous)
  reads.shift()?.reject(new Error('away'))
  await answer(10)
  expect(positions.of(null)?.lsn).toBe(10)
})

test('a position includes what was committed before, and another timeline or cluster begins a new history', async () => {
  const { db, commune } = await openWorld()
  // Reading positions needs no privilege beyond those of the service.
  const first = await readPosition(db)
  await commune()
  const second = await readPosition(db)
  expect(second.lsn).toBeGreaterThan(first.lsn)
  expect([second.history, second.database]).toEqual([first.history, first.database])
  for (const change of [sql`timeline = '0000BEEF'`, sql`system_identifier = 1`]) {
    const before = await readPosition(db)
    await sql`update wal_timeline set ${change}`.execute(db)
    const [after, again] = [await readPosition(db), await readPosition(db)]
    expect(after.history).not.toBe(before.history)
    expect(again.history).toBe(after.history)
  }
})
