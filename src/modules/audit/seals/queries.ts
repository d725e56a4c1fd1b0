import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Seal, TrailRow } from './seal.ts'

export type PlacedRow = TrailRow & { seq: number }

/** Nobody else seals until the transaction ends; false: somebody else does just now. */
export async function lockSeals(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('parvis audit seals')) as free`.execute(tx)
  return rows[0]?.free === true
}

const seal = sql`number, sealed_at, key_id, after_seq, last_seq, total, entries, previous, mac`

export async function findLastSeal(db: Database): Promise<Seal | null> {
  const { rows } = await sql<Seal>`select ${seal} from audit_seals order by number desc limit 1`.execute(db)
  return rows[0] ?? null
}

export async function listSealsAfter(db: Database, number: number, limit: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select ${seal} from audit_seals where number > ${number} order by number limit ${limit}`.execute(db)
  return rows
}

export async function insertSeal(tx: Database, seal: Seal): Promise<void> {
  await tx.insertInto('audit_seals').values(seal).execute()
}

/** In the order of the trail, by id where several have one place, as can only be where somebody put them there. */
export async function listRows(
  db: Database,
  after: { seq: number; id: string },
  lastSeq: number,
  limit: number,
): Promise<PlacedRow[]> {
  const { rows } = await sql<PlacedRow>`
    select seq, id, array[extract(epoch from at)::text, user_id::text, action, entity, entity_id, before::text,
      after::text, app_source, request_id] as said
    from audit_log where (seq, id) > (${after.seq}, ${after.id}) and seq <= ${lastSeq}
    order by seq, id limit ${limit}`.execute(db)
  return rows
}

/** Those that have no place in the order, as can only be where somebody took it from them. */
export async function listUnplaced(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log where seq is null limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function countRows(db: Database, afterSeq: number, lastSeq: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_log where seq > ${afterSeq} and seq <= ${lastSeq}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The last place that a row is seen at; 0: there is none. */
export async function findLastSeq(db: Database): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) as seq from audit_log`.execute(db)
  return rows[0]?.seq ?? 0
}

/** The number of this transaction: larger than that of any which has begun to write before. As text, for its 64 bits. */
export async function drawTransactionNumber(tx: Database): Promise<string> {
  const { rows } = await sql<{ number: string }>`select pg_current_xact_id()::text as number`.execute(tx)
  return rows[0]?.number ?? ''
}

/** Whether all transactions with smaller numbers have ended. */
export async function haveEndedBefore(db: Database, number: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${number}::xid8 as ended`.execute(db)
  return rows[0]?.ended === true
}

/** How old the oldest row is that no seal covers yet, in seconds; 0 where each is covered. */
export async function findUnsealedAge(db: Database): Promise<number> {
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from clock_timestamp() - at)::float8 as age from audit_log
    where seq > coalesce((select last_seq from audit_seals order by number desc limit 1), 0)
    order by seq limit 1`.execute(db)
  return Math.max(0, rows[0]?.age ?? 0)
}
