import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database/connect.ts'
import * as queries from './queries.ts'
import { makeSeal, noSeal, type Seal, type SealKey } from './seal.ts'

/** Up to where the trail may be sealed, as soon as all transactions with smaller numbers have ended. */
type Mark = { lastSeq: number; before: string }

/** A seal names each of its rows: that many are read and kept together. */
const usualBatch = 1_000
const patienceMs = 5_000

export type Sealed = Pick<Seal, 'number' | 'total'> & { mac: string }

/**
 * Seals what is settled, again and again. Rows become visible in another order than they were placed in: one with a
 * smaller place may still be in a transaction that has not committed. So the last place is noted first, then the number
 * of a transaction begun after that; once all before it have ended, nothing can come in at or below that place. A mark
 * whose time has not come is kept for the next call, so that long transactions delay the seals and never prevent them.
 */
export function createSealer(db: Database, key: SealKey, batch = usualBatch) {
  let mark: Mark | null = null

  /** Answers the last seal that it made; null where it made none. */
  return async (signal: AbortSignal, waitMs = patienceMs): Promise<Sealed | null> => {
    mark ??= await setMark(db)
    for (const end = performance.now() + waitMs; !(await queries.haveEndedBefore(db, mark.before)); ) {
      if (performance.now() >= end) return null
      await sleep(100, undefined, { signal })
    }
    const { lastSeq } = mark
    mark = null
    let sealed: Sealed | null = null
    for (;;) {
      signal.throwIfAborted()
      const made = await db.transaction().execute((tx) => sealSome(tx, key, lastSeq, batch))
      if (made === null) return sealed
      sealed = { number: made.number, total: made.total, mac: made.mac.toString('hex') }
    }
  }
}

/** Two statements: the number must be drawn after the place was read. */
async function setMark(db: Database): Promise<Mark> {
  const lastSeq = await queries.findLastSeq(db)
  const before = await db.transaction().execute(queries.drawTransactionNumber)
  return { lastSeq, before }
}

/** The next rows, up to a place. Null: there are none, or somebody else seals. */
async function sealSome(tx: Database, key: SealKey, lastSeq: number, batch: number): Promise<Seal | null> {
  if (!(await queries.lockSeals(tx))) return null
  const last = await queries.findLastSeal(tx)
  const after_seq = last?.last_seq ?? 0
  const rows = await queries.listRows(tx, { seq: after_seq, id: largestId }, lastSeq, batch)
  const end = rows.at(-1)
  if (end === undefined) return null
  const seal = makeSeal(key, rows, {
    number: (last?.number ?? 0) + 1,
    sealed_at: new Date(),
    after_seq,
    last_seq: end.seq,
    total: (last?.total ?? 0) + rows.length,
    previous: last?.mac ?? noSeal,
  })
  await queries.insertSeal(tx, seal)
  return seal
}

/** After all rows of one place. */
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
