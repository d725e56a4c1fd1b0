import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { AuditRow, Seal } from './seal.ts'

export type PlacedRow = AuditRow & { seq: number }

/** Takes the sealing lock until the transaction ends; false when another instance is sealing. */
export async function lockSeals(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('parvis audit seals')) as free`.execute(tx)
  return rows[0]?.free === true
}

const seal = sql`number, sealed_at, key_id, after_seq, last_seq, total, entries, previous, mac`

/** True if a seal `s` is not recorded as faulty. */
export const isUndoubted = sql<boolean>`not exists (select from audit_seal_faults f where f.number = s.number)`

/** Returns the last seal, forged or not. */
export async function findLastSeal(db: Database): Promise<Seal | null> {
  const { rows } = await sql<Seal>`select ${seal} from audit_seals order by number desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns the last seal that is not recorded as faulty. */
export async function findLastUndoubted(tx: Database): Promise<Seal | null> {
  const { rows } = await sql<Seal>`
    select ${seal} from audit_seals s
    where ${isUndoubted}
    order by number desc limit 1`.execute(tx)
  return rows[0] ?? null
}

export async function findSealBefore(tx: Database, number: number): Promise<Seal | null> {
  const { rows } = await sql<Seal>`
    select ${seal} from audit_seals s
    where number < ${number} and ${isUndoubted}
    order by number desc limit 1`.execute(tx)
  return rows[0] ?? null
}

export async function hasSealOf(tx: Database, keyIds: string[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from audit_seals where key_id = any(${keyIds}::text[])) as found`.execute(tx)
  return rows[0]?.found === true
}

export async function insertFaults(
  tx: Database,
  faults: { number: number; reason: string }[],
): Promise<void> {
  if (faults.length > 0) await tx.insertInto('audit_seal_faults').values(faults).execute()
}

export async function countFaults(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from audit_seal_faults`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listSealsAfter(db: Database, number: number, limit: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select ${seal} from audit_seals where number > ${number} order by number limit ${limit}`.execute(
    unprepared(db),
  )
  return rows
}

export async function insertSeal(tx: Database, seal: Seal): Promise<void> {
  await tx.insertInto('audit_seals').values(seal).execute()
}

/** Lists entries in log order, then by id: only tampering can put several at one position. */
export async function listRows(
  db: Database,
  after: { seq: number; id: string },
  lastSeq: number,
  limit: number,
): Promise<PlacedRow[]> {
  const { rows } = await sql<PlacedRow>`
    select seq, id, array[extract(epoch from at)::text, user_id::text, action, entity, entity_id, before::text,
      after::text, app_source, request_id, acteur_id::text] as values
    from audit_log where (seq, id) > (${after.seq}, ${after.id}) and seq <= ${lastSeq}
    order by seq, id limit ${limit}`.execute(unprepared(db))
  return rows
}

/** Returns since when the database notes the acteur of an entry; null if it does not. */
export async function findActeursSince(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: string }>`
    select timestamp as at from kysely_migration where name = '0424-audit-acteur'`.execute(db)
  return rows[0] ? new Date(rows[0].at) : null
}

/** Lists entries without a position, which only tampering can produce. */
export async function listUnplaced(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log where seq is null limit ${limit}`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}

export async function countRows(db: Database, afterSeq: number, lastSeq: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_log where seq > ${afterSeq} and seq <= ${lastSeq}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the last visible position; 0 when the log is empty. */
export async function findLastSeq(db: Database): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) as seq from audit_log`.execute(db)
  return rows[0]?.seq ?? 0
}

/**
 * Returns the number of this transaction, higher than that of any transaction that has already written. As
 * text, because it has 64 bits.
 */
export async function drawTransactionNumber(tx: Database): Promise<string> {
  const { rows } = await sql<{ number: string }>`select pg_current_xact_id()::text as number`.execute(tx)
  return rows[0]?.number ?? ''
}

/** True when all transactions with smaller numbers have ended. */
export async function haveEndedBefore(db: Database, number: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${number}::xid8 as ended`.execute(db)
  return rows[0]?.ended === true
}

/** Returns the age in seconds of the oldest entry after the last good seal of these keys, or 0. */
export async function findUnsealedAge(db: Database, keyIds: string[]): Promise<number> {
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from clock_timestamp() - at)::float8 as age from audit_log
    where seq > coalesce((
      select last_seq from audit_seals s
      where key_id = any(${keyIds}::text[])
        and ${isUndoubted}
      order by number desc limit 1), 0)
    order by seq limit 1`.execute(db)
  return Math.max(0, rows[0]?.age ?? 0)
}
