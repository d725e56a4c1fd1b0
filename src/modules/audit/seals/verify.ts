import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../platform/database/connect.ts'
import {
  countRows,
  findActeursSince,
  listRows,
  listSealsAfter,
  listUnplaced,
  type PlacedRow,
} from './queries.ts'
import { largestId } from './rules.ts'
import { digestRow, isIntact, noSeal, readEntries, type Seal, type SealKey } from './seal.ts'
import { hasSealedActeur } from './sealed-acteur.ts'

/** A seal recorded outside the database. */
export type Anchor = {
  seal: number
  rows: number
  last_seq: number
  mac: string
  key: string
  sealed_at: string
}

export const anchorOf = ({ number, total, last_seq, mac, key_id, sealed_at }: Seal): Anchor => ({
  seal: number,
  rows: total,
  last_seq,
  mac: mac.toString('hex'),
  key: key_id,
  sealed_at: sealed_at.toISOString(),
})

/** Entries of the log that were moved into files. */
export type ArchivedRows = {
  /**
   * Returns the archived entries of a seal; null if they are in no archive, and a fault once if their archive cannot be
   * read. Seals are asked for in their order.
   */
  of(seal: Seal): Promise<PlacedRow[] | { fault: string | null } | null>
}
export const nothingArchived: ArchivedRows = { of: async () => null }

export type VerifyCounts = { seals: number; rows: number; faults: number; lastSeq: number }

const pageOfRows = 1_000

/**
 * Verifies the whole audit log against its seals and yields each fault. Reads one seal and one page of
 * entries at a time, so memory does not grow with the log.
 */
export async function verifyAuditLog(
  db: Database,
  keys: SealKey[],
  anchors: Anchor[],
  report: (fault: string) => void,
  archived = nothingArchived,
): Promise<VerifyCounts> {
  let faults = 0
  const fault = (text: string) => {
    faults++
    report(text)
  }
  const byId = new Map(keys.map((key, age) => [key.id, { key, age }]))
  const noted = Map.groupBy(anchors, ({ seal }) => seal)
  let last: Seal | null = null
  let lastIntact: Seal | null = null
  let seals = 0
  let newest = Number.POSITIVE_INFINITY
  let forged: Seal[] = []
  /** Reports the forged seals when it is known whether the next intact one covers their entries again. */
  const reportForged = (next: Seal | null) => {
    for (const seal of forged) {
      const isCovered = next !== null && next.after_seq <= seal.after_seq && next.last_seq >= seal.last_seq
      const entries = isCovered
        ? `seal ${next.number} covers the ${rangeOf(seal)}`
        : `the ${rangeOf(seal)} cannot be verified`
      fault(`seal ${seal.number}: edited or forged; ${entries}`)
    }
    forged = []
  }
  for await (const seal of allSeals(db)) {
    seals++
    const known = byId.get(seal.key_id)
    const intact = known !== undefined && isIntact(known.key, seal)
    if (known !== undefined && !intact) forged.push(seal)
    if (intact) reportForged(seal)
    for (const problem of placeFaults(seal, last, lastIntact)) fault(problem)
    if (known === undefined) fault(`seal ${seal.number}: AUDIT_KEY does not name its key, ${seal.key_id}`)
    else {
      if (known.age > newest) fault(`seal ${seal.number}: made with an older key than the one before it`)
      newest = Math.min(newest, known.age)
      // The entries listed in a forged seal prove nothing; the next seal covers them again.
      if (intact) for await (const problem of rowFaults(db, known.key, seal, archived)) fault(problem)
      if (intact) lastIntact = seal
    }
    for (const { mac } of noted.get(seal.number) ?? []) {
      if (mac !== seal.mac.toString('hex'))
        fault(`seal ${seal.number}: differs from the anchor; its entries were sealed again later`)
    }
    last = seal
  }
  reportForged(null)
  for (const anchor of anchors) {
    if (anchor.seal > (last?.number ?? 0)) fault(await truncated(db, anchor, last))
  }
  for (const id of await listUnplaced(db, pageOfRows))
    fault(`row ${id}: inserted, in no position of the order`)
  return { seals, rows: last?.total ?? 0, faults, lastSeq: last?.last_seq ?? 0 }
}

export async function* allSeals(db: Database, after = Number.MIN_SAFE_INTEGER): AsyncGenerator<Seal> {
  for (let number = after; ; ) {
    const seals = await listSealsAfter(db, number, 20)
    yield* seals
    const last = seals.at(-1)
    if (last === undefined) return
    number = last.number
  }
}

/** Checks that a seal follows the previous one, or the last intact one if those between are forged. */
function placeFaults(seal: Seal, last: Seal | null, lastIntact: Seal | null): string[] {
  const expected = (last?.number ?? 0) + 1
  if (seal.number > expected) {
    const missing =
      seal.number === expected + 1 ? `seal ${expected}` : `seals ${expected} to ${seal.number - 1}`
    return [`${missing}: removed, with rows of position ${(last?.last_seq ?? 0) + 1} to ${seal.after_seq}`]
  }
  if (seal.number < expected) return [`seal ${seal.number}: inserted`]
  const follows = [last, lastIntact].some(
    (before) => seal.previous.equals(before?.mac ?? noSeal) && seal.after_seq === (before?.last_seq ?? 0),
  )
  return follows ? [] : [`seal ${seal.number}: does not follow from the one before it`]
}

/** Compares the entries at the seal's positions, in the log and in its archive, with its digests. */
export async function* rowFaults(
  db: Database,
  key: SealKey,
  seal: Seal,
  archived = nothingArchived,
): AsyncGenerator<string> {
  const inArchive = await archived.of(seal)
  if (inArchive !== null && 'fault' in inArchive) {
    if (inArchive.fault !== null) yield inArchive.fault
    return
  }
  const entries = readEntries(seal)
  const acteursSince = key.format === 1 ? await findActeursSince(db) : null
  const positions = new Map(entries.map(({ id }, position) => [id, position]))
  const found: number[] = []
  const seen = new Set<string>()
  for await (const row of withArchived(rowsOf(db, seal), inArchive ?? [])) {
    const position = positions.get(row.id)
    if (position === undefined || seen.has(row.id)) {
      yield `row ${row.id}: inserted (position ${row.seq})`
      continue
    }
    seen.add(row.id)
    found.push(position)
    const isSealed = entries[position]?.digest.equals(digestRow(key, row)) === true
    if (!isSealed || (key.format === 1 && !hasSealedActeur(row, acteursSince)))
      yield `row ${row.id}: edited (position ${row.seq})`
  }
  for (const { id } of entries) if (!seen.has(id)) yield `row ${id}: removed (seal ${seal.number})`
  const inOrder = found.toSorted((one, other) => one - other)
  for (const [n, position] of found.entries()) {
    if (position !== inOrder[n]) yield `row ${entries[position]?.id}: reordered (seal ${seal.number})`
  }
}

async function* rowsOf(db: Database, { after_seq, last_seq }: Seal): AsyncGenerator<PlacedRow> {
  // The range of the first seal is open at its start, so entries inserted before it are checked too.
  let after = { seq: after_seq === 0 ? Number.MIN_SAFE_INTEGER : after_seq, id: largestId }
  for (;;) {
    const rows = await listRows(db, after, last_seq, pageOfRows)
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < pageOfRows) return
    after = { seq: end.seq, id: end.id }
  }
}

/** Merges both by position. While an archive is made or restored, an entry is in both: it counts once. */
async function* withArchived(
  log: AsyncIterable<PlacedRow>,
  archived: PlacedRow[],
): AsyncGenerator<PlacedRow> {
  let next = 0
  for await (const row of log) {
    for (let one = archived[next]; one !== undefined && one.seq <= row.seq; one = archived[++next])
      if (!isSameRow(one, row)) yield one
    yield row
  }
  yield* archived.slice(next)
}

/** An archive of the first format lacks the acteur. */
const isSameRow = (archived: PlacedRow, { values, ...row }: PlacedRow) =>
  isDeepStrictEqual(archived, { ...row, values: values.slice(0, archived.values.length) })

const rangeOf = ({ after_seq, last_seq }: Pick<Seal, 'after_seq' | 'last_seq'>) =>
  `entries at positions ${after_seq + 1} to ${last_seq}`

async function truncated(db: Database, { seal, rows, last_seq }: Anchor, last: Seal | null): Promise<string> {
  const [number, total, after] = [last?.number ?? 0, last?.total ?? 0, last?.last_seq ?? 0]
  const which = seal === number + 1 ? `seal ${seal}` : `seals ${number + 1} to ${seal}`
  if (after >= last_seq) return `${which}: truncated; its entries were sealed again after the anchor`
  const left = await countRows(db, after, last_seq)
  const range = rangeOf({ after_seq: after, last_seq })
  return `${which}: truncated; ${left} of ${rows - total} ${range} still exist, but no seal covers them`
}
