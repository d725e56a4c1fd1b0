import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Seals } from '../schema.ts'
import { countFaults, isUndoubted } from './queries.ts'
import type { VerifyCounts } from './verify.ts'

/** The last seal that is not recorded as faulty. */
const lastValid = sql`
  select number, sealed_at, last_seq, total from audit_seals s
  where ${isUndoubted}
  order by number desc limit 1`

type LastSeal = { number: number; sealed_at: Date; total: number; sealed_until: Date | null }

/** Returns the last valid seal with the time of the last entry that it covers. */
export async function findLastValid(db: Database): Promise<LastSeal | null> {
  const { rows } = await sql<LastSeal>`
    select s.number, s.sealed_at, s.total,
      (select at from audit_log where seq <= s.last_seq order by seq desc limit 1) as sealed_until
    from (${lastValid}) s`.execute(db)
  return rows[0] ?? null
}

/** Returns the time of the oldest entry after the last valid seal; null if there is none. */
export async function findUnsealedSince(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_log where seq > coalesce((select last_seq from (${lastValid}) s), 0)
    order by seq limit 1`.execute(db)
  return rows[0]?.at ?? null
}

export async function listNewestFaults(db: Database): Promise<Seals['faults']> {
  const [total, { rows }] = await Promise.all([
    countFaults(db),
    sql<Seals['faults']['newest'][number]>`
      select number, found_at, reason from audit_seal_faults order by number desc limit 20`.execute(db),
  ])
  return { total, newest: rows }
}

export async function findLastVerification(db: Database): Promise<Seals['last_verification']> {
  const { rows } = await sql<NonNullable<Seals['last_verification']>>`
    select at, seals, rows, faults from audit_verifications order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Records a complete verification, for the back-office. */
export async function insertVerification(
  db: Database,
  { seals, rows, faults }: Pick<VerifyCounts, 'seals' | 'rows' | 'faults'>,
): Promise<void> {
  await db.insertInto('audit_verifications').values({ seals, rows, faults }).execute()
}

type Key = Omit<Seals['keys'][number], 'known'>

/** Lists the keys that made seals, newest first. Each step of the recursion is one index lookup. */
export async function listKeys(db: Database): Promise<Key[]> {
  const { rows } = await sql<Key>`
    with recursive known as (
      (select key_id from audit_seals order by key_id limit 1)
      union all
      select (select s.key_id from audit_seals s where s.key_id > known.key_id order by s.key_id limit 1)
      from known where known.key_id is not null)
    select k.key_id, first.number as first_seal, first.sealed_at as since, last.number as last_seal,
      last.sealed_at as until
    from (select key_id from known where key_id is not null limit 1000) k
    cross join lateral (
      select number, sealed_at from audit_seals where key_id = k.key_id order by number limit 1) first
    cross join lateral (
      select number, sealed_at from audit_seals where key_id = k.key_id order by number desc limit 1) last
    order by first.number desc limit 100`.execute(db)
  return rows
}
