import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database/connect.ts'
import * as queries from './queries.ts'
import { isIntact, makeSeal, noSeal, type Seal, type SealKey } from './seal.ts'

/** The position up to which the log may be sealed once all transactions with smaller numbers have ended. */
type Mark = { lastSeq: number; before: string }

/** A seal lists each of its entries, so this bounds what is read and stored at once. */
const usualBatch = 1_000
const timeoutMs = 5_000

/** A seal that is not as it was made (`altered`), or that no key of this instance could have made. */
export type SealFault = { number: number; reason: 'altered' | 'unknown_key' }

type Sealing = {
  /** Tells people of forged seals, in the transaction that notes them. */
  report?(tx: Database, faults: SealFault[]): Promise<void>
  batch?: number
}

export type Sealed = Pick<Seal, 'number' | 'total'> & { mac: string }

/**
 * Seals settled entries repeatedly. Entries become visible in a different order than their positions: a smaller
 * position may belong to a transaction that has not committed. So the sealer first notes the last position, then the
 * number of a transaction begun after that. Once all earlier transactions have ended, nothing can appear at or below
 * that position. A mark that is not ready yet is kept for the next call, so long transactions delay sealing but never
 * prevent it.
 */
export function createSealer(db: Database, keys: SealKey[], sealing: Sealing = {}) {
  let mark: Mark | null = null

  /** Returns the last seal it made; null when it made none. */
  return async (signal: AbortSignal, waitMs = timeoutMs): Promise<Sealed | null> => {
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
      const made = await db.transaction().execute((tx) => sealSome(tx, keys, lastSeq, sealing))
      if (made === null) return sealed
      sealed = { number: made.number, total: made.total, mac: made.mac.toString('hex') }
    }
  }
}

/** Two statements: the number must be drawn after the position was read. */
async function setMark(db: Database): Promise<Mark> {
  const lastSeq = await queries.findLastSeq(db)
  const before = await db.transaction().execute(queries.drawTransactionNumber)
  return { lastSeq, before }
}

/** Seals the next entries, up to a place. Null: there are none, another instance seals, or the last seal is in doubt. */
async function sealSome(
  tx: Database,
  keys: SealKey[],
  lastSeq: number,
  { report, batch = usualBatch }: Sealing,
): Promise<Seal | null> {
  const [key] = keys
  if (key === undefined || !(await queries.lockSeals(tx))) return null
  const { base, faults } = await findBase(tx, keys)
  await queries.insertFaults(tx, faults)
  if (faults.length > 0) await report?.(tx, faults)
  if (base === undefined) return null
  const after_seq = base?.last_seq ?? 0
  const rows = await queries.listRows(tx, { seq: after_seq, id: largestId }, lastSeq, batch)
  const end = rows.at(-1)
  if (end === undefined) return null
  const last = await queries.findLastSeal(tx)
  const seal = makeSeal(key, rows, {
    number: (last?.number ?? 0) + 1,
    sealed_at: new Date(),
    after_seq,
    last_seq: end.seq,
    total: (base?.total ?? 0) + rows.length,
    previous: base?.mac ?? noSeal,
  })
  await queries.insertSeal(tx, seal)
  return seal
}

/** While keys change, another instance may seal with one that this instance learns at its next start. */
const unknownKeyPatienceS = 900

/**
 * Finds the seal to build on: the last one whose mac is right. Whoever may write to the database can insert a seal, but
 * cannot make its mac. Null: there is no good seal before; undefined: it cannot be judged yet.
 */
async function findBase(
  tx: Database,
  keys: SealKey[],
): Promise<{ base: Seal | null | undefined; faults: SealFault[] }> {
  const keyIds = keys.map(({ id }) => id)
  const last = await queries.findLastUndoubted(tx)
  // The key was replaced and the old one is not known any more: nothing before can be judged.
  if (last !== null && !(await queries.hasSealOf(tx, keyIds))) return { base: last, faults: [] }
  const faults: SealFault[] = []
  for (let seal = last; ; ) {
    const key = keys.find(({ id }) => id === seal?.key_id)
    if (seal === null || (key !== undefined && isIntact(key, seal))) return { base: seal, faults }
    if (key === undefined && (await queries.findUnsealedAge(tx, keyIds)) < unknownKeyPatienceS)
      return { base: undefined, faults }
    faults.push({ number: seal.number, reason: key === undefined ? 'unknown_key' : 'altered' })
    seal = await queries.findSealBefore(tx, seal.number)
  }
}

/** Sorts after all entries of one position. */
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
