import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database/connect.ts'
import * as queries from './queries.ts'
import { isIntact, makeSeal, noSeal, type Seal, type SealKey } from './seal.ts'

/** The position up to which the log may be sealed once all transactions with smaller numbers have ended. */
type Mark = { lastSeq: number; before: string }

/** Maximum number of entries per seal. A seal lists each entry, so this bounds what is read and stored. */
const defaultBatch = 1_000
const timeoutMs = 5_000

/** A seal that was changed (`altered`), or whose key this instance does not have (`unknown_key`). */
export type SealFault = { number: number; reason: 'altered' | 'unknown_key' }

type Sealing = {
  /** Notifies people of forged seals, in the transaction that records them. */
  report?(tx: Database, faults: SealFault[]): Promise<void>
  batch?: number
}

export type SealInput = Pick<Seal, 'number' | 'total'> & { mac: string }

/**
 * Seals settled entries repeatedly. Entries become visible in a different order than their positions: a smaller
 * position may belong to a transaction that has not committed. So the sealer first notes the last position, then the
 * number of a transaction begun after that. Once all earlier transactions have ended, nothing can appear at or below
 * that position. A mark that is not ready yet is kept for the next call, so long transactions delay sealing but never
 * prevent it.
 */
export function createSealer(db: Database, keys: SealKey[], sealing: Sealing = {}) {
  let mark: Mark | null = null

  /** Returns the last seal created; null if none was. */
  return async (signal: AbortSignal, waitMs = timeoutMs): Promise<SealInput | null> => {
    mark ??= await setMark(db)
    for (const end = performance.now() + waitMs; !(await queries.haveEndedBefore(db, mark.before)); ) {
      if (performance.now() >= end) return null
      await sleep(100, undefined, { signal })
    }
    const { lastSeq } = mark
    mark = null
    let sealed: SealInput | null = null
    for (;;) {
      signal.throwIfAborted()
      const made = await db.transaction().execute((tx) => sealSome(tx, keys, lastSeq, sealing))
      if (made === null) return sealed
      sealed = { number: made.number, total: made.total, mac: made.mac.toString('hex') }
    }
  }
}

/** Uses two statements: the number must be drawn after the position was read. */
async function setMark(db: Database): Promise<Mark> {
  const lastSeq = await queries.findLastSeq(db)
  const before = await db.transaction().execute(queries.drawTransactionNumber)
  return { lastSeq, before }
}

/** Seals entries up to `lastSeq`. Null if none, if another instance seals, or if no base is safe. */
async function sealSome(
  tx: Database,
  keys: SealKey[],
  lastSeq: number,
  { report, batch = defaultBatch }: Sealing,
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

/** How long an unknown key is tolerated: during a rotation, another instance may get the new key first. */
const unknownKeyTimeoutS = 900

/**
 * Finds the seal to build on: the last one with a correct mac. An attacker on the database can insert a seal,
 * but cannot compute its mac. Null if there is no good seal; undefined if that cannot be decided yet.
 */
async function findBase(
  tx: Database,
  keys: SealKey[],
): Promise<{ base: Seal | null | undefined; faults: SealFault[] }> {
  const keyIds = keys.map(({ id }) => id)
  const last = await queries.findLastUndoubted(tx)
  // The key was replaced and the old one is unknown: earlier seals cannot be verified.
  if (last !== null && !(await queries.hasSealOf(tx, keyIds))) return { base: last, faults: [] }
  const faults: SealFault[] = []
  for (let seal = last; ; ) {
    const key = keys.find(({ id }) => id === seal?.key_id)
    if (seal === null || (key !== undefined && isIntact(key, seal))) return { base: seal, faults }
    if (key === undefined && (await queries.findUnsealedAge(tx, keyIds)) < unknownKeyTimeoutS)
      return { base: undefined, faults }
    faults.push({ number: seal.number, reason: key === undefined ? 'unknown_key' : 'altered' })
    seal = await queries.findSealBefore(tx, seal.number)
  }
}

/** Sorts after all entries of one position. */
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
