import { join } from 'node:path'
import type { Database } from '../../../platform/database/connect.ts'
import { listRows } from '../seals/queries.ts'
import { largestId } from '../seals/rules.ts'
import { digestRow, isIntact, readEntries, type Seal, type SealKey } from '../seals/seal.ts'
import { allSeals, rowFaults } from '../seals/verify.ts'
import { digestOf, readArchive, type SealedRows, writeArchive } from './file.ts'
import {
  type Archive,
  deleteArchive,
  deleteRows,
  findTime,
  hasRows,
  insertArchive,
  listArchives,
  restoreRows,
} from './queries.ts'

export type Step = 'written' | 'verified' | 'recorded' | 'removed' | 'restored'
type Options = {
  /** A connection of the owner: the service's role may not delete entries. */
  db: Database
  keys: SealKey[]
  folder: string
  /** Called after each step that is durable. */
  reached?: (step: Step, name: string) => void
}

/** The archive cannot be made, or is not what was written. */
export class ArchiveError extends Error {}

/**
 * Moves the entries of each whole month before `until` (UTC) into a file. A month has the seals whose last entry was made
 * in it. States of a month, each of which a crash leaves as it is, and the next call continues:
 * - in the table;
 * - written: the file is complete on the disk, and read back against the seals. It is written again if the call ends here;
 * - recorded: `audit_archives` names the file, so its entries may be deleted;
 * - removed: the entries are in the file only, seal by seal.
 */
export async function archiveMonths(
  { db, keys, folder, reached = () => {} }: Options,
  until: Date,
): Promise<Archive[]> {
  const known = await listArchives(db)
  for (const archive of known) if (await hasRows(db, archive)) await removeRows(archive)
  const made: Archive[] = []
  for await (const { month, seals } of sealsByMonth(db, keys, known, until)) {
    const archive = await write(`audit-${month}-seal-${seals[0]?.number}.jsonl.gz`, seals)
    await insertArchive(db, archive)
    reached('recorded', archive.name)
    await removeRows(archive)
    made.push(archive)
  }
  return made

  async function write(name: string, seals: Seal[]): Promise<Archive> {
    const [first, last] = [seals[0], seals.at(-1)] as [Seal, Seal]
    const file = join(folder, name)
    await writeArchive(file, rowsOfSeals(db, keys, seals))
    reached('written', name)
    const rows = await verifyFile(file, keys, seals)
    reached('verified', name)
    return {
      ...{ name, first_seal: first.number, last_seal: last.number },
      ...{ after_seq: first.after_seq, last_seq: last.last_seq, rows, sha256: await digestOf(file) },
    }
  }
  async function removeRows(archive: Archive) {
    const file = join(folder, archive.name)
    await requireSame(file, archive)
    for await (const { rows } of readArchive(file)) {
      await deleteRows(
        db,
        rows.map(({ id }) => id),
      )
      reached('removed', archive.name)
    }
  }
}

/** Inserts the entries of an archive again, and forgets the archive; the file stays. After a crash, call it again. */
export async function restoreMonth(
  { db, keys, folder, reached = () => {} }: Options,
  name: string,
): Promise<Archive> {
  const archive = (await listArchives(db)).find((one) => one.name === name)
  if (archive === undefined) throw new ArchiveError(`${name} is not an archive of this audit log`)
  const file = join(folder, name)
  await requireSame(file, archive)
  await verifyFile(file, keys, await sealsOf(db, archive))
  for await (const { rows } of readArchive(file)) {
    await db.transaction().execute((tx) => restoreRows(tx, rows))
    reached('restored', name)
  }
  await deleteArchive(db, name)
  return archive
}

async function requireSame(file: string, { name, sha256 }: Archive): Promise<void> {
  const digest = await digestOf(file).catch(() => null)
  if (digest === null) throw new ArchiveError(`the archive ${name} is missing, or cannot be read`)
  if (!digest.equals(sha256)) throw new ArchiveError(`the archive ${name} is not the file that was written`)
}

type Month = { month: string; seals: Seal[] }

/**
 * Groups intact seals that are in no archive by the month of their last entry, up to `until`. A group ends with the first
 * seal of another month, so the present month is never one.
 */
async function* sealsByMonth(
  db: Database,
  keys: SealKey[],
  known: Archive[],
  until: Date,
): AsyncGenerator<Month> {
  let group: Month | null = null
  for await (const seal of allSeals(db)) {
    const isArchived = known.some(
      ({ first_seal, last_seal }) => seal.number >= first_seal && seal.number <= last_seal,
    )
    // The entries of a forged seal are those of the next intact one.
    if (!isArchived && !isIntact(keyOf(keys, seal), seal)) continue
    const at = isArchived ? null : await timeOf(db, seal)
    const month = at?.toISOString().slice(0, 7)
    if (group !== null && month !== group.month) {
      yield group
      group = null
    }
    if (at === null || month === undefined) continue
    if (at >= until) return
    group ??= { month, seals: [] }
    group.seals.push(seal)
  }
}

async function timeOf(db: Database, { number, last_seq }: Seal): Promise<Date> {
  const at = await findTime(db, last_seq)
  if (at === null) throw new ArchiveError(`the last entry of seal ${number} is missing: verify the audit log`)
  return at
}

async function sealsOf(db: Database, { first_seal, last_seal }: Archive): Promise<Seal[]> {
  const seals: Seal[] = []
  for await (const seal of allSeals(db, first_seal - 1)) {
    if (seal.number > last_seal) break
    seals.push(seal)
  }
  return seals
}

function keyOf(keys: SealKey[], { number, key_id }: Seal): SealKey {
  const key = keys.find(({ id }) => id === key_id)
  if (key === undefined)
    throw new ArchiveError(`AUDIT_KEY does not name the key of seal ${number}, ${key_id}`)
  return key
}

/** Reads the entries of each seal, which must be as they were sealed: what was tampered with is not archived. */
async function* rowsOfSeals(db: Database, keys: SealKey[], seals: Seal[]): AsyncGenerator<SealedRows> {
  for (const seal of seals) {
    for await (const fault of rowFaults(db, keyOf(keys, seal), seal))
      throw new ArchiveError(`${fault}: verify the audit log`)
    const count = readEntries(seal).length
    const rows = await listRows(db, { seq: seal.after_seq, id: largestId }, seal.last_seq, count + 1)
    yield { seal: seal.number, rows }
  }
}

/** Compares a file with the digests of its seals. Returns the number of its entries. */
async function verifyFile(file: string, keys: SealKey[], seals: Seal[]): Promise<number> {
  const left = seals.filter((seal) => isIntact(keyOf(keys, seal), seal))
  let count = 0
  for await (const { seal: number, rows } of readArchive(file)) {
    const seal = left.shift()
    const entries = seal && readEntries(seal)
    const isSame =
      seal?.number === number &&
      entries?.length === rows.length &&
      entries.every(({ id, digest }, n) => {
        const row = rows[n]
        return row?.id === id && digest.equals(digestRow(keyOf(keys, seal), row))
      })
    if (!isSame) throw new ArchiveError(`the file ${file} does not have the entries of seal ${number}`)
    count += rows.length
  }
  if (left.length > 0) throw new ArchiveError(`the file ${file} lacks the entries of seal ${left[0]?.number}`)
  return count
}
